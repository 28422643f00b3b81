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
