/// Decimal numbers as people type them.
enum DecimalText {
  /// Digits, with a sign before and a point between them at most; nil for anything else that a programming language would read,
  /// such as `0x1p3`, `1e5` or `nan`.
  static func number(_ text: some StringProtocol) -> Double? {
    guard !text.isEmpty, text.utf8.count <= 12,
      text.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46].contains($0) }),
      text.drop(while: { "+-".contains($0) }).first?.isWholeNumber == true
    else { return nil }
    return Double(String(text))
  }
}
