import Acoustics
import Glibc

/// Coefficients of four second-order sections in a row, one lane each, which cut a band out of the noise or
/// leave nothing but a band.
///
/// `H(z) = (b0 + b1 z⁻¹ + b2 z⁻²) / (1 + a1 z⁻¹ + a2 z⁻²)`, as ``Section`` runs them.
///
/// - Threads: `any`.
struct NoiseSections: Equatable, Sendable {
  var b0 = SIMD4<Float>(repeating: 1)
  var b1 = SIMD4<Float>()
  var b2 = SIMD4<Float>()
  var a1 = SIMD4<Float>()
  var a2 = SIMD4<Float>()

  /// No change.
  static let none = NoiseSections()

  /// Highest band edge, as a share of the sampling rate: beyond it the bilinear transform has no room left.
  private static let highestEdge = 0.45
  /// Poles of the Butterworth prototype of order 4 with positive imaginary part, −sin and cos of π/8 and
  /// 3π/8.
  private static let prototype = [1.0, 3.0].map { k in (re: -sin(k * .pi / 8), im: cos(k * .pi / 8)) }

  /// Butterworth band filter of order 4, 3 dB at its edges (Oppenheim & Schafer, Discrete-Time Signal
  /// Processing: band transformation of the prototype and bilinear transform, warped to be exact at the
  /// centre).
  ///
  /// - Parameters:
  ///   - centre: Hz, geometric mean of the edges.
  ///   - width: Octaves between the edges.
  ///   - isNotch: The band is cut out; otherwise everything else is.
  init(centre: Double, width: Double, isNotch: Bool, sampleRate: Double) {
    let warp = { (f: Double) in tan(.pi * min(f, Self.highestEdge * sampleRate) / sampleRate) }
    let middle = warp(centre)
    let breadth = warp(centre * exp2(width / 2)) - warp(centre * exp2(-width / 2))
    var lane = 0
    for pole in Self.prototype {
      // The band's poles solve s² − 2h·s + ω0² = 0 with 2h = p·B, or B/p for a notch, |p| = 1.
      let h = (re: pole.re * breadth / 2, im: (isNotch ? -pole.im : pole.im) * breadth / 2)
      let root = Self.squareRoot((re: h.re * h.re - h.im * h.im - middle * middle, im: 2 * h.re * h.im))
      for sign in [1.0, -1.0] {
        set(lane, pole: (h.re + sign * root.re, h.im + sign * root.im), middle, isNotch)
        lane += 1
      }
    }
  }

  init() {}

  /// One section from a pole of the s plane and its conjugate. A notch has its zeros at the centre, a band
  /// at 0 Hz and half the sampling rate; gain 1 at 0 Hz and at the centre.
  private mutating func set(_ lane: Int, pole: (re: Double, im: Double), _ middle: Double, _ isNotch: Bool)
  {
    // (s − q)(s − q*) = s² + 2d·s + m with s = (1 − z⁻¹)/(1 + z⁻¹).
    let (d, m) = (-pole.re, pole.re * pole.re + pole.im * pole.im)
    let a0 = 1 + 2 * d + m
    let (first, second) = (2 * (m - 1) / a0, (1 - 2 * d + m) / a0)
    let w2 = middle * middle
    // At s = jω0 a band's section is k·jω0 / (m − ω0² + 2jd·ω0).
    let (re, im) = (m - w2, 2 * d * middle)
    let scale = isNotch ? m / w2 : (re * re + im * im).squareRoot() / middle
    let zeros = isNotch ? (1 + w2, 2 * (w2 - 1), 1 + w2) : (1, 0, -1)
    b0[lane] = Float(scale * zeros.0 / a0)
    b1[lane] = Float(scale * zeros.1 / a0)
    b2[lane] = Float(scale * zeros.2 / a0)
    a1[lane] = Float(first)
    a2[lane] = Float(second)
  }

  private static func squareRoot(_ z: (re: Double, im: Double)) -> (re: Double, im: Double) {
    let size = (z.re * z.re + z.im * z.im).squareRoot()
    let re = max(0, (size + z.re) / 2).squareRoot()
    return (re, copysign(max(0, (size - z.re) / 2).squareRoot(), z.im))
  }

  /// Power gain at a frequency, Hz.
  func power(at frequency: Double, sampleRate: Double) -> Double {
    let (c, s) = (cos(2 * .pi * frequency / sampleRate), sin(2 * .pi * frequency / sampleRate))
    let (c2, s2) = (2 * c * c - 1, 2 * s * c)
    var power = 1.0
    for lane in 0..<4 {
      let b = (Double(b0[lane]), Double(b1[lane]), Double(b2[lane]))
      let a = (Double(a1[lane]), Double(a2[lane]))
      let (re, im) = (b.0 + b.1 * c + b.2 * c2, b.1 * s + b.2 * s2)
      let (poleRe, poleIm) = (1 + a.0 * c + a.1 * c2, a.0 * s + a.1 * s2)
      power *= (re * re + im * im) / (poleRe * poleRe + poleIm * poleIm)
    }
    return power
  }
}

/// Runs both ears' ``NoiseSections`` at once, one sample a step.
///
/// The sections of a row do not wait for each other: each one's input is the output of the one before a
/// sample ago. That delays the noise by three samples, inaudibly, and makes the eight sections one vector.
/// Their state is computed from input and former state, not from the output, which makes the loop fast.
///
/// - Threads: `audio`.
struct SectionRow {
  /// Coefficients of both ears, the left one's in the lower lanes.
  private var b0 = SIMD8<Float>(repeating: 1)
  /// b1 − a1·b0 and b2 − a2·b0: trace of a unit of input in each state.
  private var intoFirst = SIMD8<Float>()
  private var intoSecond = SIMD8<Float>()
  private var a1 = SIMD8<Float>()
  private var a2 = SIMD8<Float>()
  private var first = SIMD8<Float>()
  private var second = SIMD8<Float>()
  private var output = SIMD8<Float>()

  /// Replaces one ear's sections by others, which begin from silence.
  mutating func retarget(_ ear: Ear, to sections: NoiseSections) {
    let isLeft = ear == .left
    b0 = Self.with(b0, sections.b0, isLeft)
    intoFirst = Self.with(intoFirst, sections.b1 - sections.a1 * sections.b0, isLeft)
    intoSecond = Self.with(intoSecond, sections.b2 - sections.a2 * sections.b0, isLeft)
    a1 = Self.with(a1, sections.a1, isLeft)
    a2 = Self.with(a2, sections.a2, isLeft)
    first = Self.with(first, SIMD4(), isLeft)
    second = Self.with(second, SIMD4(), isLeft)
    output = Self.with(output, SIMD4(), isLeft)
  }

  /// One sample of each ear in, one of each out (transposed direct form II).
  @inline(__always)
  mutating func process(_ left: Float, _ right: Float) -> (left: Float, right: Float) {
    let y = output
    let input = SIMD8(left, y[0], y[1], y[2], right, y[4], y[5], y[6])
    output = b0 * input + first
    let former = first
    first = (intoFirst * input + second) - a1 * former
    second = intoSecond * input - a2 * former
    return (output[3], output[7])
  }

  @inline(__always)

  private static func with(
    _ all: SIMD8<Float>, _ four: SIMD4<Float>, _ isLeft: Bool
  ) -> SIMD8<Float> {
    isLeft ? SIMD8(lowHalf: four, highHalf: all.highHalf) : SIMD8(lowHalf: all.lowHalf, highHalf: four)
  }
}
