/// A kind of number in the configuration: its unit, and the other units in which it may be written.
///
/// A bare number is in the base unit; a string may carry a unit, with or without a space: `"1.5 ms"`.
public struct Quantity: Sendable, Equatable {
  /// Base unit as shown after a number, empty for a ratio.
  public let unit: String
  /// Accepted spellings in small letters, with their size in base units as a power of ten.
  let spellings: [String: Int]

  public static let time = Quantity(
    unit: "s", spellings: ["s": 0, "ms": -3, "us": -6, "µs": -6, "μs": -6])
  public static let frequency = Quantity(
    unit: "Hz", spellings: ["hz": 0, "khz": 3])
  public static let soundPressureLevel = Quantity(
    unit: "dB SPL", spellings: ["dbspl": 0, "db": 0])
  public static let ratio = Quantity(unit: "", spellings: [":1": 0])
  public static let share = Quantity(unit: "", spellings: ["%": -2])
  public static let count = Quantity(unit: "", spellings: [:])
  public static let frames = Quantity(
    unit: "frames", spellings: ["frames": 0, "frame": 0])

  /// Reads `text`, a number with or without a unit.
  ///
  /// - Returns: The value in the base unit; nil when the number or the unit is not understood, or the
  ///   number is not finite.
  public func value(of text: String) -> Double? {
    let characters = text.filter { $0 != " " }
    let digits = characters.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
    var rest = characters.dropFirst(digits.count)
    var exponent = 0
    // "1e-3": an exponent belongs to the number.
    if rest.first == "e" || rest.first == "E" {
      let power = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || "+-".contains($0)) }
      guard let written = Int(power), (-399...399).contains(written) else { return nil }
      exponent = written
      rest = rest.dropFirst(1 + power.count)
    }
    if !rest.isEmpty {
      guard let size = spellings[rest.lowercased()] else { return nil }
      exponent += size
    }
    // Scaled as text, so that "1.1 ms" is the double nearest to 0.0011.
    guard let value = Double("\(digits)e\(exponent)"), value.isFinite else { return nil }
    return value
  }

  /// `value` with the unit, as short as exact: `0.005 s`, `44100 Hz`, `2`.
  public func text(_ value: Double) -> String {
    let number = Self.number(value)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }

  /// The shortest decimal that reads back as `value`, without a trailing `.0`.
  static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
