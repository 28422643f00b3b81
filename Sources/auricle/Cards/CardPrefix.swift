/// How texts begin that may be cards of ours.
enum CardPrefix {
  /// Whether a text is worth reading as a card: a QR code's digits, or the bare signed text.
  static func isCard(_ text: some StringProtocol) -> Bool {
    let start = text.drop(while: \.isWhitespace).prefix(8)
    return start.hasPrefix("shc:/") || start.hasPrefix("eyJ")
  }
}
