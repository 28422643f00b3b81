import Glibc

/// A frequency weighting as a filter, class 1 of IEC 61672-1 at 44.1, 48 and 96 kHz.
///
/// The low poles are high-passes by the bilinear transform; the double pole at 12.2 kHz is matched to the
/// analogue response at 0 Hz and at 0.30 and 0.42 of the sample rate. These two were chosen by a scan: the
/// design goals are met within 0.3 dB up to 20 kHz at 44.1 kHz, within 0.1 dB at 48 and 96 kHz. The gain at
/// 1 kHz is 0 dB.
///
/// - Threads: any, one at a time; processing allocates nothing and takes no lock.
public struct WeightingFilter: Sendable {
  /// Sample rates accepted, Hz.
  public static let sampleRates = 8000.0...384_000.0

  /// Weighting that the filter applies.
  public let weighting: FrequencyWeighting

  @usableFromInline let isFlat: Bool
  @usableFromInline var outer: Biquad
  @usableFromInline var inner: Biquad
  @usableFromInline var top: Biquad

  /// Creates a filter at rest.
  ///
  /// - Parameter sampleRate: Hz, within ``sampleRates``.
  /// - Throws: ``AcousticsError`` for a sample rate out of range.
  public init(_ weighting: FrequencyWeighting, sampleRate: Double) throws(AcousticsError) {
    guard Self.sampleRates.contains(sampleRate) else {
      throw AcousticsError("sample rate \(sampleRate) Hz", expected: "8000 to 384000 Hz")
    }
    self.weighting = weighting
    isFlat = weighting == .z
    let (f1, f2, f3, f4) = FrequencyWeighting.poles
    outer = .highPass(f1, f1, sampleRate: sampleRate)
    inner = weighting == .a ? .highPass(f2, f3, sampleRate: sampleRate) : Biquad()
    top = .doublePoleLowPass(
      f4, sampleRate: sampleRate, matchedAt: 0.30 * sampleRate, and: 0.42 * sampleRate)
    let factor = 1 / magnitude(at: 2 * Double.pi * 1000 / sampleRate)
    outer.b0 *= factor
    outer.b1 *= factor
    outer.b2 *= factor
  }

  /// The next weighted sample. A sample that is not finite counts as silence, lest it stay in the filter.
  @inlinable public mutating func process(_ sample: Float) -> Float { Float(weighted(sample)) }

  /// Weights a block in place.
  @inlinable public mutating func process(_ samples: inout MutableSpan<Float>) {
    for n in 0..<samples.count { samples[n] = Float(weighted(samples[n])) }
  }

  /// The next weighted sample in the precision it is computed with.
  @inlinable mutating func weighted(_ sample: Float) -> Double {
    let x = sample.isFinite ? Double(sample) : 0
    return isFlat ? x : top.process(inner.process(outer.process(x)))
  }

  /// Forgets all past samples.
  public mutating func reset() {
    outer.reset()
    inner.reset()
    top.reset()
  }

  /// Magnitude at an angular frequency, radians per sample.
  func magnitude(at w: Double) -> Double {
    isFlat ? 1 : outer.magnitude(at: w) * inner.magnitude(at: w) * top.magnitude(at: w)
  }
}

/// Frequency weightings of sound level meters, IEC 61672-1.
public enum FrequencyWeighting: String, Sendable, CaseIterable, Codable {
  /// Follows the ear at low levels.
  case a = "A"
  /// Flat but for both ends.
  case c = "C"
  /// Flat.
  case z = "Z"

  /// Pole frequencies f1…f4 of IEC 61672-1 annex E, Hz. C has f1 and f4 twice each; A also f2 and f3.
  static let poles = (20.598997, 107.65265, 737.86223, 12_194.217)

  /// Design goal at a frequency, dB re 1 kHz.
  ///
  /// - Parameter frequency: Hz, positive.
  public func gain(at frequency: Double) -> Double {
    20 * log10(magnitude(at: frequency) / magnitude(at: 1000))
  }

  /// Magnitude of the analogue transfer function, not normalized.
  private func magnitude(at f: Double) -> Double {
    let (f1, f2, f3, f4) = Self.poles
    let square = f * f
    let c = square / ((square + f1 * f1) * (square + f4 * f4))
    return switch self {
    case .a: c * square / ((square + f2 * f2) * (square + f3 * f3)).squareRoot()
    case .c: c
    case .z: 1
    }
  }
}

