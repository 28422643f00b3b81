import AuricleClient
import Base
import FoundationEssentials

extension JSON {
  /// - Throws: `EncodingError`, for numbers that JSON does not have (infinite, not a number).
  package static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .custom { JSONKey(stringValue: key(of: $0.last?.stringValue ?? "")) }
    return escaped([UInt8](try encoder.encode(value)))
  }

  /// The same with DEL and the control characters of C1 escaped, as a minified ``JSONValue`` has them: they stand within
  /// texts alone, and printed as they are they act on terminals that know C1 (ISO 6429).
  private static func escaped(_ text: [UInt8]) -> [UInt8] {
    // U+0080 to U+00BF, and nothing but these, begin with C2 in UTF-8.
    let lead: UInt8 = 0xC2
    guard text.contains(where: { $0 == 0x7F || $0 == lead }) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for (index, byte) in text.enumerated() {
      let isLed = index > 0 && text[index - 1] == lead
      let isControl = byte == 0x7F || (isLed && byte < 0xA0)
      let leadsControl = byte == lead && index + 1 < text.count && text[index + 1] < 0xA0
      if isControl {
        result += "\\u00\(Hexadecimal.text([byte]))".utf8
      } else if !leadsControl {
        result.append(byte)
      }
    }
    return result
  }

  /// As ``bytes(_:)``, as a string without a line break.
  package static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value), as: UTF8.self)
  }
}
