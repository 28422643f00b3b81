/// A JSON value (RFC 8259) with its place in the text. Members keep their order.
///
/// Foundation's decoders silently take one of two members with the same key; ``init(_:depth:count:)`` refuses
/// them.
package struct JSONValue: Sendable, Equatable {
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
      (self.key, self.value, self.position) = (key, value, position)
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

  /// Two values are equal when their content is, wherever they stand.
  package static func == (a: JSONValue, b: JSONValue) -> Bool { a.content == b.content }

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
  package func encode(to encoder: any Encoder) throws {
    switch content {
    case .object(let members):
      var values = encoder.container(keyedBy: JSONKey.self)
      for member in members { try values.encode(member.value, forKey: JSONKey(stringValue: member.key)) }
    case .array(let elements): try elements.encode(to: encoder)
    case .null: try Bool?.none.encode(to: encoder)
    case .boolean(let boolean): try boolean.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    }
  }
}

/// A key, or a place in a list.
package struct JSONKey: CodingKey {
  package let stringValue: String
  package var intValue: Int?

  package init(stringValue: String) { self.stringValue = stringValue }

  package init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

/// The text of a number as JSON allows it. Swift would also read "0x10", "+1", ".5", "01" and "nan".
package enum JSONNumber {
  /// Most characters; the longest exact double has 24 ("-2.2250738585072014e-308").
  package static let greatestSize = 24

  /// Nil when `text` is not a JSON number, too long, or beyond a double.
  package static func value(of text: some Collection<UInt8>) -> Double? {
    guard text.count <= greatestSize, isNumber(text),
      let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
    else { return nil }
    return value
  }

  /// True for an optional minus, digits without leading zeros, an optional fraction and an optional
  /// exponent.
  static func isNumber(_ text: some Collection<UInt8>) -> Bool {
    var rest = Array(text)[...]
    /// Drops one of these characters, if it stands first.
    func drop(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    /// Drops the leading digits and counts them.
    func digits() -> Int {
      let before = rest.count
      rest = rest.drop(while: \.isDigit)
      return before - rest.count
    }
    _ = drop("-")
    // No digit follows a leading zero.
    guard drop("0") ? rest.first?.isDigit != true : digits() > 0 else { return false }
    if drop("."), digits() == 0 { return false }
    if drop("eE") {
      _ = drop("+-")
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}

extension JSONValue {
  /// The shortest text: no space, numbers in as few digits as reproduce them, only the escapes that are
  /// needed.
  package var minified: String {
    switch content {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let value): NumberText.exact(value)
    case .text(let value): value.quoted()
    case .array(let elements): "[\(elements.map(\.minified).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\($0.key.quoted()):\($0.value.minified)" }.joined(separator: ","))}"
    }
  }
}
