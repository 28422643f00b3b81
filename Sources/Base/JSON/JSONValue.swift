/// A JSON value (RFC 8259) with its place in the text. Members keep their order.
///
/// Foundation's decoders silently take one of two members with the same key; ``init(_:depth:count:)`` refuses
/// them.
public struct JSONValue: Sendable, Equatable {
  /// A value of one of the six kinds of JSON.
  public indirect enum Content: Equatable, Sendable {
    case null, boolean(Bool), number(Double), text(String), array([JSONValue]), object([Member])
  }

  /// A key with its value. Two are equal wherever they stand.
  public struct Member: Equatable, Sendable {
    /// Unique in its object.
    public let key: String
    /// Any kind of value.
    public let value: JSONValue
    /// Place of the key.
    public let position: TextPosition

    /// A member that was not read.
    public init(key: String, value: JSONValue) {
      self.init(key: key, value: value, position: TextPosition())
    }

    package init(key: String, value: JSONValue, position: TextPosition) {
      (self.key, self.value, self.position) = (key, value, position)
    }

    public static func == (a: Member, b: Member) -> Bool { a.key == b.key && a.value == b.value }
  }

  /// The value itself.
  public let content: Content
  /// Position of its first byte; the beginning of a text for a value that was not read.
  public let position: TextPosition

  package init(_ content: Content, position: TextPosition = TextPosition()) {
    self.content = content
    self.position = position
  }

  /// `true` or `false`.
  public static func boolean(_ value: Bool) -> JSONValue { JSONValue(.boolean(value)) }
  /// A string.
  public static func text(_ text: String) -> JSONValue { JSONValue(.text(text)) }
  /// A number, which JSON has only where it is finite.
  public static func number(_ number: Double) -> JSONValue { JSONValue(.number(number)) }
  /// A list.
  public static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }
  /// An object; its members keep their order.
  public static func object(_ members: [Member]) -> JSONValue { JSONValue(.object(members)) }

  /// Two values are equal when their content is, wherever they stand.
  public static func == (a: JSONValue, b: JSONValue) -> Bool { a.content == b.content }

  /// The member of that key; nil when there is none, and for anything but an object.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Its kind, for messages: "a number".
  public var kind: String {
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
  public init(stringLiteral text: String) { self = .text(text) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(booleanLiteral value: Bool) { self.init(.boolean(value)) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// Key of a member in a literal.
  public typealias Key = String
  /// Value of a member in a literal; nil leaves the member out.
  public typealias Value = JSONValue?

  /// Members in the order written; one whose value is nil is left out.
  public init(dictionaryLiteral members: (String, JSONValue?)...) {
    self = .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }

  /// The number; nil when JSON has none for it: infinite, or not a number.
  package static func finite(_ number: Double?) -> JSONValue? {
    number.flatMap { $0.isFinite ? .number($0) : nil }
  }
}

extension JSONValue: Encodable {
  public func encode(to encoder: any Encoder) throws {
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
  public var minified: String {
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
