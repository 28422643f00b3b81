extension JSONText {
  /// Nesting beyond which text is refused, lest a crafted file exhaust the stack.
  static let greatestDepth = 16

  /// Reads a whole JSON text (RFC 8259).
  ///
  /// - Throws: ``JSONTextError`` at the first character that does not fit.
  init(parsing text: String) throws(JSONTextError) {
    var reader = Reader(text)
    self = try reader.value(depth: 0)
    reader.skipSpace()
    if reader.next != nil { throw reader.failure("something follows the end") }
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: String) { bytes = Array(text.utf8) }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func failure(_ reason: String) -> JSONTextError { JSONTextError(line: line, reason: reason) }

    mutating func skipSpace() {
      while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { advance() }
    }

    private mutating func advance() {
      if bytes[position] == 0x0A { line += 1 }
      position += 1
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
      guard let next, next == UInt8(ascii: byte) else { return false }
      advance()
      return true
    }

    mutating func value(depth: Int) throws(JSONTextError) -> JSONText {
      guard depth <= JSONText.greatestDepth else { throw failure("nested too deeply") }
      skipSpace()
      let start = line
      guard let first = next else { throw failure("the text ends where a value is expected") }
      switch first {
      case UInt8(ascii: "{"): return JSONText(value: .object(try members(depth: depth)), line: start)
      case UInt8(ascii: "["): return JSONText(value: .array(try elements(depth: depth)), line: start)
      case UInt8(ascii: "\""): return JSONText(value: .string(try string()), line: start)
      default: return JSONText(value: try word(), line: start)
      }
    }

    private mutating func members(depth: Int) throws(JSONTextError) -> [Member] {
      var members: [Member] = []
      advance()
      skipSpace()
      if take("}") { return members }
      while true {
        skipSpace()
        let start = line
        guard next == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes") }
        let key = try string()
        skipSpace()
        guard take(":") else { throw failure("expected a colon after \"\(key)\"") }
        members.append(Member(key: key, line: start, value: try value(depth: depth + 1)))
        skipSpace()
        if take("}") { return members }
        guard take(",") else { throw failure("expected a comma or } after the value of \"\(key)\"") }
      }
    }

    private mutating func elements(depth: Int) throws(JSONTextError) -> [JSONText] {
      var elements: [JSONText] = []
      advance()
      skipSpace()
      if take("]") { return elements }
      while true {
        elements.append(try value(depth: depth + 1))
        skipSpace()
        if take("]") { return elements }
        guard take(",") else { throw failure("expected a comma or ] after a value") }
      }
    }

    private mutating func string() throws(JSONTextError) -> String {
      var text: [UInt8] = []
      advance()
      while let byte = next {
        guard byte >= 0x20 else { throw failure("a text is not closed on its line") }
        advance()
        if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
        if byte == UInt8(ascii: "\\") {
          text.append(contentsOf: String(try escaped()).utf8)
        } else {
          text.append(byte)
        }
      }
      throw failure("a text is not closed")
    }

    private mutating func escaped() throws(JSONTextError) -> Unicode.Scalar {
      guard let byte = next else { throw failure("a text is not closed") }
      advance()
      switch byte {
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "t"): return "\t"
      case UInt8(ascii: "r"): return "\r"
      case UInt8(ascii: "b"): return "\u{8}"
      case UInt8(ascii: "f"): return "\u{C}"
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
      case UInt8(ascii: "u"):
        let unit = try codeUnit()
        guard 0xD800...0xDBFF ~= unit else {
          guard let scalar = Unicode.Scalar(unit) else { throw failure("half a surrogate pair") }
          return scalar
        }
        guard take("\\"), take("u") else { throw failure("half a surrogate pair") }
        let low = try codeUnit()
        guard 0xDC00...0xDFFF ~= low,
          let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw failure("half a surrogate pair") }
        return scalar
      default: throw failure("unknown escape \\\(Unicode.Scalar(byte))")
      }
    }

    private mutating func codeUnit() throws(JSONTextError) -> UInt32 {
      guard position + 4 <= bytes.count,
        bytes[position..<position + 4].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
        let unit = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
      else { throw failure("expected four hexadecimal digits after \\u") }
      position += 4
      return unit
    }

    private mutating func word() throws(JSONTextError) -> Value {
      var end = position
      while end < bytes.count, !Array(",]} \t\r\n:{[\"".utf8).contains(bytes[end]) { end += 1 }
      let word = String(decoding: bytes[position..<end], as: UTF8.self)
      switch word {
      case "null", "true", "false":
        position = end
        return word == "null" ? .null : .boolean(word == "true")
      default:
        guard Self.isNumber(word), let number = Double(word), number.isFinite else {
          throw failure("expected a value, found \"\(word.prefix(20))\"")
        }
        position = end
        return .number(number)
      }
    }

    /// Whether a word is a JSON number: Swift would also read "0x10", "+1", ".5", "01" and "nan".
    private static func isNumber(_ word: String) -> Bool {
      var rest = Substring(word)
      if rest.first == "-" { rest.removeFirst() }
      let whole = rest.prefix(while: isDigit)
      guard !whole.isEmpty, whole == "0" || whole.first != "0" else { return false }
      rest = rest.dropFirst(whole.count)
      if rest.first == "." {
        let fraction = rest.dropFirst().prefix(while: isDigit)
        guard !fraction.isEmpty else { return false }
        rest = rest.dropFirst(1 + fraction.count)
      }
      guard rest.first == "e" || rest.first == "E" else { return rest.isEmpty }
      rest.removeFirst()
      if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
      return !rest.isEmpty && rest.allSatisfy(isDigit)
    }

    private static func isDigit(_ character: Character) -> Bool { "0"..."9" ~= character }
  }
}
