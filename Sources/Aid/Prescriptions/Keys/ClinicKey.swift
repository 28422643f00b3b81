import Base
import Crypto

/// A clinic's private key with the clinic's own card: what signs.
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
  /// - Throws: ``ClinicKeyError/unusable(_:)``, ``ClinicKeyError/signing(_:)``.
  package init(
    new name: String, url: String? = nil, created: Instant, validUntil: Instant? = nil
  ) throws(ClinicKeyError) {
    self = try Self(key: P256.Signing.PrivateKey(), name, url, created, validUntil)
  }

  /// The same key with another name, address or end of validity, for a clinic that moves or goes on.
  ///
  /// - Throws: ``ClinicKeyError/unusable(_:)``, ``ClinicKeyError/signing(_:)``.
  package func renewed(
    name: String, url: String? = nil, created: Instant, validUntil: Instant? = nil
  ) throws(ClinicKeyError) -> ClinicKey {
    try ClinicKey(key: key, name, url, created, validUntil)
  }

  init(identity: ClinicIdentity, key: P256.Signing.PrivateKey) {
    self.identity = identity
    self.key = key
  }

  package init(
    key: P256.Signing.PrivateKey, _ name: String, _ url: String?, _ created: Instant, _ validUntil: Instant?
  ) throws(ClinicKeyError) {
    do {
      guard Instant.writable.contains(created) else { throw PrescriptionError.momentOutOfRange("creation") }
      if let validUntil, validUntil <= created { throw PrescriptionError.expiresBeforeIssue }
      // Checked before it is signed; the card itself comes after.
      let draft = try ClinicIdentity(
        name: name, url: url, validUntil: validUntil, key: key.publicKey, card: CardText(jws: ""))
      let envelope = Envelope(
        issuer: draft.issuer, from: created, until: validUntil, kind: .clinic, subject: draft.subject)
      identity = try ClinicIdentity(
        name: name, url: url, validUntil: validUntil, key: key.publicKey,
        card: try SignedContent.card(envelope.json, key: key))
    } catch let error as PrescriptionError {
      throw .unusable(error)
    } catch let error as CardError {
      throw .signing(error)
    } catch { throw .unreadable(reason: "\(error)") }
    self.key = key
  }
}

extension ClinicKey {
  /// Signs a prescription. Its card does not name the clinic: whoever reads it takes the name from the key.
  ///
  /// - Throws: ``CardError/foreignClinic(named:signing:)`` when the prescriber's clinic is not the key's,
  ///   ``CardError/expiredKey(name:at:)`` when it is issued after the key's end,
  ///   ``CardError/tooLarge(size:limit:)``, ``CardError/signingFailed(reason:)``.
  package func sign(_ prescription: Prescription) throws(CardError) -> CardText {
    guard prescription.prescriber.clinic == identity.name else {
      throw .foreignClinic(named: prescription.prescriber.clinic, signing: identity.name)
    }
    return try sign(
      .prescription, PrescriptionBundle.subject(prescription), from: prescription.issued,
      until: prescription.expires)
  }

  /// Signs a developer pass; throws as ``sign(_:)-(Prescription)``.
  package func sign(_ pass: DeveloperPass) throws(CardError) -> CardText {
    try sign(.developerPass, pass.subject, from: pass.issued, until: pass.expires)
  }

  /// Signs a binding pass; throws as ``sign(_:)-(Prescription)``.
  package func sign(_ pass: BindingPass) throws(CardError) -> CardText {
    try sign(.bindingPass, pass.subject, from: pass.issued, until: pass.expires)
  }

  private func sign(
    _ kind: CardKind, _ subject: JSONValue, from: Instant, until: Instant?
  ) throws(CardError) -> CardText {
    if let end = identity.validUntil, from >= end { throw .expiredKey(name: identity.name, at: end) }
    let envelope = Envelope(issuer: identity.issuer, from: from, until: until, kind: kind, subject: subject)
    return try SignedContent.card(envelope.json, key: key)
  }
}

/// Why a clinic's key is not made, sealed or opened.
package enum ClinicKeyError: Error, Equatable {
  /// A name, an address or a moment that does not fit.
  case unusable(PrescriptionError)
  /// The clinic's own card was not signed.
  case signing(CardError)
  /// Shorter than ``ClinicKey/shortestPassphrase``.
  case passphraseTooShort(limit: Int)
  /// The key does not open with it, or the file was altered: the two cannot be told apart.
  case wrongPassphrase
  /// Not a key file of this kind.
  case unreadable(reason: String)
}

extension ClinicKeyError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unusable(let error): "\(error)"
    case .signing(let error): "\(error)"
    case .passphraseTooShort(let limit): "passphrase: expected at least \(limit) characters"
    case .wrongPassphrase:
      "the passphrase does not open the clinic's key: it is wrong, or the file was altered"
    case .unreadable(let reason): "not a clinic's key file: \(reason)"
    }
  }
}
