extension TOMLParser {
  mutating func readValue(depth: Int) throws(TOMLError) -> TOMLValue {
    switch byte {
    case let quote? where quote == .quote || quote == .apostrophe: return .string(try readString(quote))
    case .openBracket: return .array(try readArray(depth: depth + 1))
    case .openBrace: return .table(try readInlineTable(depth: depth + 1))
    default: return try readScalar()
    }
  }

  private mutating func readArray(depth: Int) throws(TOMLError) -> TOMLArray {
    try checkDepth(depth)
    let array = TOMLArray(isOfTables: false)
    advance()
    while true {
      try skipBlank()
      if take(.closeBracket) { return array }
      let line = position.line
      array.elements.append(TOMLNode(value: try readValue(depth: depth), line: line))
      try skipBlank()
      guard take(.comma) || byte == .closeBracket else { throw unexpected(", or ]") }
    }
  }

  /// A table in braces, which is finished with them: every way to what is in it leads through it.
  private mutating func readInlineTable(depth: Int) throws(TOMLError) -> TOMLTable {
    try checkDepth(depth)
    let table = TOMLTable(.inline, line: position.line)
    advance()
    skipSpaces()
    if take(.closeBrace) { return table }
    repeat {
      skipSpaces()
      try readPair(into: table, depth: depth)
      skipSpaces()
    } while take(.comma)
    guard take(.closeBrace) else { throw unexpected(", or }") }
    return table
  }

  /// Refuses nesting that would take a reader's whole stack.
  func checkDepth(_ depth: Int) throws(TOMLError) {
    guard depth <= Self.deepestNesting else {
      throw error("more than \(Self.deepestNesting) levels of nesting", expected: "fewer")
    }
  }

  // MARK: - Numbers, booleans, dates

  private mutating func readScalar() throws(TOMLError) -> TOMLValue {
    let start = self
    var bytes: [UInt8] = []
    while let byte, byte.isScalar || isDateSpace(after: bytes) {
      bytes.append(byte)
      advance()
    }
    guard !bytes.isEmpty else { throw start.unexpected("a value") }
    let word = String(decoding: bytes, as: UTF8.self)
    switch word {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "inf", "+inf": return .float(.infinity)
    case "-inf": return .float(-.infinity)
    case "nan", "+nan", "-nan": return .float(.nan)
    default: break
    }
    if let value = TOMLScalar.number(bytes) ?? TOMLScalar.date(bytes) { return value }
    let isWord = !bytes[0].isDigit && !"+-".utf8.contains(bytes[0])
    let advice = isWord ? "a value; text stands in quotation marks" : "a number, a date, true or false"
    throw start.error(word.count > 40 ? "\(word.prefix(40))…" : word, expected: advice)
  }

  /// Between the day and the time a space may stand for the T.
  private func isDateSpace(after bytes: [UInt8]) -> Bool {
    byte == .space && bytes.count == 10 && bytes[4] == UInt8(ascii: "-") && peek(1)?.isDigit == true
  }
}

extension UInt8 {
  /// True for a byte of a number, boolean or date.
  fileprivate var isScalar: Bool { isBareKey || "+.:".utf8.contains(self) }
}

/// Reads numbers and dates in TOML's forms.
enum TOMLScalar {
  /// A number of JSON that may have a plus, or one with another radix, either with underscores between its
  /// digits: `+1_000`, `0xFF`, `6.626e-34` (TOML 1.0, "Integer", "Float"); nil for anything else and for an
  /// integer that does not fit.
  static func number(_ bytes: [UInt8]) -> TOMLValue? {
    let radices = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2]
    let prefix = bytes.count > 2 && bytes[0] == UInt8(ascii: "0") ? radices[bytes[1]] : nil
    let radix = prefix ?? 10
    func isDigit(at index: Int) -> Bool {
      bytes.indices.contains(index)
        && (Character(Unicode.Scalar(bytes[index])).hexDigitValue ?? radix) < radix
    }
    let isJoined = bytes.indices.allSatisfy {
      bytes[$0] != UInt8(ascii: "_") || isDigit(at: $0 - 1) && isDigit(at: $0 + 1)
    }
    guard isJoined, prefix == nil || isDigit(at: 2) else { return nil }
    let digits = bytes.filter { $0 != UInt8(ascii: "_") }
    if prefix != nil {
      return Int64(String(decoding: digits.dropFirst(2), as: UTF8.self), radix: radix).map(
        TOMLValue.integer)
    }
    let number = digits.first == UInt8(ascii: "+") && isDigit(at: 1) ? digits.dropFirst() : digits[...]
    guard JSONNumber.isNumber(number) else { return nil }
    let text = String(decoding: number, as: UTF8.self)
    let isInteger = number.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
    return isInteger ? Int64(text).map(TOMLValue.integer) : Double(text).map(TOMLValue.float)
  }

  /// A day, a time, or both (RFC 3339, with T, t or a space between); nil for anything else.
  static func date(_ bytes: [UInt8]) -> TOMLValue? {
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.count >= 3, bytes[2] == UInt8(ascii: ":") { return isTime(bytes[...]) ? .moment(text) : nil }
    guard let day = CalendarDate(text.prefix(10), years: 0...9999) else { return nil }
    if bytes.count == 10 { return .day(day) }
    guard "Tt ".utf8.contains(bytes[10]) else { return nil }
    var time = bytes[11...]
    if let last = time.last, "Zz".utf8.contains(last) {
      time.removeLast()
    } else if time.count > 6, "+-".utf8.contains(time[time.endIndex - 6]) {
      guard isClock(time.suffix(5), parts: 2) else { return nil }
      time.removeLast(6)
    }
    return isTime(time) ? .moment(text) : nil
  }

  /// `07:32:00` with any fraction of a second.
  private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard isClock(bytes.prefix(8), parts: 3) else { return false }
    let fraction = bytes.dropFirst(8)
    if fraction.isEmpty { return true }
    return fraction.first == .dot && fraction.count > 1 && fraction.dropFirst().allSatisfy(\.isDigit)
  }

  /// `07:32` or `07:32:00`; a leap second counts as 60.
  private static func isClock(_ bytes: ArraySlice<UInt8>, parts: Int) -> Bool {
    let numbers = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return numbers.count == parts
      && zip(numbers, [23, 59, 60]).allSatisfy { number, limit in
        number.count == 2 && number.allSatisfy(\.isDigit)
          && Int(String(decoding: number, as: UTF8.self)).map { $0 <= limit } == true
      }
  }
}
