public import Crypto

/// What a clinic's key is known by: the SHA-256 thumbprint of its public JWK (RFC 7638).
public struct KeyFingerprint: Sendable, Hashable {
  /// 32.
  public let bytes: [UInt8]

  public init(_ key: P256.Signing.PublicKey) {
    let raw = Array(key.rawRepresentation)
    // RFC 7638: the required members only, in the order of their names, without white space.
    let jwk: JSONValue = [
      "crv": "P-256", "kty": "EC", "x": .text(Base64URL.text(raw[..<32])),
      "y": .text(Base64URL.text(raw[32...])),
    ]
    bytes = Array(SHA256.hash(data: Array(jwk.minified.utf8)))
  }

  /// As a card's key id writes it: 43 characters. Nil for anything else.
  public init?(base64URL text: String) {
    guard let bytes = Base64URL.bytes(text.utf8), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The key id (`kid`) of cards signed with the key.
  public var base64URL: String { Base64URL.text(bytes) }

  /// In the place of a clinic's name while nobody vouches for one.
  var clinicName: String { "clinic of key \(grouped.prefix(19)) …" }

  /// For people to compare aloud, all of it: 16 groups of four hexadecimal digits. Base64 has letters in two
  /// cases and an `l` like an `I`.
  public var grouped: String {
    stride(from: 0, to: bytes.count, by: 2).map { index in
      bytes[index..<index + 2].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        .joined()
    }.joined(separator: " ")
  }
}

extension KeyFingerprint: CustomStringConvertible {
  public var description: String { grouped }
}
