import Questionnaires

/// Texts from outside on a terminal.
public enum Printable {
  /// The text without anything that steers a terminal: control characters but line breaks and tabs become U+FFFD.
  public static func text(_ text: String) -> String {
    // From the beginning of its line a text would be written over.
    ControlCharacter.replaced(in: text) { $0 == "\r" || ControlCharacter.steersTerminal($0) }
  }
}
