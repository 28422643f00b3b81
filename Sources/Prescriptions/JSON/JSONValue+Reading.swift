/// Why bytes are not the JSON that is accepted here.
struct JSONError: Error, Equatable {
  /// Byte at which reading stopped, from 0.
  let offset: Int
  let reason: String
}

extension JSONValue {
  /// Nesting beyond which text is refused. A prescription nests 13 deep.
  static let greatestDepth = 24

  /// Values beyond which text is refused. A prescription with the longest audiograms has about 2,000.
  static let greatestCount = 20_000

  /// Reads a whole JSON text (RFC 8259). Members given twice, which others read each in their own way, are
  /// refused, and so is what is not UTF-8.
  ///
  /// - Throws: ``JSONError`` at the first byte that does not fit.
  init(_ bytes: [UInt8]) throws(JSONError) {
    var reader = JSONReader(bytes)
    self = try reader.value(depth: 0)
    reader.skipSpace()
    if reader.next != nil { throw reader.failure("something follows the end") }
  }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func failure(_ reason: String) -> JSONError { JSONError(offset: position, reason: reason) }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth <= JSONValue.greatestDepth else {
      throw failure("nested more than \(JSONValue.greatestDepth) deep")
    }
    count += 1
    guard count <= JSONValue.greatestCount else {
      throw failure("more than \(JSONValue.greatestCount) values")
    }
    skipSpace()
    switch next {
    case nil: throw failure("it ends where a value is expected")
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .text(try text())
    default: return try word()
    }
  }

  private mutating func members(depth: Int) throws(JSONError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var keys: Set<String> = []
    position += 1
    skipSpace()
    if take("}") { return members }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes") }
      let key = try text()
      guard keys.insert(key).inserted else { throw failure("the same member twice in one object") }
      skipSpace()
      guard take(":") else { throw failure("expected a colon after a key") }
      members.append(JSONValue.Member(key: key, value: try value(depth: depth + 1)))
      skipSpace()
      if take("}") { return members }
      guard take(",") else { throw failure("expected a comma or } after a member") }
    }
  }

  private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    position += 1
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
    position += 1
    while let byte = next {
      guard byte >= 0x20 else { throw failure("a control character in a text") }
      position += 1
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
    position += 1
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
    guard position + 4 <= bytes.count else { throw failure("expected four hexadecimal digits after \\u") }
    var unit: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("expected four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt32(digit)
    }
    position += 4
    return unit
  }

  private mutating func word() throws(JSONError) -> JSONValue {
    let start = position
    while let byte = next, !isEnd(byte) { position += 1 }
    let word = bytes[start..<position]
    if word.elementsEqual("null".utf8) { return .null }
    if word.elementsEqual("true".utf8) { return .boolean(true) }
    if word.elementsEqual("false".utf8) { return .boolean(false) }
    guard let number = JSONNumber.value(of: word) else {
      position = start
      throw failure("expected a value, found no number of at most \(JSONNumber.greatestSize) characters")
    }
    return .number(number)
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: "{"),
      UInt8(ascii: "["), UInt8(ascii: "\""), 0x20, 0x09, 0x0A, 0x0D:
      true
    default: false
    }
  }
}