/// A second-order recursive filter section in double precision, transposed direct form II.
///
/// H(z) = (b0 + b1 z⁻¹ + b2 z⁻²) / (1 + a1 z⁻¹ + a2 z⁻²).
///
/// - Threads: any, one at a time. Allocates nothing.
@usableFromInline struct Biquad: Sendable {
  @usableFromInline var b0 = 1.0
  @usableFromInline var b1 = 0.0
  @usableFromInline var b2 = 0.0
  @usableFromInline var a1 = 0.0
  @usableFromInline var a2 = 0.0
  @usableFromInline var s1 = 0.0
  @usableFromInline var s2 = 0.0

  @inlinable mutating func process(_ x: Double) -> Double {
    let y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    return y
  }

  mutating func reset() { (s1, s2) = (0, 0) }

  /// Magnitude at an angular frequency, radians per sample.
  func magnitude(at w: Double) -> Double {
    func square(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
      let re = c0 + c1 * cos(w) + c2 * cos(2 * w)
      let im = c1 * sin(w) + c2 * sin(2 * w)
      return re * re + im * im
    }
    return (square(b0, b1, b2) / square(1, a1, a2)).squareRoot()
  }

  /// Two first-order high-passes in a row, by the bilinear transform: exact at 0 Hz, flat at the top.
  ///
  /// Right for poles far below the sample rate, where the warping of the transform is not felt.
  static func highPass(_ first: Double, _ second: Double, sampleRate: Double) -> Biquad {
    // s/(s + p) with s = 2 fs (1 − z⁻¹)/(1 + z⁻¹): (1 − z⁻¹) / ((1 + k) − (1 − k) z⁻¹), k = π p / fs.
    let (k, l) = (Double.pi * first / sampleRate, Double.pi * second / sampleRate)
    let scale = 1 / ((1 + k) * (1 + l))
    let (r, q) = ((1 - k) / (1 + k), (1 - l) / (1 + l))
    return Biquad(b0: scale, b1: -2 * scale, b2: scale, a1: -(r + q), a2: r * q)
  }

  /// A double real pole, matched to the analogue magnitude 1 / (1 + (f / pole)²) at 0 Hz and two
  /// frequencies.
  ///
  /// The bilinear transform would push the response to zero at half the sample rate. Here the poles are
  /// those of the sampled impulse response, and the zeros are what brings the magnitude right where it is
  /// asked for. With s = sin²(ω/2), c = 1 − s, any numerator has |B|² = B0 c + B1 s + B2 · 4 c s, where B0
  /// = (b0 + b1 + b2)², B1 = (b0 − b1 + b2)², B2 = −4 b0 b2: three conditions, three unknowns. After M.
  /// Vicanek, "Matched Second Order Digital Filters" (2016).
  static func doublePoleLowPass(
    _ pole: Double, sampleRate: Double, matchedAt f: Double, and g: Double
  ) -> Biquad {
    let r = exp(-2 * Double.pi * pole / sampleRate)
    let (a1, a2) = (-2 * r, r * r)
    /// cos²(ω/2), sin²(ω/2) and four times their product at a frequency.
    func basis(_ frequency: Double) -> (c: Double, s: Double, cs: Double) {
      let sine = sin(Double.pi * frequency / sampleRate)
      let s = sine * sine
      return (1 - s, s, 4 * s * (1 - s))
    }
    /// |B|² wanted at a frequency: the analogue |H|² times |A|².
    func wanted(_ frequency: Double) -> Double {
      let (c, s, cs) = basis(frequency)
      let denominator = (1 + a1 + a2) * (1 + a1 + a2) * c + (1 - a1 + a2) * (1 - a1 + a2) * s - 4 * a2 * cs
      let ratio = frequency / pole
      return denominator / ((1 + ratio * ratio) * (1 + ratio * ratio))
    }
    let (x, y) = (basis(f), basis(g))
    let square0 = wanted(0)
    let (p, q) = (wanted(f) - square0 * x.c, wanted(g) - square0 * y.c)
    let determinant = x.s * y.cs - x.cs * y.s
    let square1 = (p * y.cs - q * x.cs) / determinant
    let square2 = (q * x.s - p * y.s) / determinant
    let sum = (square0.squareRoot() + square1.squareRoot()) / 2
    let b0 = (sum + (sum * sum + square2).squareRoot()) / 2
    return Biquad(
      b0: b0, b1: (square0.squareRoot() - square1.squareRoot()) / 2, b2: -square2 / (4 * b0), a1: a1, a2: a2
    )
  }
}
