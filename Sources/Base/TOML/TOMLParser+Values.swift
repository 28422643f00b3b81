extension TOMLParser {
  mutating func readValue(depth: Int) throws(TOMLError) -> TOMLValue {
    switch byte {
    case .quote, .apostrophe: return .string(try readString())
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
      if byte == .closeBracket { break }
      let line = self.line
      array.elements.append(TOMLNode(value: try readValue(depth: depth), line: line))
      try skipBlank()
      if byte == .comma {
        advance()
      } else if byte != .closeBracket {
        throw unexpected(", or ]")
      }
    }
    advance()
    return array
  }

  private mutating func readInlineTable(depth: Int) throws(TOMLError) -> TOMLTable {
    try checkDepth(depth)
    let table = TOMLTable(.inline, line: line)
    advance()
    skipSpaces()
    if byte == .closeBrace {
      advance()
      return table
    }
    while true {
      skipSpaces()
      try readPair(into: table, depth: depth)
      skipSpaces()
      if byte == .closeBrace { break }
      guard byte == .comma else { throw unexpected(", or }") }
      advance()
    }
    advance()
    return table.closed
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
    if let value = TOMLScalar.integer(bytes) ?? TOMLScalar.float(bytes) ?? TOMLScalar.date(bytes) {
      return value
    }
    let isWord = !bytes[0].isDigit && bytes[0] != UInt8(ascii: "+") && bytes[0] != UInt8(ascii: "-")
    let advice = isWord ? "a value; text stands in quotation marks" : "a number, a date, true or false"
    throw start.error(word.count > 40 ? "\(word.prefix(40))…" : word, expected: advice)
  }

  /// Between the day and the time a space may stand for the T.
  private func isDateSpace(after bytes: [UInt8]) -> Bool {
    byte == .space && bytes.count == 10 && bytes[4] == UInt8(ascii: "-") && peek(1)?.isDigit == true
  }
}

extension TOMLTable {
  /// The table with everything inside it finished: inline tables take nothing more.
  fileprivate var closed: TOMLTable {
    for key in keys {
      if case .table(let inner) = self[key]?.value, inner.origin == .dotted {
        inner.origin = .inline
        _ = inner.closed
      }
    }
    return self
  }
}

extension UInt8 {
  /// True for a byte of a number, boolean or date.
  fileprivate var isScalar: Bool {
    isBareKey || self == UInt8(ascii: "+") || self == UInt8(ascii: ".") || self == UInt8(ascii: ":")
  }
}

/// Reads numbers and dates in TOML's forms.
enum TOMLScalar {
  /// `+1_000`, `0xFF`, `0o17`, `0b101` (TOML 1.0, "Integer"); nil for anything else and for one that does
  /// not fit.
  static func integer(_ bytes: [UInt8]) -> TOMLValue? {
    let prefixes: [(letter: UInt8, radix: Int)] = [
      (UInt8(ascii: "x"), 16), (UInt8(ascii: "o"), 8), (UInt8(ascii: "b"), 2),
    ]
    if bytes.count > 2, bytes[0] == UInt8(ascii: "0"),
      let radix = prefixes.first(where: { $0.letter == bytes[1] })?.radix
    {
      guard let digits = digits(bytes[2...], radix: radix) else { return nil }
      return Int64(digits, radix: radix).map(TOMLValue.integer)
    }
    let sign = bytes.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } ?? false
    let body = bytes.dropFirst(sign ? 1 : 0)
    guard let digits = digits(body, radix: 10), isCanonical(body) else { return nil }
    return Int64((bytes.first == UInt8(ascii: "-") ? "-" : "") + digits).map(TOMLValue.integer)
  }

  /// `-3.14`, `5e+22`, `6.626e-34`, `1_000.5` (TOML 1.0, "Float"): a number of JSON that may have a plus,
  /// and underscores between its digits; nil for anything else.
  static func float(_ bytes: [UInt8]) -> TOMLValue? {
    let (plus, underscore) = (UInt8(ascii: "+"), UInt8(ascii: "_"))
    let isJoined = bytes.indices.allSatisfy { i in
      bytes[i] != underscore
        || i > 0 && bytes[i - 1].isDigit && i + 1 < bytes.count && bytes[i + 1].isDigit
    }
    let digits = bytes.filter { $0 != underscore }
    let number =
      digits.first == plus && digits.dropFirst().first?.isDigit == true ? digits.dropFirst() : digits[...]
    // Without a fraction or an exponent it is an integer, perhaps one that does not fit.
    let isInteger = !number.contains { $0 == .dot || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    guard isJoined, !isInteger, JSONNumber.isNumber(number) else { return nil }
    return Double(String(decoding: number, as: UTF8.self)).map(TOMLValue.float)
  }

  /// A day, a time, or both (RFC 3339, with T, t or a space between); nil for anything else.
  static func date(_ bytes: [UInt8]) -> TOMLValue? {
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.count >= 3, bytes[2] == UInt8(ascii: ":") {
      return isTime(bytes[...]) ? .moment(text) : nil
    }
    guard bytes.count >= 10,
      let day = CalendarDate(String(decoding: bytes[..<10], as: UTF8.self), years: 0...9999)
    else { return nil }
    if bytes.count == 10 { return .day(day) }
    guard [UInt8(ascii: "T"), UInt8(ascii: "t"), .space].contains(bytes[10]) else { return nil }
    var time = bytes[11...]
    if let last = time.last, last == UInt8(ascii: "Z") || last == UInt8(ascii: "z") {
      time = time.dropLast()
    } else if time.count > 6, let sign = time.dropLast(5).last,
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    {
      guard isClock(time.suffix(5), parts: 2) else { return nil }
      time = time.dropLast(6)
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
    guard bytes.count == parts * 3 - 1 else { return false }
    let limits = [23, 59, 60]
    for (i, part) in bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .enumerated()
    {
      guard i < parts, part.count == 2, part.allSatisfy(\.isDigit),
        let number = Int(String(decoding: part, as: UTF8.self)), number <= limits[i]
      else { return false }
    }
    return true
  }

  /// Digits without their underscores, each of which stands between two; nil when anything else is there.
  private static func digits(_ bytes: ArraySlice<UInt8>, radix: Int) -> String? {
    var digits = ""
    var wasDigit = false
    for byte in bytes {
      if byte == UInt8(ascii: "_") {
        guard wasDigit else { return nil }
        wasDigit = false
      } else {
        let character = Character(Unicode.Scalar(byte))
        guard let value = character.hexDigitValue, value < radix else { return nil }
        digits.append(character)
        wasDigit = true
      }
    }
    return wasDigit ? digits : nil
  }

  /// Without leading zeros.
  private static func isCanonical(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.count == 1 || digits.first != UInt8(ascii: "0")
  }
}
