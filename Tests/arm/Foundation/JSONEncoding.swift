import Base

/// Writes one value into its place.
struct JSONEncoding: Encoder, SingleValueEncodingContainer {
  let place: JSONPlace
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = place.content { place.content = .members([]) }
    return KeyedEncodingContainer(JSONMembersEncoding(place: place, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = place.content { place.content = .list([]) }
    return JSONListEncoding(place: place, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { place.content = .written("null") }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let text as String: place.content = .written(JSONPlace.quoted(text))
    case let flag as Bool: place.content = .written("\(flag)")
    case let whole as any FixedWidthInteger: place.content = .written("\(whole)")
    case let number as Double: try encode(number: number, NumberText.exact(number))
    case let number as Float: try encode(number: Double(number), "\(number)")
    default: try value.encode(to: self)
    }
  }

  private func encode(number: Double, _ text: String) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: codingPath, debugDescription: "JSON has no \(number)"))
    }
    place.content = .written(text)
  }
}

/// Writes members of an object.
private struct JSONMembersEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: JSONPlace
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { member(key).encodeNil() }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try member(key).encode(value) }

  func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
  {
    member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    JSONEncoding(place: place.member("super"), codingPath: codingPath)
  }

  func superEncoder(forKey key: Key) -> any Encoder { member(key) }

  private func member(_ key: Key) -> JSONEncoding {
    JSONEncoding(place: place.member(key.stringValue), codingPath: codingPath + [key])
  }
}

/// Writes elements of a list.
private struct JSONListEncoding: UnkeyedEncodingContainer {
  let place: JSONPlace
  let codingPath: [any CodingKey]
  var count: Int { place.count }

  func encodeNil() { next().encodeNil() }

  func encode<Value: Encodable>(_ value: Value) throws { try next().encode(value) }

  func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    next().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

  func superEncoder() -> any Encoder { next() }

  private func next() -> JSONEncoding {
    JSONEncoding(place: place.next(), codingPath: codingPath)
  }
}
