/// JSON as a tree, for what cards and key files carry. Members keep their order: DEFLATE sees it.
indirect enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Equatable, Sendable {
    let key: String
    let value: JSONValue
  }

  /// What it is, for messages: "a number".
  var kind: String {
    switch self {
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
  ExpressibleByBooleanLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// Members in the order written.
  init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member(key: $0.0, value: $0.1) })
  }
}
