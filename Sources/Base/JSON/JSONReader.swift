/// Reason why a text was not accepted as JSON.
public struct JSONError: Error, Equatable, Sendable {
  /// Kinds: a key twice in one object, too deep a nesting, and all others.
  public enum Kind: Sendable { case repeatedKey, depth, form }

  /// Position at which reading stopped.
  public let position: TextPosition
  /// The reason, without a full stop.
  public let words: String
  /// Its kind.
  public var kind = Kind.form
}

extension JSONValue {
  /// Reads a whole JSON text. Members given twice, which others read each in their own way, are refused,
  /// and so is text that is not UTF-8.
  ///
  /// - Parameters:
  ///   - depth: Greatest nesting. A prescription nests 13 deep.
  ///   - count: Most values. A prescription with the longest audiograms has about 2,000.
  /// - Throws: ``JSONError`` at the first byte that does not fit.
  public init(_ bytes: [UInt8], depth: Int = 24, count: Int = 20_000) throws(JSONError) {
    var reader = JSONReader(text: bytes, deepest: depth, most: count)
    self = try reader.whole()
  }
}

private struct JSONReader: TextScanner {
  let text: [UInt8]
  let deepest: Int
  let most: Int
  var position = TextPosition()
  var count = 0

  mutating func whole() throws(JSONError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard byte == nil else { throw failure("something follows the end") }
    return value
  }

  private func failure(_ words: String) -> JSONError { JSONError(position: position, words: words) }

  private mutating func skipSpace() { take { " \t\n\r".utf8.contains($0) } }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth <= deepest else {
      throw JSONError(position: position, words: "nested more than \(deepest) deep", kind: .depth)
    }
    count += 1
    guard count <= most else { throw failure("more than \(most) values") }
    skipSpace()
    let start = position
    let content: JSONValue.Content =
      switch byte {
      case nil: throw failure("the text ends where a value is expected")
      case .openBrace: .object(try members(depth: depth))
      case .openBracket: .array(try elements(depth: depth))
      case .quote: .text(try string())
      default: try word()
      }
    return JSONValue(content, position: start)
  }

  private mutating func members(depth: Int) throws(JSONError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    advance()
    skipSpace()
    if take(.closeBrace) { return members }
    while true {
      skipSpace()
      let start = position
      guard byte == .quote else { throw failure("expected a key in double quotes") }
      let key = try string()
      var shown: String { "\"\(PrintableText.short(key))\"" }
      guard keys.insert(key).inserted else {
        throw JSONError(position: start, words: "\(shown) given twice", kind: .repeatedKey)
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("expected a colon after \(shown)") }
      members.append(JSONValue.Member(key: key, value: try value(depth: depth + 1), position: start))
      skipSpace()
      if take(.closeBrace) { return members }
      guard take(.comma) else { throw failure("expected a comma or } after the value of \(shown)") }
    }
  }

  private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    advance()
    skipSpace()
    if take(.closeBracket) { return elements }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipSpace()
    } while take(.comma)
    guard take(.closeBracket) else { throw failure("expected a comma or ] after a value") }
    return elements
  }

  private mutating func string() throws(JSONError) -> String {
    var content: [UInt8] = []
    advance()
    while let byte {
      guard byte >= 0x20 else { throw failure("a text is not closed on its line") }
      advance()
      switch byte {
      case .quote:
        guard let valid = String(validating: content, as: UTF8.self) else {
          throw failure("a text is not UTF-8")
        }
        return valid
      case .backslash: content += String(try escaped()).utf8
      default: content.append(byte)
      }
    }
    throw failure("a text is not closed")
  }

  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    guard let byte else { throw failure("a text is not closed") }
    advance()
    if byte == UInt8(ascii: "/") { return "/" }
    if let byte = Self.escaped(byte) { return Unicode.Scalar(byte) }
    guard byte == UInt8(ascii: "u") else { throw failure("an unknown escape") }
    var unit = try codeUnit()
    if 0xD800...0xDBFF ~= unit, take(.backslash), take(UInt8(ascii: "u")) {
      let low = try codeUnit()
      if 0xDC00...0xDFFF ~= low { unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00) }
    }
    guard let scalar = Unicode.Scalar(unit) else { throw failure("half a surrogate pair") }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    guard let unit = takeHexadecimal(4) else {
      throw failure("expected four hexadecimal digits after \\u")
    }
    return unit
  }

  private mutating func word() throws(JSONError) -> JSONValue.Content {
    let end = ",]}:{[\" \t\n\r".utf8
    let word = String(decoding: text[position.offset...].prefix { !end.contains($0) }, as: UTF8.self)
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
    advance(word.utf8.count)
    return content
  }
}
