import Acoustics
import Glibc
import Realtime

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
