import Questionnaires

/// Texts from outside on a terminal.
public enum Printable {
  /// The text without anything that steers a terminal: control characters but line breaks and tabs become U+FFFD.
  public static func text(_ text: String) -> String {
    func isSafe(_ scalar: Unicode.Scalar) -> Bool {
      // From the beginning of its line a text would be written over.
      scalar != "\r" && !ControlCharacter.isOne(scalar)
    }
    guard !text.unicodeScalars.allSatisfy(isSafe) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isSafe($0) ? $0 : "\u{FFFD}" }))
  }
}
