/// Bytes as hexadecimal digits, two for each, in small letters.
package enum Hexadecimal {
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Bytes of such a text, in either case; nil for anything else.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits: [Int] = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { k -> UInt8 in
      UInt8(digits[k] << 4 | digits[k + 1])
    }
  }
}
