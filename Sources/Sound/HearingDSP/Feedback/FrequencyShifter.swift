import Glibc
import Realtime

/// Shifts everything above 1.5 kHz up by some Hz, so that the sound in the loop never repeats itself.
///
/// Two filters part the sound; the upper part goes through a pair of all-passes whose outputs lie 90°
/// apart, and `I·cos θ − Q·sin θ` is its upper single sideband. Nothing realigns the two parts, because the
/// shifted one has no fixed phase to align to: where both are heard, around 1.5 kHz, they beat. That leaves
/// the delays of the parting filters and of the in-phase all-pass, 0.28 ms at most.
///
/// - Threads: built on `control`, run on `audio`.
struct FrequencyShifter: ~Copyable {
  /// Frequency that parts the sound, Hz.
  static let crossover = 1500.0
  /// Frequencies at which each first-order all-pass turns by 90° at ``fittedRate``, Hz, in-phase and
  /// quadrature branch: least greatest error of the phase difference in ``range``, by Nelder and Mead's
  /// method; 2.4°, so the lower sideband lies 33.6 dB under the upper one.
  static let inPhase = (2299.65, 15_774.36)
  static let quadrature = (608.66, 6397.8)
  /// Range and rate that they are fitted for, Hz.
  static let range = (lowest: 1300.0, highest: 12_000.0)
  private static let fittedRate = 44_100.0
  /// Time from no shift to shift, s.
  static let fadeTime = 0.02

  /// Coefficients of two second-order sections; lanes: left low, left high, right low, right high. The
  /// state is computed from input and former state, not from the output, which makes the loop fast.
  private let b0: SIMD4<Float>
  private let intoFirst: SIMD4<Float>
  private let intoSecond: SIMD4<Float>
  private let a1: SIMD4<Float>
  private let a2: SIMD4<Float>
  /// First-order low-pass of the low lanes; the high lanes pass.
  private let c0: SIMD4<Float>
  private let d1: SIMD4<Float>
  private let intoLow: SIMD4<Float>
  /// Coefficients of the all-passes; lanes: left I, left Q, right I, right Q.
  private let first: SIMD4<Float>
  private let second: SIMD4<Float>
  private let intoOnce: SIMD4<Float>
  private let intoTwice: SIMD4<Float>
  private var states = InlineArray<5, SIMD4<Float>>(repeating: SIMD4())
  private var phasor = SIMD2<Float>(1, 0)
  private var turn = SIMD2<Float>(1, 0)
  private var fade: Fade
  private let sampleRate: Double

  init(_ geometry: ChainGeometry) {
    let rate = geometry.sampleRate
    sampleRate = rate
    let k = tan(.pi * Self.crossover / rate)
    // Butterworth by the bilinear transform: the pair of poles of the third-order low-pass has Q = 1, the
    // other lies on the axis; the second-order high-pass has Q = 1/√2.
    let low = 1 / (1 + k + k * k)
    let high = 1 / (1 + k * 2.0.squareRoot() + k * k)
    let b = Self.lanes(k * k * low, high)
    let feedback1 = Self.lanes(2 * (k * k - 1) * low, 2 * (k * k - 1) * high)
    let feedback2 = Self.lanes((1 - k + k * k) * low, (1 - k * 2.0.squareRoot() + k * k) * high)
    (b0, a1, a2) = (b, feedback1, feedback2)
    intoFirst = Self.lanes(2 * k * k * low, -2 * high) - feedback1 * b
    intoSecond = b - feedback2 * b
    // A first-order low-pass, b0 = b1, in the low lanes; 1, 0 in the high ones.
    let (c, d) = (k / (1 + k), (k - 1) / (k + 1))
    c0 = Self.lanes(c, 1)
    d1 = Self.lanes(d, 0)
    intoLow = Self.lanes(c - d * c, 0)
    // The bilinear transform warps a frequency to tan(πf/rate), and the phases depend on ratios of what is
    // warped alone: at another rate all turns move by as much as the middle of the range. The range is
    // narrower there, so the error is no greater.
    let scale = Self.warpedMiddle(rate) / Self.warpedMiddle(Self.fittedRate)
    let allPass = { (frequency: Double) in
      let t = tan(.pi * frequency / Self.fittedRate) * scale
      return (t - 1) / (t + 1)
    }
    first = Self.lanes(allPass(Self.inPhase.0), allPass(Self.quadrature.0))
    second = Self.lanes(allPass(Self.inPhase.1), allPass(Self.quadrature.1))
    intoOnce = 1 - first * first
    intoTwice = 1 - second * second
    fade = Fade(step: geometry.share(Self.fadeTime))
  }

