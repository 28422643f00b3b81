import Base
import Crypto

/// A clinic by its name and public key, as its own card presents it.
///
/// The card is signed by the key that it carries. That proves that whoever made it holds the private key, and
/// that the name was not altered on the way; it does not prove that the name is true. For that, a person
/// compares the fingerprint before enrolling it.
package struct ClinicIdentity: Sendable, Hashable {
  package let name: String
  /// The clinic's page, `https://…`.
  package let url: String?
  /// Not to be trusted after it; nil: no end.
  package let validUntil: Instant?
  package let fingerprint: KeyFingerprint
  /// The card that this was read from: another device reads it again.
  package let card: CardText

  /// The key's 64 bytes, x and y.
  let point: [UInt8]

  package var publicKey: P256.Signing.PublicKey {
    guard let key = try? P256.Signing.PublicKey(rawRepresentation: point) else {
      preconditionFailure("a clinic's key was checked when it was read")
    }
    return key
  }

  /// What the QR code of the clinic says.
  package var cardText: String { card.text }

  /// The public key as a JWK, for other programs.
  package var jwk: String {
    Self.jwk(point, [.init(key: "kid", value: .text(fingerprint.base64URL))]).minified
  }

  /// Issuer that the clinic's cards name.
  var issuer: String { url ?? "urn:auricle" }

  init(
    name: String, url: String?, validUntil: Instant?, key: P256.Signing.PublicKey, card: CardText
  ) throws(PrescriptionError) {
    self.name = try PlainText.checked(name, field: "clinic's name")
    self.url = try url.map { text throws(PrescriptionError) in
      let text = try PlainText.checked(text, field: "clinic's address")
      guard text.hasPrefix("https://"), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
        throw .unusableText(
          field: "clinic's address", reason: "expected https:// and no space or accent in it")
      }
      return text
    }
    if let validUntil, !Instant.writable.contains(validUntil) { throw .momentOutOfRange("end of the key") }
    self.validUntil = validUntil
    self.card = card
    point = Array(key.rawRepresentation)
    fingerprint = KeyFingerprint(key)
  }

  static func jwk(_ point: [UInt8], _ more: [JSONValue.Member] = []) -> JSONValue {
    .object(
      [
        .init(key: "kty", value: "EC"), .init(key: "crv", value: "P-256"),
        .init(key: "x", value: .text(Base64URL.text(point[..<32]))),
        .init(key: "y", value: .text(Base64URL.text(point[32...]))),
      ] + more)
  }

  static func key(_ jwk: JSONMembers) throws(CardError) -> P256.Signing.PublicKey {
    try jwk("kty").fixed("EC")
    try jwk("crv").fixed("P-256")
    guard let x = Base64URL.bytes(try jwk("x").text().utf8),
      let y = Base64URL.bytes(try jwk("y").text().utf8),
      x.count == 32, y.count == 32, let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
    else { throw jwk.place.failure("expected a point of the curve P-256") }
    return key
  }
}

extension ClinicIdentity {
  /// What the clinic's card says.
  var subject: JSONValue {
    var members: [JSONValue.Member] = [.init(key: "name", value: .text(name))]
    if let url { members.append(.init(key: "url", value: .text(url))) }
    members.append(.init(key: "jwk", value: Self.jwk(point)))
    return .object(members)
  }

  /// Reads a clinic's card and checks that the key it carries signed it. Whether it is still valid is not
  /// looked at.
  ///
  /// - Throws: ``CardError``.
  package init(reading card: CardText) throws(CardError) {
    let signed = try SignedContent(card)
    guard let content = try signed.contentOfItsOwnKey() else {
      throw .invalidContent(
        place: "the content", reason: "expected a clinic's card, which carries the key that signs it")
    }
    let envelope = try ReadEnvelope(content)
    guard envelope.kind == .clinic else {
      throw .invalidContent(
        place: "vc.type", reason: "expected a clinic's card, found \(envelope.kind.name)")
    }
    self = try Self(envelope, signed, card)
  }

  init(_ envelope: ReadEnvelope, _ signed: SignedContent, _ card: CardText) throws(CardError) {
    let members = try envelope.subject.members("name", "url", "jwk")
    let key = try signed.check(ownKey: try members("jwk"))
    let name = try members("name").text()
    let url = try members.optional("url")?.text()
    do {
      try self.init(name: name, url: url, validUntil: envelope.until, key: key, card: card)
    } catch { throw envelope.subject.failure("\(error)") }
  }
}

/// What a clinic's key is known by: the SHA-256 thumbprint of its public JWK (RFC 7638).
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

  /// For people to compare aloud, all of it: 16 groups of four hexadecimal digits. Base64 has letters in two
  /// cases and an `l` like an `I`.
  package var grouped: String {
    stride(from: 0, to: bytes.count, by: 2).map { index in
      bytes[index..<index + 2].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        .joined()
    }.joined(separator: " ")
  }
}

extension KeyFingerprint: CustomStringConvertible {
  package var description: String { grouped }
}
