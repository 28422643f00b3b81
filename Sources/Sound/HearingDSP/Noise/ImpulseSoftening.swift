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
    // Never more than the depth, so that nothing is left where that has gone to 0.
    let held = attenuation < depth ? attenuation : depth
    attenuation = wanted > held ? wanted : held + shares.release * (wanted - held)
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
