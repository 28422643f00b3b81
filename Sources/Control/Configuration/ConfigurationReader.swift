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
    let day: CalendarDay? =
      switch value {
      case .day(let day): day
      case .string(let text): CalendarDay(text)
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
