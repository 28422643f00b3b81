import AuricleClient
import Base
@_exported import Glibc

/// Parts of Foundation that tests of sound use, for the processor whose Foundation no compiler here can read (docs/aarch64.md): bytes,
/// and JSON from values and back.
///
/// It reads as the programs' own reader does, and writes what Foundation would: numbers as short as they read back, keys as
/// they are named.
package typealias Data = [UInt8]

package struct JSONDecoder {
  package init() {}

  /// - Throws: `DecodingError`, or what the type itself throws.
  package func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSON.value(type, from: Self.named(JSONValue(data)))
  }

  /// The same with the keys by which the programs' reader finds a property: Foundation has its name as it is.
  private static func named(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .array(let elements): JSONValue(.array(elements.map(named)))
    case .object(let members):
      JSONValue(
        .object(members.map { JSONValue.Member(key: JSON.key(of: $0.key), value: named($0.value)) }))
    default: value
    }
  }
}

package struct JSONEncoder {
  package init() {}

  /// - Throws: `EncodingError` for a number that JSON does not have, or what the value itself throws.
  package func encode(_ value: some Encodable) throws -> Data {
    let place = JSONPlace()
    try JSONEncoding(place: place, codingPath: []).encode(value)
    return Data(place.text.utf8)
  }
}

/// A value that is not written yet, or in part.
final class JSONPlace {
  enum Content {
    case nothing
    case written(String)
    case list([JSONPlace])
    case members([(key: String, place: JSONPlace)])
  }

  var content = Content.nothing

  /// What encodes nothing is an object without members, as Foundation has it.
  var text: String {
    switch content {
    case .nothing: "{}"
    case .written(let text): text
    case .list(let places): "[" + places.map(\.text).joined(separator: ",") + "]"
    case .members(let members):
      "{" + members.map { Self.quoted($0.key) + ":" + $0.place.text }.joined(separator: ",") + "}"
    }
  }

  var count: Int { if case .list(let places) = content { places.count } else { 0 } }

  /// A place behind those of a list, which this becomes.
  func next() -> JSONPlace {
    let place = JSONPlace()
    if case .list(let places) = content {
      content = .list(places + [place])
    } else {
      content = .list([place])
    }
    return place
  }

  /// The member of that name of an object, which this becomes.
  func member(_ key: String) -> JSONPlace {
    let place = JSONPlace()
    var members: [(key: String, place: JSONPlace)] = []
    if case .members(let former) = content { members = former.filter { $0.key != key } }
    content = .members(members + [(key, place)])
    return place
  }

  /// RFC 8259, section 7: quotation marks, backslashes and control characters are escaped.
  static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case ..<" ":
        "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2) + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
