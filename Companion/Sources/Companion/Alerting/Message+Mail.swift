import Foundation

extension Message {
  /// The message as a mail program takes it (RFC 5322, RFC 2045), its lines ended by a line feed.
  ///
  /// Its header is ASCII, but for an address that is not: one in UTF-8 is delivered only where every host
  /// on the way has SMTPUTF8 (RFC 6531), and another host returns the message after the mail program has
  /// ended with 0.
  var mail: String {
    """
    To: \(address)
    Subject: \(HeaderText.encoded(subject))
    MIME-Version: 1.0
    Content-Type: text/plain; charset=utf-8
    Content-Transfer-Encoding: 8bit

    \(text)

    """
  }
}

/// Text of people in a header of a mail (RFC 2047).
enum HeaderText {
  /// Bytes of an encoded word. A line with such words has at most 76 characters (RFC 2047, 2): `Subject: `
  /// has 9, `=?utf-8?B?` and `?=` have 12, which leaves 55, and base64 makes 4 characters of 3 bytes: 52 of
  /// 39.
  static let bytesOfWord = 39

  /// Most characters of a text that stands as it is: a line of a mail has 998 (RFC 5322, 2.1.1), and the
  /// header's name before it 9.
  static let longestLine = 989

  /// The text itself where it is printable ASCII, and otherwise words of base64, one a line, each of whole
  /// characters of UTF-8.
  ///
  /// No text begins another header: its line breaks are within the base64, and each line after the first
  /// begins with a space.
  static func encoded(_ text: String) -> String {
    let isPlain = text.utf8.count <= longestLine && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    // A reader would decode what only looks encoded.
    guard !isPlain || text.contains("=?") else { return text }
    var (words, word) = ([String](), "")
    for scalar in text.unicodeScalars {
      let character = String(scalar)
      if word.utf8.count + character.utf8.count > bytesOfWord {
        words.append(word)
        word = ""
      }
      word.unicodeScalars.append(scalar)
    }
    words.append(word)
    return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\n ")
  }
}
