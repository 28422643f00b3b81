import AuricleClient
import Base
import FoundationEssentials

extension JSON {
  /// - Throws: `EncodingError`, for numbers that JSON does not have (infinite, not a number).
  package static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .custom { JSONKey(stringValue: key(of: $0.last?.stringValue ?? "")) }
    return [UInt8](try encoder.encode(value))
  }

  /// As ``bytes(_:)``, as a string without a line break.
  package static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }
}
