/// A level or a gain at one frequency.
public struct SpectrumPoint: Sendable, Equatable {
  /// Hz.
  public var frequency: Double
  /// dB, of the kind that the curve says; not a number where nothing was measured.
  public var level: Double

  public init(frequency: Double, level: Double) {
    self.frequency = frequency
    self.level = level
  }

  var point: DataPoint { DataPoint(x: frequency, y: level) }
}
