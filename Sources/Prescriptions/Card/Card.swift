/// A card that was read, its signature and dates checked.
///
/// - Threads: any.
public enum Card: Sendable, Hashable {
  case prescription(SignedPrescription)
  /// A clinic that introduces itself. Nobody vouches for it but its own key.
  case clinic(ClinicIdentity)
  case developerPass(SignedPass<DeveloperPass>)
  case bindingPass(SignedPass<BindingPass>)

  /// Largest content of a card when unpacked, bytes; prescriptions have 2,000 to 20,000.
  public static let greatestContentSize = 65_536

  /// By how much a clinic's clock may be ahead of the device's, s. RFC 7519 allows "a few minutes".
  public static let clockLeeway = 120

  /// Reads a card. What nobody signed who is trusted is not interpreted: of content under an unknown key only
  /// the key that a clinic's card carries is looked at, until the signature is found to be that key's.
  ///
  /// Clinics' own cards are read whoever is trusted: enrolling or renewing is the reader's decision.
  ///
  /// - Parameters:
  ///   - text: `shc:/…` or a bare JWS, white space around it or not.
  ///   - clinics: All enrolled, revoked ones too; of two with one key the later enrolled counts.
  ///   - now: The device's time.
  /// - Throws: ``CardError``; each refusal has its own case.
  public static func read(
    _ text: String, trusting clinics: [TrustedClinic], at now: Instant
  ) throws(CardError) -> Card {
    let card = try CardText(reading: text)
    let signed = try SignedContent(card)
    guard let clinic = trusted(signed.key, clinics) else {
      guard let content = try signed.contentOfItsOwnKey(), let envelope = try? ReadEnvelope(content),
        envelope.kind == .clinic
      else { throw .unknownKey(signed.key) }
      let identity = try ClinicIdentity(envelope, signed, card)
      try envelope.checkTime(now)
      return .clinic(identity)
    }
    let identity = clinic.identity
    guard signed.isSigned(by: identity.publicKey) else { throw .badSignature(name: identity.name) }
    let envelope = try ReadEnvelope(try signed.content())
    if envelope.kind != .clinic { try check(clinic, now) }
    let content = try CardContent(envelope, signed, card, clinic: identity.name)
    try envelope.checkTime(now)
    switch content {
    case .prescription(let prescription):
      if let end = prescription.trialEnds, now >= end { throw .trialOver(at: end) }
      return .prescription(Signed(prescription, identity, card))
    case .clinic(let identity): return .clinic(identity)
    case .developerPass(let pass): return .developerPass(Signed(pass, identity, card))
    case .bindingPass(let pass): return .bindingPass(Signed(pass, identity, card))
    }
  }

  private static func trusted(_ key: KeyFingerprint, _ clinics: [TrustedClinic]) -> TrustedClinic? {
    clinics.filter { $0.identity.fingerprint == key }.max { $0.enrolled < $1.enrolled }
  }

  private static func check(_ clinic: TrustedClinic, _ now: Instant) throws(CardError) {
    if let revoked = clinic.revoked { throw .revokedKey(name: clinic.identity.name, at: revoked) }
    if let end = clinic.identity.validUntil, now >= end {
      throw .expiredKey(name: clinic.identity.name, at: end)
    }
  }
}
