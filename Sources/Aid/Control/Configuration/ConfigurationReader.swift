import Base

/// Takes values out of a parsed document one by one and notes every problem on the way.
struct ConfigurationReader {
  private let document: TOMLTable
  /// Folder that relative paths start from; nil: the working directory.
  private let folder: String?
  /// Everything wrong so far.
  private(set) var problems: [ConfigurationProblem] = []
  /// Keys that the document sets, with their lines.
  private(set) var origins: [String: Int] = [:]

  init(_ document: TOMLTable, folder: String?) {
    self.document = document
    self.folder = folder
  }

  // MARK: - Kinds of value

  mutating func number(
    _ key: String, _ quantity: Quantity, _ range: ClosedRange<Double>, _ accepts: String
  ) -> Double? {
    guard let value = value(at: key) else { return nil }
    guard let number = Self.number(value, quantity), range.contains(number) else {
      note(key, found: Self.describe(value, quantity), expected: accepts)
      return nil
    }
    return number
  }

  /// A whole number, or with `rate` (Hz) a time, turned into the nearest number of frames.
  mutating func whole(
    _ key: String, _ quantity: Quantity, _ range: ClosedRange<Int>, rate: Int?, _ accepts: String
  ) -> Int? {
    guard let value = value(at: key) else { return nil }
    var number = Self.number(value, quantity).flatMap(Int.init(exactly:))
    if number == nil, let rate, case .string(let text) = value, let time = Quantity.time.value(of: text) {
      number = Int(exactly: (time * Double(rate)).rounded())
    }
    guard let number, range.contains(number) else {
      note(key, found: Self.describe(value, quantity), expected: accepts)
      return nil
    }
    return number
  }

  mutating func oneOf(_ key: String, _ quantity: Quantity, _ values: [Int], _ accepts: String) -> Int? {
    guard let value = value(at: key) else { return nil }
    guard let number = Self.number(value, quantity).flatMap(Int.init(exactly:)), values.contains(number)
    else {
      note(key, found: Self.describe(value, quantity), expected: accepts)
      return nil
    }
    return number
  }

  mutating func word(_ key: String, _ words: [String], _ accepts: String) -> String? {
    guard let value = value(at: key) else { return nil }
    guard case .string(let word) = value else {
      note(key, found: Self.describe(value), expected: accepts)
      return nil
    }
    // Case does not distinguish any two words: "nal-r" is understood.
    guard let match = words.first(where: { $0.lowercased() == word.lowercased() }) else {
      let hint = Spelling.nearest(to: word, among: words).map { "Did you mean \"\($0)\"?" }
      note(key, found: Self.describe(value), expected: accepts, hint: hint)
      return nil
    }
    return match
  }

  mutating func text(_ key: String, isPath: Bool, _ accepts: String) -> String? {
    guard let value = value(at: key) else { return nil }
    guard case .string(let text) = value, !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else {
      note(key, found: Self.describe(value), expected: accepts)
      return nil
    }
    guard isPath, !text.hasPrefix("/"), let folder else { return text }
    return folder + "/" + text
  }

  /// A number or an array of numbers, each in `range`.
  mutating func numbers(
    _ key: String, _ quantity: Quantity, _ range: ClosedRange<Double>, counts: ClosedRange<Int>,
    increasing: Bool, _ accepts: String
  ) -> [Double]? {
    guard let value = value(at: key) else { return nil }
    guard case .array(let array) = value else {
      guard counts.contains(1), let number = Self.number(value, quantity), range.contains(number) else {
        note(key, found: Self.describe(value, quantity), expected: accepts)
        return nil
      }
      return [number]
    }
    guard counts.contains(array.elements.count) else {
      note(key, found: English.count(array.elements.count, "value"), expected: accepts)
      return nil
    }
    var numbers: [Double] = []
    for element in array.elements {
      guard let number = Self.number(element.value, quantity), range.contains(number) else {
        note(key, line: element.line, found: Self.describe(element.value, quantity), expected: accepts)
        return nil
      }
      if increasing, let last = numbers.last, number <= last {
        let found = "\(quantity.text(number)) after \(quantity.text(last))"
        note(key, line: element.line, found: found, expected: accepts)
        return nil
      }
      numbers.append(number)
    }
    return numbers
  }

  /// A day, as a TOML date or a string of the same form.
  mutating func date(_ key: String, _ accepts: String) -> String? {
    guard let value = value(at: key) else { return nil }
    let day: CalendarDate? =
      switch value {
      case .day(let day): day
      case .string(let text): CalendarDate(text)
      default: nil
      }
    guard let day else {
      note(key, found: Self.describe(value), expected: accepts)
      return nil
    }
    return day.description
  }

  /// Whether the document sets `key`, rightly or wrongly.
  func has(_ key: String) -> Bool { origins[key] != nil }

  // MARK: - Problems

  /// Notes a problem with `key`, or with the element of its array on `line`.
  mutating func note(
    _ key: String, line: Int? = nil, found: String, expected: String, hint: String? = nil
  ) {
    note(line: line ?? origins[key], key, found: "\(key) = \(found)", expected: expected, hint: hint)
  }

  mutating func note(line: Int?, _ key: String, found: String, expected: String, hint: String?) {
    problems.append(
      ConfigurationProblem(line: line, key: key, found: found, expected: expected, hint: hint))
  }

  // MARK: - Access

  private mutating func value(at key: String) -> TOMLValue? {
    let path = key.split(separator: ".").map(String.init)
    var table = document
    for component in path.dropLast() {
      guard case .table(let next) = table[component]?.value else { return nil }
      table = next
    }
    guard let name = path.last, let node = table[name] else { return nil }
    origins[key] = table.line(of: name)
    return node.value
  }

  private static func number(_ value: TOMLValue, _ quantity: Quantity) -> Double? {
    switch value {
    case .integer(let integer): Double(integer)
    case .float(let float): float.isFinite ? float : nil
    case .string(let text): quantity.value(of: text)
    default: nil
    }
  }
}

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
  package static let frequency = Quantity(
    unit: "Hz", spellings: ["hz": 0, "khz": 3])
  package static let soundPressureLevel = Quantity(
    unit: "dB SPL", spellings: ["dbspl": 0, "db": 0])
  package static let ratio = Quantity(unit: "", spellings: [":1": 0])
  package static let share = Quantity(unit: "", spellings: ["%": -2])
  package static let count = Quantity(unit: "", spellings: [:])
  package static let frames = Quantity(
    unit: "frames", spellings: ["frames": 0, "frame": 0])

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
}

extension ConfigurationReader {
  /// A value as it is shown in a message: the number with its unit, the string in quotation marks, or the
  /// kind of value.
  static func describe(_ value: TOMLValue, _ quantity: Quantity? = nil) -> String {
    switch value {
    case .integer(let integer): quantity?.text(Double(integer)) ?? String(integer)
    case .float(let float): quantity?.text(float) ?? NumberText.exact(float)
    case .string(let text): TOMLText.literal(String(text.prefix(80)))
    case .boolean(let boolean): boolean ? "true" : "false"
    case .array: "an array"
    case .table: "a table"
    case .day(let day): day.description
    case .moment(let text): text
    }
  }
}
