/// Text that a person wrote and that others will read on a card, a page, a terminal.
enum PlainText {
  /// Most bytes of UTF-8; a longer text would make the QR code denser than its readers like.
  static let greatestSize = 80

  /// The text itself when it is one line of 1 to 80 bytes without control or invisible direction characters
  /// and without space at its ends.
  static func checked(_ text: String, field: String) throws(PrescriptionError) -> String {
    func refuse(_ reason: String) -> PrescriptionError { .unusableText(field: field, reason: reason) }
    guard !text.isEmpty else { throw refuse("it is empty") }
    guard text.utf8.count <= greatestSize else {
      throw refuse("it has \(text.utf8.count) bytes, at most \(greatestSize) fit")
    }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        throw refuse(
          "it has a character that cannot be seen (U+\(String(scalar.value, radix: 16, uppercase: true)))")
      default: break
      }
    }
    guard text.first?.isWhitespace == false, text.last?.isWhitespace == false else {
      throw refuse("it begins or ends with a space")
    }
    return text
  }
}
