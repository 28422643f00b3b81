import Acoustics
import Glibc
import Realtime

/// Softens sudden loud sounds, such as clatter of cutlery, in the very hop in which they come.
///
/// The newest frames are read without a window, as the power of their first difference, which weighs high
/// frequencies as clatter has them. A level above the greatest of the last seconds by more than ``margin``,
/// and above ``threshold``, is attenuated dB for dB. Voices rise over tens of milliseconds, and the memory
/// with them, so that only the first loud sound after quiet counts as a blow.
///
/// - Threads: built on `control`, run on `audio`.
struct ImpulseSoftening {
  /// Excess over ``remembered`` from which a rise is a blow, dB.
  ///
  /// This and the three below are own choices by trial on recorded voice: with them its onsets at 65 dB SPL
  /// are not changed, at 82 dB SPL 99 in 100 hops change by less than 1 dB, and clatter that peaks at 95 dB
  /// SPL is softened by 12 dB.
  static let margin: Float = 9
  /// Level below which nothing is softened, dB SPL re 2 kHz.
  static let threshold: Float = 80
  /// Time constant with which the memory follows a rise, s.
  static let rise = 0.02
  /// Speed with which the memory falls, dB per s.
  static let fall = 10.0
  /// Time constant with which the attenuation recovers, s: two thirds after 60 ms.
  static let release = 0.06
  /// Frequency that the difference shows as it is, Hz.
  static let reference = 2000.0

  /// Reduction in this hop, dB, not negative.
  private(set) var attenuation: Float = 0
  /// Greatest recent level, dB SPL.
  private var remembered: Float = 0
  /// Parts of a distance covered per hop.
  private let shares: (rise: Float, release: Float)
  private let fallStep: Float
  /// Ratio of the power of a sound at ``reference`` to that of its difference.
  private let scale: Float

  init(geometry: ChainGeometry) {
    shares = (geometry.share(Self.rise), geometry.share(Self.release))
    fallStep = Float(Self.fall * geometry.hopTime)
    let gain = 2 * sin(.pi * Self.reference / geometry.sampleRate)
    scale = Float(1 / (gain * gain))
  }

  /// Clears memory and attenuation.
  mutating func reset() {
    attenuation = 0
    remembered = 0
  }

  /// Moves by one hop.
  ///
  /// - Parameters:
  ///   - power: Mean square of the first difference of the newest frames.
  ///   - offset: dB SPL of a mean square of 1.
  ///   - depth: Greatest reduction, dB.
  mutating func process(differencePower power: Float, offset: Float, depth: Float) {
    let level = Decibel.fromPower(power * scale + 1e-20) + offset
    let expected = remembered + Self.margin
    let excess = level - (expected > Self.threshold ? expected : Self.threshold)
    let positive: Float = excess > 0 ? excess : 0
    let wanted = positive < depth ? positive : depth
    let released = attenuation + shares.release * (wanted - attenuation)
    attenuation = wanted > attenuation ? wanted : released
    let change = level - remembered
    remembered += change > 0 ? shares.rise * change : (change > -fallStep ? change : -fallStep)
  }

  /// Mean square of the first difference of both ears' newest frames.
  ///
  /// - Parameters:
  ///   - history: Interleaved pairs, oldest first, more than `frames` of them.
  static func differencePower(_ history: borrowing Buffer, frames: Int) -> Binaural<Float> {
    precondition(frames > 0 && history.count >= 2 * (frames + 1))
    let newest = unsafe history.pointer + (history.count - 2 * frames)
    var sum = SIMD4<Float>()
    let whole = frames / 2 * 2
    for frame in stride(from: 0, to: whole, by: 2) {
      let step = unsafe newest[lanes: 2 * frame] - newest[lanes: 2 * frame - 2]
      sum += step * step
    }
    var (left, right) = (sum[0] + sum[2], sum[1] + sum[3])
    if whole < frames {
      let last = 2 * whole
      let (a, b) = unsafe (newest[last] - newest[last - 2], newest[last + 1] - newest[last - 1])
      left += a * a
      right += b * b
    }
    return Binaural(left: left / Float(frames), right: right / Float(frames))
  }
}

