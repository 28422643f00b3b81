import Base
import Crypto

/// A clinic by its name and public key, as its own card presents it.
///
/// The card is signed by the key that it carries. That proves that whoever made it holds the private key,
/// and that the name was not altered on the way; it does not prove that the name is true. For that, a
/// person compares the fingerprint before enrolling it.
package struct ClinicIdentity: Sendable, Hashable {
  package let name: String
  /// The clinic's page, `https://…`.
  package let url: String?
  /// The clinic's telephone number, as people write it.
  package let telephone: String?
  /// Not to be trusted after it; nil: no end.
  package let validUntil: Instant?
  package let fingerprint: KeyFingerprint
  /// The card that this was read from: another device reads it again.
  package internal(set) var card: CardText

  /// The key's 64 bytes, x and y.
  let point: [UInt8]

  package var publicKey: P256.Signing.PublicKey {
    guard let key = try? P256.Signing.PublicKey(rawRepresentation: point) else {
      preconditionFailure("a clinic's key was checked when it was read")
    }
    return key
  }

  /// Text of the clinic's QR code.
  package var cardText: String { card.text }

  /// The public key as a JWK, for other programs.
  package var jwk: String { Self.jwk(point, kid: fingerprint.base64URL).minified }

  /// The key as a JWK set, as readers of SMART Health Cards look for it at the issuer's address, below
  /// `/.well-known/jwks.json`.
  package var keySet: String {
    let members: JSONValue = [
      "kty": "EC", "kid": .text(fingerprint.base64URL), "use": "sig", "alg": "ES256", "crv": "P-256",
      "x": .text(Base64URL.text(point[..<32])), "y": .text(Base64URL.text(point[32...])),
    ]
    return JSONValue.object([.init(key: "keys", value: [members])]).minified
  }

  /// Issuer that the clinic's cards name.
  var issuer: String { url ?? "urn:auricle" }

  init(
    name: String, url: String?, telephone: String?, validUntil: Instant?, key: P256.Signing.PublicKey,
    card: CardText
  ) throws(PrescriptionError) {
    self.name = try PlainText.checked(name, field: "clinic's name")
    let address = "clinic's address"
    if let url, !url.hasPrefix("https://") || !url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) {
      throw .unusable(field: address, reason: "expected https:// and no space or accent in it")
    }
    self.url = try PlainText.checked(url, field: address)
    if let telephone, telephone.utf8.count > Self.longestTelephone || !telephone.contains(where: \.isNumber)
    {
      throw .unusable(
        field: "clinic's telephone",
        reason: "expected a number of at most \(Self.longestTelephone) characters")
    }
    self.telephone = try PlainText.checked(telephone, field: "clinic's telephone")
    try validUntil?.check("end of the key")
    self.validUntil = validUntil
    self.card = card
    point = Array(key.rawRepresentation)
    fingerprint = KeyFingerprint(key)
  }

  /// Most characters of a telephone number, so that it is printed large.
  static let longestTelephone = 30

  static func jwk(_ point: [UInt8], kid: String? = nil, d: String? = nil, card: String? = nil) -> JSONValue
  {
    [
      "kty": "EC", "crv": "P-256", "x": .text(Base64URL.text(point[..<32])),
      "y": .text(Base64URL.text(point[32...])), "d": d.map(JSONValue.text), "kid": kid.map(JSONValue.text),
      "auricle_card": card.map(JSONValue.text),
    ]
  }

  static func key(_ jwk: JSONPlace) throws(PrescriptionError) -> P256.Signing.PublicKey {
    try jwk("kty").fixed("EC")
    try jwk("crv").fixed("P-256")
    guard let x = Base64URL.bytes(try jwk("x").text().utf8),
      let y = Base64URL.bytes(try jwk("y").text().utf8),
      x.count == 32, y.count == 32, let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
    else { throw jwk.failure("expected a point of the curve P-256") }
    return key
  }
}

extension ClinicIdentity {
  /// A caution, a whole sentence, on a card that devices refuse before its own end, because the clinic's key ends; nil: it is good
  /// until its own.
  ///
  /// - Parameter end: Last use that the card itself states; nil: it states none.
  package func caution(ofCardUntil end: Instant?) -> String? {
    guard let validUntil, end.map({ validUntil < $0 }) ?? true else { return nil }
    return "Devices refuse this card from \(validUntil.localText) on, for the clinic's key ends then."
  }
}

extension ClinicIdentity {
  /// Content of the clinic's card.
  var subject: JSONValue {
    [
      "name": .text(name), "url": url.map(JSONValue.text), "telephone": telephone.map(JSONValue.text),
      "jwk": Self.jwk(point),
    ]
  }

  /// Reads a clinic's card and checks that the key it carries signed it, not its validity.
  ///
  /// - Throws: ``PrescriptionError``.
  package init(reading card: CardText) throws(PrescriptionError) {
    let signed = try SignedContent(card)
    guard let content = try signed.contentOfItsOwnKey() else {
      throw .invalidContent(
        place: "the content", reason: "expected a clinic's card, which carries the key that signs it")
    }
    let envelope = try Envelope(content)
    guard envelope.kind == .clinic else {
      throw .invalidContent(
        place: "vc.type", reason: "expected a clinic's card, found \(envelope.kind.name)")
    }
    self = try Self(envelope, signed, card)
  }

  init(_ envelope: Envelope, _ signed: SignedContent, _ card: CardText) throws(PrescriptionError) {
    let members = try envelope.subject.members("name", "url", "telephone", "jwk")
    let key = try signed.check(ownKey: try members("jwk"))
    self = try members.making {
      try Self(
        name: members("name").text(), url: members.optional("url")?.text(),
        telephone: members.optional("telephone")?.text(), validUntil: envelope.until, key: key, card: card)
    }
  }
}
