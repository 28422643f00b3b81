import Base

/// JSON text from values and back: one line, keys sorted, UTF-8.
///
/// Keys are the names of properties in small letters, words joined by underscores, without the `is` of a boolean one:
/// `rateHz` is `rate_hz`, `inputLevelDBSPL` is `input_level_db_spl`, `isMuted` is `muted`. Keys that a type states itself
/// have no capitals, and stay.
package enum JSON {
  /// - Throws: `DecodingError` for what is no JSON or does not have the form of `type`, or what that throws itself.
  package static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    let read: JSONValue
    do throws(JSONError) {
      read = try JSONValue(bytes)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "line \(error.position.line): \(error.words)"))
    }
    return try value(type, from: read)
  }

  /// - Throws: `DecodingError` for what does not have the form of `type`, or what that throws itself.
  package static func value<Value: Decodable>(_ type: Value.Type, from read: JSONValue) throws -> Value {
    try JSONDecoding(value: read, codingPath: []).decode(type)
  }

  /// Key of a property.
  package static func key(of property: String) -> String {
    guard property.contains(where: \.isUppercase) else { return property }
    let isBoolean = property.hasPrefix("is") && property.dropFirst(2).first?.isUppercase == true
    var (key, former) = ("", Character("_"))
    for character in property.dropFirst(isBoolean ? 2 : 0) {
      let beginsWord =
        (character.isUppercase && !former.isUppercase) || (character.isNumber && former.isLetter)
        // The one pair of units that follow each other: dB SPL.
        || (character == "S" && key.hasSuffix("_db"))
      if beginsWord, !key.isEmpty { key.append("_") }
      key += character.lowercased()
      former = character
    }
    return key
  }
}

/// Decodes a type from JSON that was read already, and says which member is not as expected.
private struct JSONDecoding: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]
  /// True for a dictionary, whose keys are texts of its own and not names of properties.
  var hasOwnKeys = false
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value.content else { throw mismatch("an object") }
    let values = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    return KeyedDecodingContainer(JSONMembers(whole: self, values: values))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value.content else { throw mismatch("a list") }
    return JSONElements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value.content == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch (type, value.content) {
    case (let whole as any FixedWidthInteger.Type, let content):
      return try checked(content.number.flatMap { whole.init(exactly: $0) }, "a whole number")
    case (let real as any BinaryFloatingPoint.Type, let content):
      return try checked(content.number.map { real.init($0) }, "a number")
    case (is String.Type, .text(let text)): return try checked(text, "a text")
    case (is String.Type, _): throw mismatch("a text")
    case (is Bool.Type, .boolean(let flag)): return try checked(flag, "true or false")
    case (is Bool.Type, _): throw mismatch("true or false")
    default:
      var whole = self
      whole.hasOwnKeys = type is any TextKeyed.Type
      return try Value(from: whole)
    }
  }

  private func checked<Value>(_ read: Any?, _ expected: String) throws -> Value {
    guard let read = read as? Value else { throw mismatch(expected) }
    return read
  }

  private func mismatch(_ expected: String) -> DecodingError {
    let found = value.content.number.map(NumberText.exact) ?? value.kind
    return .typeMismatch(
      Any.self, .init(codingPath: codingPath, debugDescription: "found \(found), expected \(expected)"))
  }
}

/// Dictionaries whose keys are texts.
private protocol TextKeyed {}

extension Dictionary: TextKeyed where Key == String {}

extension JSONValue.Content {
  fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
}

/// Members of an object.
private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let whole: JSONDecoding
  let values: [String: JSONValue]

  var codingPath: [any CodingKey] { whole.codingPath }
  var allKeys: [Key] { values.keys.compactMap(Key.init) }

  func contains(_ key: Key) -> Bool { (try? member(key)) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try member(key).decode(type)
  }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { whole }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

  private func member(_ key: Key) throws -> JSONDecoding {
    // A property has one name in the text: whoever checks a value before it is decoded finds it by that.
    let name = whole.hasOwnKeys ? key.stringValue : JSON.key(of: key.stringValue)
    let key = JSONKey(stringValue: name)
    guard let value = values[name] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: ""))
    }
    return JSONDecoding(value: value, codingPath: codingPath + [key])
  }
}

/// Elements of a list.
private struct JSONElements: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].content == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

  mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
  { try next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> JSONDecoding {
    let path = codingPath + [JSONKey(intValue: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path, debugDescription: "found the end of the list"))
    }
    defer { currentIndex += 1 }
    return JSONDecoding(value: elements[currentIndex], codingPath: path)
  }
}

extension DecodingError {
  /// Place in a JSON text and what is wrong there, without a full stop.
  package var words: String {
    let (path, text): ([any CodingKey], String) =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      case .keyNotFound(let key, let context): (context.codingPath, "no key \"\(key.stringValue)\"")
      @unknown default: ([], "something else")
      }
    let place = path.map(\.stringValue).joined(separator: ".")
    return place.isEmpty ? text : "\(place): \(text)"
  }
}
