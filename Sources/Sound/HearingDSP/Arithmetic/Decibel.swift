/// Level arithmetic in single precision without libm: branch-free, so that loops over bands vectorise.
///
/// - Threads: `any`; allocates nothing.
enum Decibel {
  /// dB per octave of power: 10·log10(2).
  static let perPowerDoubling: Float = 3.010_299_957
  /// Nepers per dB of amplitude: ln(10)/20.
  static let nepers: Float = 0.115_129_254_6

  /// Power in dB: `10·log10(power)`.
  ///
  /// The exponent is read from the bits, log2 of the mantissa m in [1, 2) from the polynomial in
  /// ``logarithmOfMantissa(_:)``; error below 0.0001 dB.
  ///
  /// - Parameter power: Positive and normal; the caller adds a floor.
  @inline(__always)
  static func fromPower(_ power: Float) -> Float {
    let bits = power.bitPattern
    let exponent = Float(truncatingIfNeeded: bits &>> 23) - 127
    let mantissa = Float(bitPattern: (bits & 0x007F_FFFF) | 0x3F80_0000)
    return perPowerDoubling * (exponent + logarithmOfMantissa(mantissa))
  }

  /// Ratio of powers for a level in dB: `10^(level/10)`, relative error below 3e-6.
  @inline(__always)
  static func toPower(_ level: Float) -> Float { ComplexExponential.magnitude(level / perPowerDoubling) }

  /// Square root of a number that is not negative, to within 0.02 %: half of its logarithm.
  @inline(__always)
  static func squareRoot(_ square: Float) -> Float {
    ComplexExponential.magnitude(0.5 * fromPower(square + 1e-20) / perPowerDoubling)
  }

  /// log2 of m in [1, 2): minimax polynomial of degree 6 in (m − 1), exact at both ends, fitted in double
  /// precision by iteratively reweighted least squares (Lawson); greatest error 2.2e-6, that is 6.7e-6 dB.
  @inline(__always)
  private static func logarithmOfMantissa(_ mantissa: Float) -> Float {
    let t = mantissa - 1
    var p: Float = -0.02584142
    p = p * t + 0.12179782
    p = p * t + -0.27790524
    p = p * t + 0.45754915
    p = p * t + -0.71814525
    p = p * t + 1.44254494
    return p * t
  }
}

extension Float {
  /// Conversion of a small non-negative integer without the trap check that blocks vectorisation.
  @inline(__always)
  fileprivate init(truncatingIfNeeded value: UInt32) {
    self = Float(bitPattern: value | 0x4B00_0000) - 8_388_608  // 2²³ + value, exact below 2²³
  }
}
