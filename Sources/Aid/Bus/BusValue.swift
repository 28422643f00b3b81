/// A value in a message. What comes as a variant is the value in it; what is sent as one says so.
package enum BusValue: Sendable, Equatable {
  case boolean(Bool)
  case byte(UInt8)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case path(String)
  /// Of an open file. One that was received is the message's, which closes it once it was handled: duplicate what is to stay open.
  case descriptor(Int32)
  /// Elements, members of a structure, or key and value of an entry.
  case list([BusValue])
  /// Sent as a variant; never read.
  indirect case variant(BusValue)
  /// Sent as an array of strings; read as ``list(_:)``.
  case strings([String])
  /// Sent as `a{sv}`; read as ``list(_:)`` of lists of two.
  case properties([String: BusValue])

  package var text: String? {
    switch self {
    case .string(let text), .path(let text): text
    default: nil
    }
  }

  package var isTrue: Bool { self == .boolean(true) }

  /// Of any width.
  package var number: Int? {
    switch self {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  /// A value of a list of entries, such as the properties of an object.
  package subscript(key: String) -> BusValue? {
    guard case .list(let entries) = self else { return nil }
    for case .list(let pair) in entries where pair.count == 2 && pair[0].text == key { return pair[1] }
    return nil
  }

  /// Its type in the bus's own letters.
  var signature: String {
    switch self {
    case .boolean: "b"
    case .byte: "y"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .descriptor: "h"
    case .list(let values): "a" + (values.first?.signature ?? "s")
    case .variant: "v"
    case .strings: "as"
    case .properties: "a{sv}"
    }
  }
}
