extension String {
  /// The text without the byte order mark (U+FEFF) with which editors of some systems begin a file; nil: it begins with none.
  package var withoutByteOrderMark: String? {
    guard unicodeScalars.first == "\u{FEFF}" else { return nil }
    return String(unicodeScalars.dropFirst())
  }
}
