/// Texts from outside on a terminal.
public enum Printable {
  /// The text without anything that steers a terminal: control characters but line breaks and tabs become U+FFFD.
  public static func text(_ text: String) -> String {
    func isSafe(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "\n" || scalar == "\t" || !(scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value)
    }
    guard !text.unicodeScalars.allSatisfy(isSafe) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isSafe($0) ? $0 : "\u{FFFD}" }))
  }
}
