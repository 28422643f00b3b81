import Glibc

/// A notch that takes a measurement's own tone out of a microphone's sound, so that the level of the room can be watched while the tone sounds.
///
/// A tone that is pulsed and warbled is a band: its frequency goes up and down, and its edges spread it. So the notch is a band-stop, an
/// inverse Chebyshev filter of six notches in a row (each a biquad) by the bilinear transform, with ``attenuation`` between its edges. What it
/// takes from the room's noise is its bias: with tones of 125 Hz to 8 kHz an A-weighted level of white or pink noise reads at most 0.35 dB too low.
/// A leak of 65 dB SPL beside a room at 35 dB(A) raises it by 0.2 dB at most.
///
/// - Threads: any, one at a time; processing takes no lock, and allocates only where the value was copied.
public struct ToneNotch: Sendable {
  /// Middle of the tone, Hz.
  public let frequency: Double
  /// Attenuation between the edges, dB. Own choice: a tone 30 dB above the room falls 12 dB below it, edges included.
  public static let attenuation = 42.0
  /// Share by which a usual warble goes up and down (IEC 60645-1 has 5 %, from memory).
  public static let usualWarble = 0.05
  /// Room for the edges of pulses on both sides, Hz: raised cosines of 20 ms spread little of a tone further. Own choice.
  static let reach = 25.0
  /// Edges accepted: lowest, Hz, and highest, as a share of the sample rate. Own choices.
  static let (lowestEdge, highestEdge) = (20.0, 0.45)
  /// Notches, an even number: more make the edges steeper, and the bias smaller.
  private static let order = 6

  @usableFromInline var sections: [Biquad]

  /// Creates a notch at rest.
  ///
  /// - Parameters:
  ///   - frequency: Middle of the tone, Hz.
  ///   - sampleRate: Hz, within ``WeightingFilter/sampleRates``.
  ///   - warble: Share by which the frequency goes up and down; 0 for a steady one.
  /// - Throws: ``AcousticsError`` for a sample rate out of range, and for a tone that the notch does not fit.
  public init(
    frequency: Double, sampleRate: Double, warble: Double = usualWarble
  ) throws(AcousticsError) {
    guard WeightingFilter.sampleRates.contains(sampleRate) else {
      throw AcousticsError("sample rate \(sampleRate) Hz", expected: "8000 to 384000 Hz")
    }
    guard (0...0.5).contains(warble) else {
      throw AcousticsError("a warble of \(warble)", expected: "0 to 0.5")
    }
    let (low, high) = (frequency * (1 - warble) - Self.reach, frequency * (1 + warble) + Self.reach)
    guard low >= Self.lowestEdge, high <= Self.highestEdge * sampleRate else {
      throw AcousticsError(
        "a notch at \(frequency) Hz",
        expected: "edges of \(Int(Self.lowestEdge)) to \(Int(Self.highestEdge * sampleRate)) Hz")
    }
    self.frequency = frequency
    sections = Self.sections(
      from: tan(.pi * low / sampleRate), to: tan(.pi * high / sampleRate))
  }

  /// The next sample without the tone. A sample that is not finite counts as silence.
  @inlinable public mutating func process(_ sample: Float) -> Float {
    var value = sample.isFinite ? Double(sample) : 0
    for index in sections.indices { value = sections[index].process(value) }
    return Float(value)
  }

  /// Takes the tone out of a block.
  @inlinable public mutating func process(_ samples: inout MutableSpan<Float>) {
    for n in 0..<samples.count { samples[n] = process(samples[n]) }
  }

  /// Forgets all past samples.
  public mutating func reset() {
    for index in sections.indices { sections[index].reset() }
  }

  /// Magnitude at a frequency, Hz.
  func magnitude(at frequency: Double, sampleRate: Double) -> Double {
    sections.reduce(1) { $0 * $1.magnitude(at: 2 * .pi * frequency / sampleRate) }
  }

  // MARK: - Design

  /// Sections between edges as the bilinear transform needs them, tan(π f / fs).
  ///
  /// The low-pass has zeros ±j/sin θ and poles 1/(−sinh μ cos θ ∓ j cosh μ sin θ), θ = π/2n, 3π/2n, …, μ = arsinh(√(10^(A/10) − 1))/n (inverse
  /// Chebyshev; Oppenheim & Schafer, Discrete-Time Signal Processing, from memory). s becomes width·s / (s² + square), which makes two
  /// of each.
  private static func sections(from low: Double, to high: Double) -> [Biquad] {
    let (square, width) = (low * high, high - low)
    let mu = asinh((pow(10, attenuation / 10) - 1).squareRoot()) / Double(order)
    var sections: [Biquad] = []
    for pair in 0..<order / 2 {
      let angle = .pi * Double(2 * pair + 1) / Double(2 * order)
      // Zeros: s = ±jω with ω² ∓ width · sin θ · ω − square = 0.
      let half = width * sin(angle) / 2
      let root = (half * half + square).squareRoot()
      // Poles: s² − (a + jb) s + square = 0, and their conjugates; the products of both are the square.
      let (a, b) = (-width * sinh(mu) * cos(angle), -width * cosh(mu) * sin(angle))
      let (real, imaginary) = squareRoot(a * a - b * b - 4 * square, 2 * a * b)
      let first = Self.poles((a + real) / 2, (b + imaginary) / 2)
      let second = Self.poles((a - real) / 2, (b - imaginary) / 2)
      let (lower, upper) = first.product < second.product ? (first, second) : (second, first)
      sections.append(section(zero: root - half, lower))
      sections.append(section(zero: root + half, upper))
    }
    return sections
  }

  /// Square root of a complex number.
  private static func squareRoot(_ real: Double, _ imaginary: Double) -> (Double, Double) {
    let length = (real * real + imaginary * imaginary).squareRoot()
    return (
      ((length + real) / 2).squareRoot(), (imaginary < 0 ? -1.0 : 1) * ((length - real) / 2).squareRoot()
    )
  }

  /// Sum and product of a pole and its conjugate.
  private static func poles(_ real: Double, _ imaginary: Double) -> (sum: Double, product: Double) {
    (2 * real, real * real + imaginary * imaginary)
  }

  /// (s² + zero²) / (s² − sum·s + product) by s = (1 − z⁻¹)/(1 + z⁻¹).
  private static func section(zero: Double, _ poles: (sum: Double, product: Double)) -> Biquad {
    let scale = 1 / (1 - poles.sum + poles.product)
    let square = zero * zero
    return Biquad(
      b0: (1 + square) * scale, b1: 2 * (square - 1) * scale, b2: (1 + square) * scale,
      a1: 2 * (poles.product - 1) * scale, a2: (1 + poles.sum + poles.product) * scale)
  }
}
