import Base

/// A kind of number in the configuration: its unit, and the other units in which it may be written.
///
/// A bare number is in the base unit; a string may carry a unit, with or without a space: `"1.5 ms"`.
package struct Quantity: Sendable, Equatable {
  /// Base unit as shown after a number, empty for a ratio.
  package let unit: String
  /// Accepted spellings in small letters, with their size in base units as a power of ten.
  let spellings: [String: Int]

  package static let time = Quantity(
    unit: "s", spellings: ["s": 0, "ms": -3, "us": -6, "µs": -6, "μs": -6])
  package static let frequency = Quantity(unit: "Hz", spellings: ["hz": 0, "khz": 3])
  package static let soundPressureLevel = Quantity(unit: "dB SPL", spellings: ["dbspl": 0, "db": 0])
  package static let decibels = Quantity(unit: "dB", spellings: ["db": 0])
  package static let ratio = Quantity(unit: "", spellings: [":1": 0])
  package static let share = Quantity(unit: "", spellings: ["%": -2])
  package static let count = Quantity(unit: "", spellings: [:])
  package static let frames = Quantity(unit: "frames", spellings: ["frames": 0, "frame": 0])

  /// Reads `text`, a number with or without a unit.
  ///
  /// - Returns: The value in the base unit; nil when the number or the unit is not understood, or the
  ///   number is not finite.
  package func value(of text: String) -> Double? {
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
  package func text(_ value: Double) -> String {
    let number = NumberText.exact(value)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }

  /// A number of a TOML document in the base unit; nil when it is not one, not finite or out of `range`.
  func number(_ value: TOMLValue, in range: ClosedRange<Double>) -> Double? {
    let number: Double? =
      switch value {
      case .integer(let integer): Double(integer)
      case .float(let float): float
      case .string(let text): self.value(of: text)
      default: nil
      }
    return number.flatMap { range.contains($0) ? $0 : nil }
  }

  /// `0.001 to 0.5 s, bare or with its unit, such as "20 ms"`.
  func accepts(_ range: ClosedRange<Double>) -> String {
    let numbers = "\(NumberText.exact(range.lowerBound)) to \(text(range.upperBound))"
    switch self {
    case .time: return numbers + ", bare or with its unit, such as \"20 ms\""
    case .count: return "a whole number, " + numbers
    default: return numbers
    }
  }
}

extension TOMLValue {
  /// The value as a message shows it: the number with its unit, the string in quotation marks, or the kind of value.
  func shown(_ quantity: Quantity? = nil) -> String {
    switch self {
    case .integer(let integer): quantity?.text(Double(integer)) ?? String(integer)
    case .float(let float): quantity?.text(float) ?? NumberText.exact(float)
    case .string(let text): TOMLParser.literal(String(text.prefix(80)))
    case .boolean(let boolean): boolean ? "true" : "false"
    case .array: "an array"
    case .table: "a table"
    case .day(let day): day.description
    case .moment(let text): text
    }
  }
}
