import Base
import Crypto

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