/// Attenuation of bands that hold next to nothing but the microphone's own noise, so that quiet rooms are
/// quiet.
///
/// The microphone's noise is taken as white, which the A-weighted figure of a data sheet then gives in
/// every band. Below ``knee`` over it the gain falls by one dB per dB, a ratio of two. The level that
/// decides rises at once with a sound and falls slowly, so that the pauses between words change nothing.
///
/// - Threads: built on `control`, run on `audio`.
struct MicrophoneExpansion: ~Copyable {
  /// Level above the microphone's noise below which gain falls, dB. Own choice: speech of 50 dB SPL peaks
  /// above it in every band with a microphone of 30 dB(A).
  static let knee: Float = 6
  /// Time constant with which the deciding level rises, s.
  static let rise = 0.01
  /// Time constant with which it falls, s: longer than the pauses between words.
  static let fall = 0.6

  /// Level of white noise with 0 dB SPL in 1 Hz, dB(A) SPL: 10·log₁₀ ∫ A²(f) df up to 20 kHz with the
  /// A-weighting of IEC 61672-1; see ``weightedBandwidth``.
  static let whiteLevel = 10 * log10(weightedBandwidth)

  /// Reduction, dB, not negative. - Shape: one per band, padded.
  private(set) var attenuation: Buffer
  /// Level that decides, dB SPL.
  private var level: Buffer
  /// Level in the band of noise with 0 dB SPL in 1 Hz, dB.
  private let width: Buffer
  /// Parts of a distance covered per hop.
  private let shares: (rise: Float, fall: Float)
  private let whiteOffset: Float

  init(_ layout: BandLayout, geometry: ChainGeometry) {
    let stride = layout.stride
    attenuation = AlignedBuffer(count: stride)
    level = AlignedBuffer(count: stride)
    let top = layout.edges.map { min($0, geometry.sampleRate / 2) }
    width = AlignedBuffer(count: layout.count) { Float(10 * log10(max(1, top[$0 + 1] - layout.edges[$0]))) }
    shares = (geometry.share(Self.rise), geometry.share(Self.fall))
    whiteOffset = Float(Self.whiteLevel)
    reset()
  }

  /// Sets all levels to a loud one: nothing is attenuated.
  mutating func reset() {
    attenuation.fill(0)
    level.fill(LevelMemory.startLevel)
  }

  /// Moves by one hop.
  ///
  /// - Parameters:
  ///   - read: Level of each band, dB SPL.
  ///   - noise: The microphone's own noise, dB(A) SPL.
  ///   - depth: Greatest reduction, dB.
  mutating func process(_ read: borrowing Buffer, noise: Float, depth: Float) {
    let bandCount = width.count
    precondition(read.count >= bandCount && level.count >= bandCount)
    let (found, held) = unsafe (read.pointer, level.pointer)
    let (widths, result) = unsafe (width.pointer, attenuation.pointer)
    let density = noise - whiteOffset + Self.knee
    for band in 0..<bandCount {
      let change = unsafe found[band] - held[band]
      unsafe held[band] += (change > 0 ? shares.rise : shares.fall) * change
      let below = unsafe density + widths[band] - held[band]
      let positive: Float = below > 0 ? below : 0
      unsafe result[band] = positive < depth ? positive : depth
    }
  }

  /// Equivalent bandwidth of white noise behind the A-weighting, Hz.
  static var weightedBandwidth: Double {
    let (step, top) = (10.0, 20_000.0)
    return stride(from: step, through: top, by: step).reduce(0) { sum, f in
      sum + step * pow(10, FrequencyWeighting.a.gain(at: f) / 10)
    }
  }
}
