import Base
import Crypto
import FoundationEssentials

/// SHA-256 thumbprint of a clinic's public JWK (RFC 7638), by which people and cards name the key.
package struct KeyFingerprint: Sendable, Hashable {
  /// 32.
  package let bytes: [UInt8]

  package init(_ key: P256.Signing.PublicKey) {
    let raw = Array(key.rawRepresentation)
    // RFC 7638: the required members only, in the order of their names, without white space.
    let jwk: JSONValue = [
      "crv": "P-256", "kty": "EC", "x": .text(Base64URL.text(raw[..<32])),
      "y": .text(Base64URL.text(raw[32...])),
    ]
    bytes = Array(SHA256.hash(data: Array(jwk.minified.utf8)))
  }

  /// As a card's key id writes it: 43 characters. Nil for anything else.
  package init?(base64URL text: String) {
    guard let bytes = Base64URL.bytes(text.utf8), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The key id (`kid`) of cards signed with the key.
  package var base64URL: String { Base64URL.text(bytes) }

  /// In the place of a clinic's name while nobody vouches for one.
  var clinicName: String { "clinic of key \(grouped.prefix(19)) …" }

  /// For people to compare aloud, all of it: 16 groups of four hexadecimal digits. Base64 has letters in
  /// two cases and an `l` like an `I`.
  package var grouped: String {
    stride(from: 0, to: bytes.count, by: 2).map { index in
      Hexadecimal.text(bytes[index..<index + 2]).uppercased()
    }.joined(separator: " ")
  }
}

extension KeyFingerprint: CustomStringConvertible {
  package var description: String { grouped }
}

/// Base64 with the alphabet for addresses and without padding (RFC 4648 section 5), in its one canonical
/// form.
package enum Base64URL {
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: characters(of: Data(bytes)), as: UTF8.self)
  }

  /// Nil for any text that ``text(_:)`` does not write: a foreign character, padding, an impossible length,
  /// or set bits after the last byte, through which one content would have several texts.
  package static func bytes(_ characters: some Collection<UInt8>) -> [UInt8]? {
    let padding = repeatElement(UInt8(ascii: "="), count: -characters.count & 3)
    guard let bytes = Data(base64Encoded: Data(characters.map(exchanged) + padding)),
      self.characters(of: bytes).elementsEqual(characters)
    else { return nil }
    return Array(bytes)
  }

  private static func characters(of bytes: Data) -> [UInt8] {
    let padded = bytes.base64EncodedData().map(exchanged)
    return Array(padded.prefix { $0 != UInt8(ascii: "=") })
  }

  /// The character that the other alphabet has in this one's place: `+` and `/` are `-` and `_` in addresses.
  private static func exchanged(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: character
    }
  }
}
