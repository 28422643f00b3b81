/// A JSON value (RFC 8259) with its place in the text. Members keep their order.
///
/// Foundation's decoders silently take one of two members with the same key; ``init(_:depth:count:)`` refuses
/// them.
package struct JSONValue: Sendable {
  package indirect enum Content: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([Member])
  }

  package struct Member: Equatable, Sendable {
    package let key: String
    package let value: JSONValue
    /// Place of the key.
    package let position: TextPosition

    package init(key: String, value: JSONValue, position: TextPosition = TextPosition()) {
      self.key = key
      self.value = value
      self.position = position
    }

    package static func == (a: Member, b: Member) -> Bool { a.key == b.key && a.value == b.value }
  }

  package let content: Content
  /// Position of its first byte; the beginning of a text for a value that was not read.
  package let position: TextPosition

  package init(_ content: Content, position: TextPosition = TextPosition()) {
    self.content = content
    self.position = position
  }

  package static func boolean(_ value: Bool) -> JSONValue { JSONValue(.boolean(value)) }
  package static func text(_ text: String) -> JSONValue { JSONValue(.text(text)) }
  package static func number(_ number: Double) -> JSONValue { JSONValue(.number(number)) }
  package static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }
  package static func object(_ members: [Member]) -> JSONValue { JSONValue(.object(members)) }

  /// The member of that key; nil when there is none, and for anything but an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Its kind, for messages: "a number".
  package var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .text: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// Two values are equal when their content is, wherever they stand.
extension JSONValue: Equatable {
  package static func == (a: JSONValue, b: JSONValue) -> Bool { a.content == b.content }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  package init(stringLiteral text: String) { self = .text(text) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(booleanLiteral value: Bool) { self.init(.boolean(value)) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }

  package typealias Key = String
  package typealias Value = JSONValue?

  /// Members in the order written; one whose value is nil is left out.
  package init(dictionaryLiteral members: (String, JSONValue?)...) {
    self = .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }

  /// The number; nil when JSON has none for it: infinite, or not a number.
  package static func finite(_ number: Double?) -> JSONValue? {
    number.flatMap { $0.isFinite ? .number($0) : nil }
  }
}

extension JSONValue: Encodable {
  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    switch content {
    case .object(let members):
      var values = encoder.container(keyedBy: MemberKey.self)
      for member in members { try values.encode(member.value, forKey: MemberKey(stringValue: member.key)) }
    case .array(let elements):
      var values = encoder.unkeyedContainer()
      for element in elements { try values.encode(element) }
    case .null:
      var value = encoder.singleValueContainer()
      try value.encodeNil()
    case .boolean(let boolean): try boolean.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    }
  }
}

/// The text of a number as JSON allows it. Swift would also read "0x10", "+1", ".5", "01" and "nan".
package enum JSONNumber {
  /// Most characters; the longest exact double has 24 ("-2.2250738585072014e-308").
  package static let greatestSize = 24

  /// Nil when `text` is not a JSON number, too long, or beyond a double.
  package static func value(of text: some Collection<UInt8>) -> Double? {
    guard text.count <= greatestSize, isNumber(text),
      let value = Double(String(decoding: text, as: UTF8.self)),
      value.isFinite
    else { return nil }
    return value
  }

  /// True for an optional minus, digits without leading zeros, an optional fraction and an optional
  /// exponent.
  static func isNumber(_ text: some Collection<UInt8>) -> Bool {
    var rest = Array(text)[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let isZero = rest.first == UInt8(ascii: "0")
    let whole = digits(&rest)
    guard whole > 0, !isZero || whole == 1 else { return false }
    if rest.first == .dot {
      rest.removeFirst()
      guard digits(&rest) > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard digits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// Drops the leading digits and counts them.
  private static func digits(_ rest: inout ArraySlice<UInt8>) -> Int {
    let before = rest.count
    rest = rest.drop(while: \.isDigit)
    return before - rest.count
  }
}

extension JSONValue {
  /// The shortest text: no space, numbers in as few digits as reproduce them, only the escapes that are
  /// needed.
  package var minified: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch content {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let value): text += NumberText.exact(value)
    case .text(let value): Self.write(value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\" + String(Character(scalar))
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// A place in a text: where a value begins, or where reading stopped.
package struct TextPosition: Sendable, Hashable {
  /// From 1.
  package var line: Int
  /// Bytes before it, from 0.
  package var offset: Int

  package init(line: Int = 1, offset: Int = 0) {
    self.line = line
    self.offset = offset
  }
}
