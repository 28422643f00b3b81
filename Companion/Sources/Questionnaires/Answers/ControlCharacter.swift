/// Control characters in people's words, but tab and line breaks.
public enum ControlCharacter {
  /// True for one that no answer has. FHIR R4 has none below 32 in a string, programs of statistics cut a text off at the
  /// character 0, and others steer a terminal.
  public static func isOne(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 ? scalar != "\t" && scalar != "\n" && scalar != "\r" : scalar.value == 0x7F
  }

  /// True also for U+0080 to U+009F, which steer terminals too. An answer may have them: in a text of Windows-1252 that was
  /// read as Latin-1 they stand in the place of apostrophes and dashes, and U+0085 is a line break.
  public static func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
    isOne(scalar) || 0x80...0x9F ~= scalar.value
  }

  /// The text with U+FFFD in the place of each.
  public static func replaced(
    in text: String, where isReplaced: (Unicode.Scalar) -> Bool = Self.isOne
  ) -> String {
    guard text.unicodeScalars.contains(where: isReplaced) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isReplaced($0) ? "\u{FFFD}" : $0 }))
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
