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
        components.append(try readString(byte))
      } else {
        let name = take(while: \.isBareKey)
        guard !name.isEmpty else { throw unexpected("a key") }
        components.append(String(decoding: name, as: UTF8.self))
      }
      skipSpaces()
      guard byte == .dot else { return components }
      // Each dot is a table within a table, and readers visit them by recursion.
      try checkDepth(components.count + 1)
      advance()
    }
  }

  /// A string of any of the four kinds, which begins with `quote`.
  mutating func readString(_ quote: UInt8) throws(TOMLError) -> String {
    let fence = [quote, quote, quote]
    let isLong = starts(with: fence)
    let opening = self
    advance(isLong ? 3 : 1)
    // The line end right behind the opening is not part of the text.
    if isLong { _ = try skipNewline() }
    var content: [UInt8] = []
    while let byte {
      switch byte {
      case quote where !isLong || starts(with: fence):
        advance(isLong ? 3 : 1)
        // Up to two quotation marks before the closing three belong to the text.
        for _ in 0..<2 where isLong && take(quote) { content.append(quote) }
        return String(decoding: content, as: UTF8.self)
      case .backslash where quote == .quote: try readEscape(into: &content, isLong: isLong)
      case .newline, .carriageReturn:
        guard isLong else {
          throw opening.error("a string without an end", expected: "a closing quote on the same line")
        }
        if try skipNewline() { content.append(.newline) }
      default:
        guard byte.isText else { throw unexpected("text") }
        content.append(byte)
        advance()
      }
    }
    throw opening.error(
      "a string without an end", expected: isLong ? "three closing quotes" : "a closing quote")
  }

  /// Reads an escape sequence (TOML 1.0, "String").
  private mutating func readEscape(into content: inout [UInt8], isLong: Bool) throws(TOMLError) {
    let start = self
    advance()
    guard let letter = byte else { throw unexpected("an escape") }
    if isLong, " \t\n\r".utf8.contains(letter) {
      // At the end of a line it takes away all white space up to the next text.
      skipSpaces()
      guard try skipNewline() else { throw unexpected("the end of the line") }
      repeat { skipSpaces() } while try skipNewline()
      return
    }
    advance()
    if let byte = Self.escaped(letter) { return content.append(byte) }
    guard let digits = letter == UInt8(ascii: "u") ? 4 : letter == UInt8(ascii: "U") ? 8 : nil else {
      throw start.error(
        "an unknown escape", expected: "\\b, \\t, \\n, \\f, \\r, \\\", \\\\, \\uXXXX or \\UXXXXXXXX")
    }
    guard let value = takeHexadecimal(digits) else {
      throw start.error("an unfinished escape", expected: "\(digits) hexadecimal digits")
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw start.error("an escape that is no character", expected: "a Unicode scalar value")
    }
    content += String(scalar).utf8
  }
}
