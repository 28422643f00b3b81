/// Bytes of a text that are read from its beginning to its end. Every read goes through ``byte``, so that no
/// malformed text makes a reader trap.
protocol TextScanner {
  var text: [UInt8] { get }
  /// Place that is read next.
  var position: TextPosition { get set }
}

extension TextScanner {
  /// The byte that stands here; nil at the end.
  var byte: UInt8? { peek(0) }

  func peek(_ offset: Int) -> UInt8? {
    let index = position.offset + offset
    return index < text.count ? text[index] : nil
  }

  mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position.offset < text.count {
      if byte == .newline { position.line += 1 }
      position.offset += 1
    }
  }

  /// Passes this byte, if it stands here.
  mutating func take(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    advance()
    return true
  }

  /// Passes bytes up to the first that does not fit.
  @discardableResult mutating func take(while fits: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position.offset
    while let byte, fits(byte) { advance() }
    return text[start..<position.offset]
  }

  /// Passes so many hexadecimal digits; nil, and none is passed, when there are fewer.
  mutating func takeHexadecimal(_ count: Int) -> UInt32? {
    let digits = text[position.offset...].prefix(count).compactMap {
      Character(Unicode.Scalar($0)).hexDigitValue
    }
    guard digits.count == count else { return nil }
    advance(count)
    return digits.reduce(0) { $0 << 4 | UInt32($1) }
  }

  /// Meaning of a letter behind a backslash in JSON and TOML; nil for one that has none in both.
  static func escaped(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): .tab
    case UInt8(ascii: "n"): .newline
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): .carriageReturn
    case .quote, .backslash: letter
    default: nil
    }
  }
}

extension String {
  /// The text in quotation marks, with the escapes of JSON and TOML. DEL and the control characters of C1 are escaped
  /// too, which neither asks for: printed as they are, they act on terminals that know C1 (ISO 6429).
  ///
  /// - Parameters:
  ///   - isUppercase: Of the digits of control characters.
  ///   - named: Escapes of their own.
  func quoted(isUppercase: Bool = false, named: [Unicode.Scalar: String] = [:]) -> String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case _ where named[scalar] != nil: result += named[scalar] ?? ""
      case "\"", "\\": result += "\\\(scalar)"
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16, uppercase: isUppercase)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// A place in a text: where a value begins, or where reading stopped.
public struct TextPosition: Sendable, Hashable {
  /// From 1.
  public var line: Int
  /// Bytes before it, from 0.
  public var offset: Int

  package init(line: Int = 1, offset: Int = 0) {
    self.line = line
    self.offset = offset
  }
}

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
