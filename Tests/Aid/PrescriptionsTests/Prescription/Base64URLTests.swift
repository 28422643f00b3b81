import Testing

@testable import Prescriptions

@Suite("Base64 for addresses") struct Base64URLTests {
  @Test(
    "bytes and text of RFC 4648 section 10, without its padding, and of RFC 7515 appendix C",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(content: String, text: String) {
    #expect(Base64URL.text(content.utf8) == text)
    #expect(Base64URL.bytes(text.utf8) == Array(content.utf8))
    #expect(Base64URL.text([3, 236, 255, 224, 193] as [UInt8]) == "A-z_4ME")
    #expect(Base64URL.bytes("A-z_4ME".utf8) == [3, 236, 255, 224, 193])
  }

  // The value of a character is its place in table 2 of RFC 4648.
  @Test("each character stands for its six bits, in each of four places")
  func alphabet() {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    for (value, character) in alphabet.enumerated() {
      for place in 0..<4 {
        var characters = Array("AAAA".utf8)
        characters[place] = character
        let bits = value << (6 * (3 - place))
        let bytes = [bits >> 16, bits >> 8, bits].map { UInt8(truncatingIfNeeded: $0) }
        #expect(Base64URL.bytes(characters) == bytes)
        #expect(Base64URL.text(bytes).utf8.elementsEqual(characters))
      }
    }
  }

  @Test(
    "padding, the other alphabet, a length that no bytes have, set bits after the last byte and anything outside the alphabet are refused",
    arguments: [
      "Zg==", "Zg=", "Zm9v=", "=", "A+z_4ME", "A-z/4ME", "A", "Zm9vY", "Zh", "Zv", "Zm9", "Zm-", "Zm9vYh",
      " Zg",
      "Zg ", "Zg\n", "Zm\n9v", "Zé", "Zm9v\u{0}", "Z.g", "ＺＧ",
    ])
  func refused(text: String) {
    #expect(Base64URL.bytes(text.utf8) == nil)
  }

  @Test("bytes beyond ASCII are refused, each in each of four places")
  func foreign() {
    for byte in UInt8(128)...255 {
      for place in 0..<4 {
        var characters = Array("AAAA".utf8)
        characters[place] = byte
        #expect(Base64URL.bytes(characters) == nil)
      }
    }
  }
}
