import Base
import Crypto

/// A clinic's private key with the clinic's own card.
///
/// - Threads: any.
package struct ClinicKey: Sendable {
  package let identity: ClinicIdentity
  let key: P256.Signing.PrivateKey

  /// Makes a new key for a clinic and signs the clinic's card with it.
  ///
  /// - Parameters:
  ///   - name: As patients know the clinic.
  ///   - url: The clinic's page, `https://…`.
  ///   - created: The card is valid from then.
  ///   - validUntil: Cards signed with the key are refused after it; nil: no end.
  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(
    new name: String, url: String? = nil, created: Instant, validUntil: Instant? = nil
  ) throws(PrescriptionError) {
    self = try Self(key: P256.Signing.PrivateKey(), name, url, created, validUntil)
  }

  init(identity: ClinicIdentity, key: P256.Signing.PrivateKey) {
    self.identity = identity
    self.key = key
  }

  package init(
    key: P256.Signing.PrivateKey, _ name: String, _ url: String?, _ created: Instant, _ validUntil: Instant?
  ) throws(PrescriptionError) {
    guard Instant.writable.contains(created) else { throw .momentOutOfRange("creation") }
    if let validUntil, validUntil <= created { throw .expiresBeforeIssue }
    // Checked before it is signed; the card itself comes after.
    let draft = try ClinicIdentity(
      name: name, url: url, validUntil: validUntil, key: key.publicKey, card: CardText(jws: ""))
    let envelope = Envelope(
      issuer: draft.issuer, from: created, until: validUntil, kind: .clinic, subject: draft.subject)
    identity = try ClinicIdentity(
      name: name, url: url, validUntil: validUntil, key: key.publicKey,
      card: try SignedContent.card(envelope.json, key: key))
    self.key = key
  }
}

extension ClinicKey {
  /// Signs a prescription. Its card does not name the clinic: whoever reads it takes the name from the key.
  ///
  /// - Throws: ``PrescriptionError/foreignClinic(named:signing:)`` when the prescriber's clinic is not the
  ///   key's, ``PrescriptionError/expiredKey(name:at:)`` when it is issued after the key's end,
  ///   ``PrescriptionError/tooLarge(size:limit:)``, ``PrescriptionError/signingFailed(reason:)``.
  package func sign(_ prescription: Prescription) throws(PrescriptionError) -> CardText {
    guard prescription.prescriber.clinic == identity.name else {
      throw .foreignClinic(named: prescription.prescriber.clinic, signing: identity.name)
    }
    return try sign(
      .prescription, PrescriptionBundle.subject(prescription), from: prescription.issued,
      until: prescription.expires)
  }

  /// Signs a developer pass; throws as ``sign(_:)-(Prescription)``.
  package func sign(_ pass: DeveloperPass) throws(PrescriptionError) -> CardText {
    try sign(.developerPass, pass.subject, from: pass.issued, until: pass.expires)
  }

  /// Signs a binding pass; throws as ``sign(_:)-(Prescription)``.
  package func sign(_ pass: BindingPass) throws(PrescriptionError) -> CardText {
    try sign(.bindingPass, pass.subject, from: pass.issued, until: pass.expires)
  }

  private func sign(
    _ kind: CardKind, _ subject: JSONValue, from: Instant, until: Instant?
  ) throws(PrescriptionError) -> CardText {
    if let end = identity.validUntil, from >= end { throw .expiredKey(name: identity.name, at: end) }
    let envelope = Envelope(issuer: identity.issuer, from: from, until: until, kind: kind, subject: subject)
    return try SignedContent.card(envelope.json, key: key)
  }
}

// For trials of hostile cards: cards that are bad behind a good signature, which only who has the key can
// make.

extension ClinicKey {
  /// A JWS of any header and packed content.
  package func jws(header: [UInt8], packed: [UInt8]) throws(PrescriptionError) -> String {
    let signed = Base64URL.text(header) + "." + Base64URL.text(packed)
    do {
      let signature = try key.signature(for: Array(signed.utf8))
      return signed + "." + Base64URL.text(signature.rawRepresentation)
    } catch { throw .signingFailed(reason: "\(error)") }
  }
}

extension CardText {
  /// The three parts of a well-formed JWS as bytes, the second one packed.
  package var parts: [[UInt8]] {
    jws.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      Base64URL.bytes($0) ?? []
    }
  }

  /// The content of a well-formed JWS, unpacked.
  package func content() throws(PrescriptionError) -> [UInt8] {
    try Deflate.unpacked(parts[1], limit: SignedContent.greatestSize)
  }
}
