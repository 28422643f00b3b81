import Base
import Crypto

/// A JWS taken apart, its signature not yet checked.
struct SignedContent {
  /// Largest content of a card when unpacked, bytes; prescriptions have 2,000 to 20,000.
  static let greatestSize = 65_536

  /// Fingerprint of the key that the header names.
  let key: KeyFingerprint
  private let signed: [UInt8]
  private let packed: [UInt8]
  private let signature: P256.Signing.ECDSASignature

  /// - Throws: ``PrescriptionError/malformed(reason:)``, ``PrescriptionError/unsupportedAlgorithm(_:)``.
  init(_ card: CardText) throws(PrescriptionError) {
    let characters = Array(card.jws.utf8)
    let parts = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed(reason: "found \(parts.count) parts, expected 3") }
    key = try Self.key(header: parts[0])
    guard let packed = Base64URL.bytes(parts[1]), let signature = Base64URL.bytes(parts[2]) else {
      throw .malformed(reason: "content or signature is not base64url in its canonical form")
    }
    guard signature.count == 64, let form = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
    else { throw .malformed(reason: "found a signature of \(signature.count) bytes, expected 64") }
    signed = Array(characters[..<(parts[1].endIndex)])
    self.packed = packed
    self.signature = form
  }

  private static func key(header: ArraySlice<UInt8>) throws(PrescriptionError) -> KeyFingerprint {
    guard let bytes = Base64URL.bytes(header), let json = try? JSONValue(bytes),
      case .object(let members) = json.content
    else { throw .malformed(reason: "the header is not a JSON object in base64url") }
    func text(_ key: String) -> String? {
      if case .text(let text) = json[key]?.content { text } else { nil }
    }
    guard let algorithm = text("alg") else { throw .malformed(reason: "the header names no algorithm") }
    guard algorithm == "ES256" else { throw .unsupportedAlgorithm(PrintableText.short(algorithm)) }
    guard members.allSatisfy({ ["zip", "alg", "kid"].contains($0.key) }) else {
      throw .malformed(reason: "the header has a member other than zip, alg and kid")
    }
    guard text("zip") == "DEF" else { throw .malformed(reason: "expected content packed with DEF") }
    guard let key = text("kid").flatMap({ KeyFingerprint(base64URL: $0) }) else {
      throw .malformed(reason: "expected a key id of 43 base64url characters")
    }
    return key
  }

  func isSigned(by key: P256.Signing.PublicKey) -> Bool { key.isValidSignature(signature, for: signed) }

  /// Content that carries the key that signed it, as a clinic's own card does. Nothing else in it is looked
  /// at before its signature is verified.
  ///
  /// - Returns: Nil when it carries no key, or does not unpack to JSON.
  /// - Throws: as ``check(ownKey:)``.
  func contentOfItsOwnKey() throws(PrescriptionError) -> JSONPlace? {
    guard let content = try? content(),
      let key = content.optional("vc")?.optional("credentialSubject")?.optional("jwk")
    else { return nil }
    _ = try check(ownKey: key)
    return content
  }

  /// Verifies the signature with a key that the content carries.
  ///
  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)`` when it is no key or not the one that
  ///   the header names, ``PrescriptionError/badSignature(name:)``.
  func check(ownKey jwk: JSONPlace) throws(PrescriptionError) -> P256.Signing.PublicKey {
    let own = try ClinicIdentity.key(try jwk.members("kty", "crv", "x", "y"))
    guard KeyFingerprint(own) == key else {
      throw .invalidContent(place: "jwk", reason: "it is not the key that the card names as its signer")
    }
    guard isSigned(by: own) else { throw .badSignature(name: key.clinicName) }
    return own
  }

  /// The content as JSON.
  func content() throws(PrescriptionError) -> JSONPlace {
    let bytes = try Deflate.unpacked(packed, limit: Self.greatestSize)
    return try JSONPlace(reading: bytes)
  }
}

/// Fields common to every card: kind and validity; the subject is not interpreted yet.
struct Envelope {
  let from: Instant
  let until: Instant?
  let kind: CardKind
  let subject: JSONPlace

  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  init(_ content: JSONPlace) throws(PrescriptionError) {
    let members = try content.members("iss", "nbf", "exp", "vc")
    // The key names the signer; the name of the issuer is for other readers of health cards.
    let issuer = try members("iss")
    guard 1...Self.greatestIssuerSize ~= (try issuer.text()).utf8.count else {
      throw issuer.failure("expected 1 to \(Self.greatestIssuerSize) bytes")
    }
    let seconds = Instant.writable.lowerBound.seconds...Instant.writable.upperBound.seconds
    from = Instant(seconds: try members("nbf").integer(seconds))
    until = (try members.optional("exp")?.integer(seconds)).map(Instant.init(seconds:))
    let credential = try members("vc").members("type", "credentialSubject")
    let type = try credential("type").element()
    guard let kind = CardKind(rawValue: try type.text()) else {
      throw type.failure("found \"\(PrintableText.short(try type.text()))\", not a type of card known here")
    }
    self.kind = kind
    subject = try credential("credentialSubject")
  }

  private static let greatestIssuerSize = 200

  /// Lead of a clinic's clock over the device's that is accepted, s. RFC 7519 allows "a few minutes".
  private static let clockLeeway = 120

  /// - Throws: ``PrescriptionError/notYetValid(from:)``, ``PrescriptionError/expired(at:)``.
  func checkTime(_ now: Instant) throws(PrescriptionError) {
    if now.seconds < from.seconds - Self.clockLeeway { throw .notYetValid(from: from) }
    if let until, now >= until { throw .expired(at: until) }
  }
}

/// Kind of a card, within what is signed, so that no card can be taken for another.
enum CardKind: String, CaseIterable {
  /// The type that SMART Health Cards demand of every card of theirs.
  case prescription = "https://smarthealth.cards#health-card"
  case clinic = "urn:auricle:clinic"
  case developerPass = "urn:auricle:developer-pass"
  case bindingPass = "urn:auricle:binding-pass"
  case returnPass = "urn:auricle:return-pass"

  var name: String {
    switch self {
    case .prescription: "a prescription"
    case .clinic: "a clinic's card"
    case .developerPass: "a developer pass"
    case .bindingPass: "a binding pass"
    case .returnPass: "a return pass"
    }
  }
}
