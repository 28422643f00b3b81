import CommonTesting

/// Bytes that are changed a little, again and again.
struct ByteMutation {
  private(set) var bytes: [UInt8]
  private let isText: Bool
  /// So that no payload grows for ever.
  private static let greatestSize = 20_000

  /// What readers of JSON, numbers and texts have stumbled over.
  private static let words: [String] = [
    "1e999", "-1e999", "-0", "1e-999", "0x10", "NaN", "1.0", "9223372036854775808", "-9223372036854775809",
    "18446744073709551616", "1" + String(repeating: "0", count: 400),
    "0." + String(repeating: "3", count: 400),
    "null", "true", "[]", "{}", "\"\"", "\"\\ud800\"", "\"\\u0000\"", "\u{202E}", "\u{FEFF}", "%", ";", "/",
    "-",
    " ", "\\", "\"", ",", ":", "{", "}", "[", "]", "\"value\":1,", "\"code\":\"89017-8\"",
    "http://loinc.org",
    "resource:0", "resource:99999999999", "left", "right", "ceiling 60", "tables x",
    "targets-left 500/1/1/1",
    "tuning-left 500/1/1/1", "trial 9223372036854775807", "trial 1e18", "2026-02-29",
    "9999-12-31T23:59:59Z",
    String(repeating: "[", count: 3000), String(repeating: "{\"a\":", count: 1000),
    String(repeating: "1,", count: 6000), String(repeating: "\u{1F3B5}", count: 100),
  ]

  init(_ bytes: [UInt8], isText: Bool) {
    self.bytes = bytes
    self.isText = isText
  }

  mutating func change(using generator: inout SeededGenerator, other: [UInt8]) {
    guard !bytes.isEmpty, bytes.count < Self.greatestSize else { return }
    switch Int.random(in: 0..<(isText ? 11 : 7), using: &generator) {
    case 0: bytes[position(&generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    case 1: bytes[position(&generator)] = UInt8.random(in: 0...255, using: &generator)
    case 2: bytes.removeSubrange(range(&generator))
    case 3: bytes.insert(contentsOf: bytes[range(&generator)], at: position(&generator))
    case 4: bytes.replaceSubrange(range(&generator), with: bytes[range(&generator)])
    case 5: bytes.removeSubrange(position(&generator)...)
    case 6:
      let start = Int.random(in: 0...other.count, using: &generator)
      let end = min(other.count, start + Int.random(in: 0...200, using: &generator))
      bytes.insert(contentsOf: other[start..<end], at: position(&generator))
    case 7: bytes.insert(contentsOf: word(&generator), at: position(&generator))
    case 8, 9: bytes.replaceSubrange(token(&generator), with: word(&generator))
    default:
      // A number that is a little different: what is in range still, and what is just not.
      bytes.replaceSubrange(
        token(&generator), with: "\(Int.random(in: -200...20_000, using: &generator))".utf8)
    }
  }

  /// Puts another word or number of the same text, or a number a little different, in a word's place.
  mutating func changeToken(using generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = token(&generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0, 1: bytes.replaceSubrange(place, with: bytes[token(&generator)])
    case 2:
      let number = Int.random(in: -20...130, using: &generator)
      bytes.replaceSubrange(place, with: "\(number)".utf8)
    default:
      guard let index = place.first(where: { 48...57 ~= bytes[$0] }) else { return }
      bytes[index] = UInt8.random(in: 48...57, using: &generator)
    }
  }

  private func position(_ generator: inout SeededGenerator) -> Int {
    Int.random(in: bytes.indices, using: &generator)
  }

  private func range(_ generator: inout SeededGenerator) -> Range<Int> {
    let start = position(&generator)
    return start..<min(bytes.count, start + Int.random(in: 1...64, using: &generator))
  }

  private func word(_ generator: inout SeededGenerator) -> [UInt8] {
    Array(Self.words[Int.random(in: Self.words.indices, using: &generator)].utf8)
  }

  /// The letters and digits around a position.
  private func token(_ generator: inout SeededGenerator) -> Range<Int> {
    func isPart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    let middle = position(&generator)
    let start = bytes[..<middle].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
    let end = bytes[middle...].firstIndex { !isPart($0) } ?? bytes.count
    return min(start, end)..<end
  }
}
