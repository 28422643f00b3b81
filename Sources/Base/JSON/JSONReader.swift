/// Reason why a text was not accepted as JSON.
package struct JSONError: Error, Equatable, Sendable {
  /// Kinds: a key twice in one object, too deep a nesting, and all others.
  package enum Kind: Sendable { case repeatedKey, depth, form }

  /// Position at which reading stopped.
  package let position: TextPosition
  /// The reason, without a full stop.
  package let words: String
  package var kind = Kind.form
}

extension JSONValue {
  /// Reads a whole JSON text. Members given twice, which others read each in their own way, are refused,
  /// and so is text that is not UTF-8.
  ///
  /// - Parameters:
  ///   - depth: Greatest nesting. A prescription nests 13 deep.
  ///   - count: Most values. A prescription with the longest audiograms has about 2,000.
  /// - Throws: ``JSONError`` at the first byte that does not fit.
  package init(_ bytes: [UInt8], depth: Int = 24, count: Int = 20_000) throws(JSONError) {
    var reader = JSONReader(bytes: bytes, deepest: depth, most: count)
    self = try reader.whole()
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  let deepest: Int
  let most: Int
  var position = TextPosition()
  var count = 0

  mutating func whole() throws(JSONError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard next == nil else { throw failure("something follows the end") }
    return value
  }

  private var next: UInt8? { position.offset < bytes.count ? bytes[position.offset] : nil }

  private func failure(_ words: String) -> JSONError { JSONError(position: position, words: words) }

  private mutating func skipSpace() {
    while let byte = next, " \t\n\r".utf8.contains(byte) {
      position.offset += 1
      if byte == .newline { position.line += 1 }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position.offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth <= deepest else {
      throw JSONError(position: position, words: "nested more than \(deepest) deep", kind: .depth)
    }
    count += 1
    guard count <= most else { throw failure("more than \(most) values") }
    skipSpace()
    let start = position
    let content: JSONValue.Content =
      switch next {
      case nil: throw failure("the text ends where a value is expected")
      case UInt8(ascii: "{"): .object(try members(depth: depth))
      case UInt8(ascii: "["): .array(try elements(depth: depth))
      case UInt8(ascii: "\""): .text(try text())
      default: try word()
      }
    return JSONValue(content, position: start)
  }

  private mutating func members(depth: Int) throws(JSONError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    position.offset += 1
    skipSpace()
    if take("}") { return members }
    while true {
      skipSpace()
      let start = position
      guard next == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes") }
      let key = try text()
      var shown: String { "\"\(PrintableText.short(key))\"" }
      guard keys.insert(key).inserted else {
        throw JSONError(position: start, words: "\(shown) given twice", kind: .repeatedKey)
      }
      skipSpace()
      guard take(":") else { throw failure("expected a colon after \(shown)") }
      members.append(JSONValue.Member(key: key, value: try value(depth: depth + 1), position: start))
      skipSpace()
      if take("}") { return members }
      guard take(",") else { throw failure("expected a comma or } after the value of \(shown)") }
    }
  }

  private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    position.offset += 1
    skipSpace()
    if take("]") { return elements }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return elements }
      guard take(",") else { throw failure("expected a comma or ] after a value") }
    }
  }

  private mutating func text() throws(JSONError) -> String {
    var text: [UInt8] = []
    position.offset += 1
    while let byte = next {
      guard byte >= 0x20 else { throw failure("a text is not closed on its line") }
      position.offset += 1
      if byte == UInt8(ascii: "\"") {
        guard let valid = String(validating: text, as: UTF8.self) else {
          throw failure("a text is not UTF-8")
        }
        return valid
      }
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: String(try escaped()).utf8)
      } else {
        text.append(byte)
      }
    }
    throw failure("a text is not closed")
  }

  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw failure("a text is not closed") }
    position.offset += 1
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
    default: throw failure("an unknown escape")
    }
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    let start = position.offset
    guard start + 4 <= bytes.count else { throw failure("expected four hexadecimal digits after \\u") }
    var unit: UInt32 = 0
    for byte in bytes[start..<start + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("expected four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt32(digit)
    }
    position.offset += 4
    return unit
  }

  private mutating func word() throws(JSONError) -> JSONValue.Content {
    let start = position.offset
    var end = start
    while end < bytes.count, !Self.isEnd(bytes[end]) { end += 1 }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    let content: JSONValue.Content? =
      switch word {
      case "null": .null
      case "true": .boolean(true)
      case "false": .boolean(false)
      default: JSONNumber.value(of: word.utf8).map { .number($0) }
      }
    guard let content else {
      throw failure(word.isEmpty ? "a value is missing" : "\"\(PrintableText.short(word))\" is not a value")
    }
    position.offset = end
    return content
  }

  private static func isEnd(_ byte: UInt8) -> Bool { ",]}:{[\" \t\n\r".utf8.contains(byte) }
}
