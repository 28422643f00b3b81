import FoundationEssentials

/// JSON text from values and back: one line, keys sorted, UTF-8.
public enum JSON {
  /// - Throws: `EncodingError`, for numbers that JSON does not have (infinite, not a number).
  public static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  /// As ``bytes(_:)``, as a string without a line break.
  public static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }

  /// - Throws: `DecodingError`.
  public static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
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
