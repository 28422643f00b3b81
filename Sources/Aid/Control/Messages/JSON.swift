import FoundationEssentials

/// JSON text from values and back: one line, keys sorted, UTF-8.
package enum JSON {
  /// - Throws: `EncodingError`, for numbers that JSON does not have (infinite, not a number).
  package static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  /// As ``bytes(_:)``, as a string without a line break.
  package static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }

  /// - Throws: `DecodingError`.
  package static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  /// Greatest nesting of arrays and objects in `bytes`, brackets inside strings not counted.
  ///
  /// Read before decoding, because a decoder recurses once per level and its thread's stack is small.
  static func depth(of bytes: [UInt8]) -> Int {
    var (depth, deepest) = (0, 0)
    var (quoted, escaped) = (false, false)
    for byte in bytes {
      if quoted {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          quoted = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): quoted = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}

/// Any JSON value, for messages whose shape is not known before they are read.
package enum RPCValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number without a fraction that fits.
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([RPCValue])
  case object([String: RPCValue])

  /// What kind of value it is, for messages: `a string`, `an object`.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension RPCValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([RPCValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: RPCValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