  /// Geometric mean of the range's warped ends.
  private static func warpedMiddle(_ rate: Double) -> Double {
    (tan(.pi * range.lowest / rate) * tan(.pi * range.highest / rate)).squareRoot()
  }

  private static func lanes(_ even: Double, _ odd: Double) -> SIMD4<Float> {
    SIMD4(Float(even), Float(odd), Float(even), Float(odd))
  }

  /// Sound is shifted, or the shift still fades out.
  var isActive: Bool { fade.isActive }

  /// Moves to another shift, Hz; 0 fades the shift out.
  mutating func retarget(to shift: Double) {
    fade.retarget(to: shift > 0)
    guard shift > 0 else { return }
    let direction = ComplexExponential.direction(Float(2 * shift / sampleRate))
    turn = SIMD2(direction.cosine, direction.sine)
  }

  /// Clears the filters.
  mutating func reset() { states = InlineArray(repeating: SIMD4()) }

  /// Shifts one hop of both ears in place.
  mutating func process(_ left: inout Samples, _ right: inout Samples, from start: Int, frames: Int) {
    let (before, after) = fade.process()
    var share = before
    let rise = (after - before) / Float(frames)
    var (s1, s2, s3, s4, s5) = (states[0], states[1], states[2], states[3], states[4])
    var (c, s) = (phasor[0], phasor[1])
    for n in start..<start + frames {
      let x = SIMD4(left[n], left[n], right[n], right[n])
      let y = b0 * x + s1
      (s1, s2) = ((intoFirst * x + s2) - a1 * s1, intoSecond * x - a2 * s1)
      let parted = c0 * y + s3
      s3 = intoLow * y - d1 * s3
      let upper = SIMD4(parted[1], parted[1], parted[3], parted[3])
      let once = first * upper + s4
      s4 = intoOnce * upper - first * s4
      let twice = second * once + s5
      s5 = intoTwice * once - second * s5
      (c, s) = (c * turn[0] - s * turn[1], s * turn[0] + c * turn[1])
      share += rise
      left[n] += share * (parted[0] + twice[0] * c - twice[1] * s - x[0])
      right[n] += share * (parted[2] + twice[2] * c - twice[3] * s - x[2])
    }
    states = [s1, s2, s3, s4, s5]
    // One Newton step keeps the phasor on the unit circle.
    let correction = 1.5 - 0.5 * (c * c + s * s)
    phasor = SIMD2(c * correction, s * correction)
    // A state that is not finite would stay so for ever.
    if !((s1 + s2 + s3 + s4 + s5).sum() * 0 == 0) { reset() }
  }
}

/// Share of an effect, which approaches its target by a fixed part of the distance per hop.
///
/// - Threads: built on `control`, run on `audio`.
struct Fade {
  /// In force, 0...1.
  private(set) var share: Float = 0
  private(set) var target: Float = 0
  /// Part of the distance covered per hop, 0...1.
  let step: Float

  /// The effect is heard, or will be.
  var isActive: Bool { target > 0 || share > 0 }

  /// Fades in, or out.
  mutating func retarget(to isOn: Bool) { target = isOn ? 1 : 0 }

  /// Moves by one hop; jumps to the target within 0.001 of it.
  ///
  /// - Returns: Share at the hop's beginning and at its end.
  mutating func process() -> (before: Float, after: Float) {
    let before = share
    let next = share + step * (target - share)
    share = abs(next - target) < 1e-3 ? target : next
    return (before, share)
  }
}
