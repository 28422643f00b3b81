/// A range of dB as people type it: `-10..5`.
public struct RangeText: Sendable, Hashable {
  public let range: ClosedRange<Double>

  /// Nil when it is not two decimal numbers in order with two points between them.
  public init?(_ text: String) {
    guard let cut = text.firstRange(of: ".."),
      let low = DecimalText.number(text[..<cut.lowerBound]),
      let high = DecimalText.number(text[cut.upperBound...]),
      low <= high
    else { return nil }
    range = low...high
  }
}
