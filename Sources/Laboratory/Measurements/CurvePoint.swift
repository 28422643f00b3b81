import Acoustics

/// One value of a curve.
public struct CurvePoint: Sendable, Equatable {
  /// Hz, or dB SPL of the input of an input–output curve.
  public var x: Double
  /// What was read there.
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A curve between its points.
enum Curve {
  /// Value at a frequency, linear over log frequency, held at the ends.
  static func value(_ curve: [CurvePoint], at frequency: Double) -> Double {
    LogFrequencyTable(curve.map(\.x), curve.map(\.y)).held(at: frequency)
  }
}
