/// Control characters in people's words, but tab and line breaks. FHIR R4 has none below 32 in a string, programs of statistics
/// cut a text off at the character 0, and others steer a terminal.
public enum ControlCharacter {
  public static func isOne(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20
      ? scalar != "\t" && scalar != "\n" && scalar != "\r" : 0x7F...0x9F ~= scalar.value
  }

  /// The text with U+FFFD in the place of each.
  public static func replaced(in text: String) -> String {
    guard text.unicodeScalars.contains(where: isOne) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isOne($0) ? "\u{FFFD}" : $0 }))
  }

  /// Expectation that a text with one misses; nil for a text without.
  static func refusal(of text: String) -> String? {
    guard let first = text.unicodeScalars.first(where: isOne) else { return nil }
    let digits = String(first.value, radix: 16, uppercase: true)
    let name = "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    return "a text without control characters, of which \(name) is one"
  }
}

extension AnswerValue {
  /// The same with U+FFFD in the place of control characters in words of one's own, as an answer leaves that was kept
  /// before these were refused.
  var withoutControlCharacters: AnswerValue {
    switch self {
    case .text(let text): .text(ControlCharacter.replaced(in: text))
    case .choices(let codes, let other):
      .choices(codes, other: other.map { ControlCharacter.replaced(in: $0) })
    case .number, .yes, .dontKnow, .time, .date: self
    }
  }
}
