/// Bins of a real signal's transform.
public struct FourierSpectrum: Sendable {
  public var real: [Double]
  public var imaginary: [Double]

  /// All bins 0.
  public init(count: Int) {
    real = Array(repeating: 0, count: count)
    imaginary = real
  }

  /// |X[k]|².
  public func power(_ k: Int) -> Double { real[k] * real[k] + imaginary[k] * imaginary[k] }
}
