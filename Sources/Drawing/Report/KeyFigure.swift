/// A number worth reading out, such as "Gain error" "0.4 dB".
public struct KeyFigure: Sendable, Equatable {
  public var name: String
  /// The number with its unit.
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
