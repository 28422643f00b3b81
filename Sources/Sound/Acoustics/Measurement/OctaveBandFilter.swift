import Glibc

/// An octave-band filter, class 1 of IEC 61260-1 (limits from memory) for bands whose upper edge lies below 0.3 of the sample rate.
///
/// A Butterworth band-pass of the fourth order by the bilinear transform, both edges where they belong: 10^(±0.15) times the middle. The
/// third order would do for an analogue filter; the transform makes the lower skirt of high bands 2 dB flatter than class 1 has it.
///
/// - Threads: any, one at a time; processing allocates nothing and takes no lock.
public struct OctaveBandFilter: Sendable {
  /// Nominal middles, Hz, of bands that a room is judged by.
  public static let nominalCentres = [125.0, 250, 500, 1000, 2000, 4000, 8000]
  /// Ratio of octaves in base ten (IEC 61260-1).
  static let ratio = pow(10, 0.3)
  /// Highest upper edge, as a share of the sample rate.
  public static let greatestEdge = 0.3

  /// The exact middle, Hz: 1000 Hz times a power of 10^0.3.
  public let centre: Double

  @usableFromInline var first: Biquad
  @usableFromInline var second: Biquad
  @usableFromInline var third: Biquad
  @usableFromInline var fourth: Biquad

  /// Creates a filter at rest.
  ///
  /// - Parameters:
  ///   - nominal: Middle by its usual name, Hz; the nearest exact one is taken.
  ///   - sampleRate: Hz, within ``WeightingFilter/sampleRates``.
  /// - Throws: ``AcousticsError`` for a sample rate out of range, and for a band too high for it.
  public init(nominal: Double, sampleRate: Double) throws(AcousticsError) {
    guard WeightingFilter.sampleRates.contains(sampleRate) else {
      throw AcousticsError("sample rate \(sampleRate) Hz", expected: "8000 to 384000 Hz")
    }
    guard nominal > 0, nominal.isFinite else {
      throw AcousticsError("a band at \(nominal) Hz", expected: "a frequency")
    }
    centre = 1000 * pow(Self.ratio, (log(nominal / 1000) / log(Self.ratio)).rounded())
    let edges = (centre / Self.ratio.squareRoot(), centre * Self.ratio.squareRoot())
    guard edges.1 <= Self.greatestEdge * sampleRate else {
      throw AcousticsError(
        "the octave band at \(nominal.shortText) Hz",
        expected: "an upper edge of at most \((Self.greatestEdge * sampleRate).shortText) Hz")
    }
    // Edges as the bilinear transform needs them: tan(π f / fs).
    let (low, high) = (tan(.pi * edges.0 / sampleRate), tan(.pi * edges.1 / sampleRate))
    let (square, width) = (low * high, high - low)
    let middle = 2 * atan(square.squareRoot())
    // Poles of the low-pass: e^(±5πi/8) and e^(±7πi/8).
    (first, second) = Self.sections(.pi * 5 / 8, square: square, width: width)
    (third, fourth) = Self.sections(.pi * 7 / 8, square: square, width: width)
    let factor = 1 / gain(at: middle)
    first.b0 *= factor
    first.b2 *= factor
  }

  /// The next sample of the band. A sample that is not finite counts as silence.
  @inlinable mutating func filtered(_ sample: Float) -> Double {
    fourth.process(third.process(second.process(first.process(sample.isFinite ? Double(sample) : 0))))
  }

  /// Forgets all past samples.
  public mutating func reset() {
    first.reset()
    second.reset()
    third.reset()
    fourth.reset()
  }

  /// Magnitude at a frequency, Hz.
  func magnitude(at frequency: Double, sampleRate: Double) -> Double {
    gain(at: 2 * .pi * frequency / sampleRate)
  }

  /// Magnitude at an angular frequency, radians per sample.
  private func gain(at w: Double) -> Double {
    first.magnitude(at: w) * second.magnitude(at: w) * third.magnitude(at: w) * fourth.magnitude(at: w)
  }

  /// Sections of the two pairs of poles that a pair of the low-pass becomes, e^(±iφ): s² − e^(iφ)·width·s + square = 0.
  private static func sections(_ angle: Double, square: Double, width: Double) -> (Biquad, Biquad) {
    // Half the sum of the two roots, and the root of what is below it.
    let (a, b) = (cos(angle) * width / 2, sin(angle) * width / 2)
    let (u, v) = (a * a - b * b - square, 2 * a * b)
    let length = (u * u + v * v).squareRoot()
    let (x, y) = (((length + u) / 2).squareRoot(), (v < 0 ? -1.0 : 1) * ((length - u) / 2).squareRoot())
    func pair(_ real: Double, _ imaginary: Double) -> Biquad {
      section(sum: 2 * real, product: real * real + imaginary * imaginary)
    }
    return (pair(a + x, b + y), pair(a - x, b - y))
  }

  /// s / (s² − sum·s + product) by s = (1 − z⁻¹)/(1 + z⁻¹).
  private static func section(sum: Double, product: Double) -> Biquad {
    let scale = 1 / (1 - sum + product)
    return Biquad(
      b0: scale, b1: 0, b2: -scale, a1: 2 * (product - 1) * scale, a2: (1 + sum + product) * scale)
  }
}
