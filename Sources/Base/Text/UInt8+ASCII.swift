/// Bytes of text.
extension UInt8 {
  package static let space = UInt8(ascii: " ")
  package static let tab = UInt8(ascii: "\t")
  package static let newline = UInt8(ascii: "\n")
  package static let carriageReturn = UInt8(ascii: "\r")
  package static let hash = UInt8(ascii: "#")
  package static let quote = UInt8(ascii: "\"")
  package static let apostrophe = UInt8(ascii: "'")
  package static let backslash = UInt8(ascii: "\\")
  package static let equals = UInt8(ascii: "=")
  package static let comma = UInt8(ascii: ",")
  package static let dot = UInt8(ascii: ".")
  package static let openBracket = UInt8(ascii: "[")
  package static let closeBracket = UInt8(ascii: "]")
  package static let openBrace = UInt8(ascii: "{")
  package static let closeBrace = UInt8(ascii: "}")

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// True for a byte of a key without quotation marks (TOML 1.0, "Keys").
  var isBareKey: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_")
      || self == UInt8(ascii: "-")
  }

  /// True for a byte that a comment or string may hold as it is: all but control characters other
  /// than tab (TOML 1.0, "Comment").
  var isText: Bool { self == .tab || (self >= 0x20 && self != 0x7F) }
}
