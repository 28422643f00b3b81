import Foundation
import Testing

@testable import Companion

@Suite("The header of a mail (RFC 2047)") struct MailHeaderTests {
  /// 46 C3 BC 6E 66 is 010001 101100 001110 111100, 011011 100110 0110(00), which is R s O 8, b m Y =.
  @Test("Fünf is one word of base64; printable ASCII stands as it is, but for a text that looks encoded")
  func short() {
    #expect(HeaderText.encoded("Fünf") == "=?utf-8?B?RsO8bmY=?=")
    #expect(
      HeaderText.encoded("an answer in Sleep needs attention") == "an answer in Sleep needs attention")
    // 3D 3F is 001111 010011 1111(00), which is P T 8 =.
    #expect(HeaderText.encoded("=?") == "=?utf-8?B?PT8=?=")
  }

  /// 40 times C3 A4, at most 39 bytes a word: 19, 19 and 2. Three are w6TDpMOk, one is w6Q=, two are
  /// w6TDpA==.
  @Test("80 bytes are three words, each on a line of its own behind a space")
  func long() {
    let word = String(repeating: "w6TDpMOk", count: 6) + "w6Q="
    #expect(
      HeaderText.encoded(String(repeating: "ä", count: 40))
        == "=?utf-8?B?\(word)?=\n =?utf-8?B?\(word)?=\n =?utf-8?B?w6TDpA==?=")
  }

  @Test(
    "no character is split, no word is longer than 75 and no line than 76, and together they are the text",
    arguments: [
      "Fünfzehn Tage Schlaf, und was danach kommt, für alle, die müde sind",
      String(repeating: "a", count: 37) + "👂🏽" + String(repeating: "耳", count: 50),
      String(repeating: "a", count: 1000), "é", "Ωμέγα\u{0}\u{7F}",
    ])
  func whole(text: String) throws {
    let lines = "Subject: \(HeaderText.encoded(text))".components(separatedBy: "\n")
    #expect(
      lines.allSatisfy { line in line.count <= 76 && line.utf8.allSatisfy { 0x20...0x7E ~= $0 } })
    var joined = ""
    for (place, line) in lines.enumerated() {
      let lead = place == 0 ? "Subject: " : " "
      let word = String(line.dropFirst(lead.count))
      #expect(line.hasPrefix(lead) && word.count <= 75)
      #expect(word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?="))
      let bytes = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
      joined += try #require(String(validating: bytes, as: UTF8.self))
    }
    #expect(Array(joined.utf8) == Array(text.utf8))
  }

  @Test("a line break in a subject begins no other header", arguments: ["\n", "\r", "\r\n", "\u{2028}"])
  func lineBreak(text: String) {
    let encoded = HeaderText.encoded("Sleep\(text)Bcc: eve@example.org")
    #expect(encoded.hasPrefix("=?utf-8?B?") && !encoded.contains("Bcc"))
    #expect(!encoded.unicodeScalars.contains("\r"))
    #expect(encoded.components(separatedBy: "\n").dropFirst().allSatisfy { $0.hasPrefix(" ") })
  }
}
