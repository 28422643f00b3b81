public import Crypto

/// A clinic by its name and public key, as its own card presents it.
///
/// The card is signed by the key that it carries. That proves that whoever made it holds the private key, and
/// that the name was not altered on the way; it does not prove that the name is true. For that, a person
/// compares the fingerprint before enrolling it.
public struct ClinicIdentity: Sendable, Hashable {
  public let name: String
  /// The clinic's page, `https://…`.
  public let url: String?
  /// Not to be trusted after it; nil: no end.
  public let validUntil: Instant?
  public let fingerprint: KeyFingerprint
  /// The card that this was read from: another device reads it again.
  public let card: CardText

  /// The key's 64 bytes, x and y.
  let point: [UInt8]

  public var publicKey: P256.Signing.PublicKey {
    guard let key = try? P256.Signing.PublicKey(rawRepresentation: point) else {
      preconditionFailure("a clinic's key was checked when it was read")
    }
    return key
  }

  /// What the QR code of the clinic says.
  public var cardText: String { card.text }

  /// The public key as a JWK, for other programs.
  public var jwk: String {
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
