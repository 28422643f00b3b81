extension TOMLParser {
  /// A bare, quoted or dotted key, and the spaces behind it.
  mutating func readKey() throws(TOMLError) -> [String] {
    var components: [String] = []
    while true {
      skipSpaces()
      if let byte, byte == .quote || byte == .apostrophe {
        guard !starts(with: [byte, byte, byte]) else {
          throw error("a string of several lines", expected: "a key on one line")
        }
        components.append(try readString())
      } else {
        let start = position
        while let byte, byte.isBareKey { advance() }
        guard position > start else { throw unexpected("a key") }
        components.append(String(decoding: text[start..<position], as: UTF8.self))
      }
      skipSpaces()
      guard byte == .dot else { return components }
      // Each dot is a table within a table, and readers visit them by recursion.
      try checkDepth(components.count + 1)
      advance()
    }
  }

  /// A string of any of the four kinds.
  mutating func readString() throws(TOMLError) -> String {
    guard let quote = byte else { throw unexpected("a string") }
    let isLong = starts(with: [quote, quote, quote])
    let opening = self
    advance(isLong ? 3 : 1)
    // The line end right behind the opening is not part of the text.
    if isLong { _ = try skipNewline() }
    var content: [UInt8] = []
    while true {
      guard let byte else {
        throw opening.error(
          "a string without an end", expected: isLong ? "three closing quotes" : "a closing quote")
      }
      if byte == quote {
        if !isLong {
          advance()
          break
        }
        if starts(with: [quote, quote, quote]) {
          advance(3)
          // Up to two quotation marks before the closing three belong to the text.
          for _ in 0..<2 where self.byte == quote {
            content.append(quote)
            advance()
          }
          break
        }
      } else if byte == .backslash, quote == .quote {
        try readEscape(into: &content, isLong: isLong)
        continue
      } else if byte == .newline || byte == .carriageReturn {
        guard isLong else {
          throw opening.error("a string without an end", expected: "a closing quote on the same line")
        }
        guard try skipNewline() else { continue }
        content.append(.newline)
        continue
      } else if !byte.isText {
        throw unexpected("text")
      }
      content.append(byte)
      advance()
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// Reads an escape sequence (TOML 1.0, "String").
  private mutating func readEscape(into content: inout [UInt8], isLong: Bool) throws(TOMLError) {
    let start = self
    advance()
    guard let letter = byte else { throw unexpected("an escape") }
    if isLong, letter == .space || letter == .tab || letter == .newline || letter == .carriageReturn {
      // At the end of a line it takes away all white space up to the next text.
      skipSpaces()
      guard try skipNewline() else { throw unexpected("the end of the line") }
      repeat { skipSpaces() } while try skipNewline()
      return
    }
    advance()
    switch letter {
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "t"): content.append(.tab)
    case UInt8(ascii: "n"): content.append(.newline)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "r"): content.append(.carriageReturn)
    case .quote, .backslash: content.append(letter)
    case UInt8(ascii: "u"): content += try readScalarEscape(digits: 4, start)
    case UInt8(ascii: "U"): content += try readScalarEscape(digits: 8, start)
    default:
      throw start.error(
        "an unknown escape", expected: "\\b, \\t, \\n, \\f, \\r, \\\", \\\\, \\uXXXX or \\UXXXXXXXX")
    }
  }

  private mutating func readScalarEscape(digits: Int, _ start: TOMLParser) throws(TOMLError) -> [UInt8] {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw start.error("an unfinished escape", expected: "\(digits) hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      advance()
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw start.error("an escape that is no character", expected: "a Unicode scalar value")
    }
    return Array(String(Character(scalar)).utf8)
  }
}
