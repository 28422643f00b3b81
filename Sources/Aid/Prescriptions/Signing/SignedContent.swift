import Base
import Crypto

/// A card's JWS taken apart, its signature not yet checked.
struct SignedContent {
  /// Largest content of a card when unpacked, bytes; prescriptions have 2,000 to 20,000.
  static let greatestSize = 65_536

  private let jws: CompactJWS

  /// Fingerprint of the key that the header names.
  var key: KeyFingerprint { jws.key }

  /// - Throws: ``PrescriptionError/malformed(reason:)``, ``PrescriptionError/unsupportedAlgorithm(_:)``.
  init(_ card: CardText) throws(PrescriptionError) {
    do throws(CompactJWS.Fault) {
      jws = try CompactJWS(Array(card.jws.utf8), naming: "zip")
    } catch {
      switch error {
      case .malformed(let reason): throw .malformed(reason: reason)
      case .algorithm(let name): throw .unsupportedAlgorithm(name)
      case .lacksMember: throw Self.unpacked
      }
    }
    guard jws.member == "DEF" else { throw Self.unpacked }
  }

  private static let unpacked = PrescriptionError.malformed(reason: "expected content packed with DEF")

  func isSigned(by key: P256.Signing.PublicKey) -> Bool { jws.isSigned(by: key) }

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
    let bytes = try Deflate.unpacked(jws.content, limit: Self.greatestSize)
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
