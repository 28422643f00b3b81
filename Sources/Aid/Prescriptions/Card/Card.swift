/// A card whose signature and dates were checked, with the clinic that signed it and its text.
///
/// ``Card/read(_:trusting:at:)`` alone makes one. It is handed on to whatever the card is for: nobody
/// unpacks the text or checks the signature again.
///
/// - Threads: any.
package enum VerifiedCard: Sendable, Hashable {
  case prescription(Signed<Prescription>)
  /// A clinic that introduces itself. Nobody vouches for it but its own key.
  case clinic(ClinicIdentity)
  case developerPass(Signed<DeveloperPass>)
  case bindingPass(Signed<BindingPass>)
  case returnPass(Signed<ReturnPass>)
}

/// Content whose signature was checked, with the clinic that signed it.
package struct Signed<Content: Sendable & Hashable>: Sendable, Hashable {
  package let content: Content
  package let clinic: ClinicIdentity
  /// The card as the clinic signed it.
  package let text: CardText
}

/// A clinic whose key an owner of the device enrolled.
package struct TrustedClinic: Sendable, Hashable {
  package let identity: ClinicIdentity
  package let enrolled: Instant
  /// Moment at which trust was withdrawn; nil: in force.
  package let revoked: Instant?

  package init(identity: ClinicIdentity, enrolled: Instant, revoked: Instant? = nil) {
    self.identity = identity
    self.enrolled = enrolled
    self.revoked = revoked
  }
}

/// Reading and inspection of cards.
package enum Card {
  /// Reads and verifies a card. Content is interpreted only when a trusted clinic signed it; of content
  /// under an unknown key, only the key that a clinic's card carries is read until the signature is found
  /// to be that key's.
  ///
  /// Clinics' own cards are read whoever is trusted: enrolling or renewing is the reader's decision.
  ///
  /// - Parameters:
  ///   - text: `shc:/…` or a bare JWS, with or without white space around it.
  ///   - clinics: All enrolled ones, also revoked; of two with one key the later enrolled counts.
  ///   - now: The device's time.
  /// - Throws: ``PrescriptionError``; each refusal has its own case.
  package static func read(
    _ text: String, trusting clinics: [TrustedClinic], at now: Instant
  ) throws(PrescriptionError) -> VerifiedCard {
    let card = try CardText(reading: text)
    let (content, clinic) = try verified(card, clinics, now)
    return switch content {
    case .prescription(let content): .prescription(Signed(content: content, clinic: clinic, text: card))
    case .clinic(let identity): .clinic(identity)
    case .developerPass(let content): .developerPass(Signed(content: content, clinic: clinic, text: card))
    case .bindingPass(let content): .bindingPass(Signed(content: content, clinic: clinic, text: card))
    case .returnPass(let content): .returnPass(Signed(content: content, clinic: clinic, text: card))
    }
  }

  /// Content of a good card, and the clinic whose key signed it.
  private static func verified(
    _ card: CardText, _ clinics: [TrustedClinic], _ now: Instant
  ) throws(PrescriptionError) -> (content: CardContent, clinic: ClinicIdentity) {
    let signed = try SignedContent(card)
    guard let clinic = trusted(signed.key, clinics) else {
      guard let content = try signed.contentOfItsOwnKey(), let envelope = try? Envelope(content),
        envelope.kind == .clinic
      else { throw .unknownKey(signed.key) }
      let identity = try ClinicIdentity(envelope, signed, card)
      try envelope.checkTime(now)
      return (.clinic(identity), identity)
    }
    let identity = clinic.identity
    guard signed.isSigned(by: identity.publicKey) else { throw .badSignature(name: identity.name) }
    let envelope = try Envelope(try signed.content())
    if envelope.kind != .clinic { try check(clinic, now) }
    let content = try CardContent(envelope, signed, card, clinic: identity.name)
    try envelope.checkTime(now)
    if case .prescription(let prescription) = content, let end = prescription.trialEnds, now >= end {
      throw .trialOver(at: end)
    }
    return (content, identity)
  }

  /// The clinic of a key, revoked or not; of two the one that was enrolled later. Nil: it was never enrolled.
  static func trusted(_ key: KeyFingerprint, _ clinics: [TrustedClinic]) -> TrustedClinic? {
    clinics.filter { $0.identity.fingerprint == key }.max { $0.enrolled < $1.enrolled }
  }

  private static func check(_ clinic: TrustedClinic, _ now: Instant) throws(PrescriptionError) {
    if let revoked = clinic.revoked { throw .revokedKey(name: clinic.identity.name, at: revoked) }
    if let end = clinic.identity.validUntil, now >= end {
      throw .expiredKey(name: clinic.identity.name, at: end)
    }
  }
}

/// Content of a card, whether or not anybody vouches for it.
package enum CardContent: Sendable, Hashable {
  case prescription(Prescription)
  case clinic(ClinicIdentity)
  case developerPass(DeveloperPass)
  case bindingPass(BindingPass)
  case returnPass(ReturnPass)

  /// - Parameter clinic: Name that the clinic goes by whose key the card names.
  init(
    _ envelope: Envelope, _ signed: SignedContent, _ card: CardText, clinic: String
  ) throws(PrescriptionError) {
    self =
      switch envelope.kind {
      case .prescription: .prescription(try BundleReader.prescription(envelope, clinic: clinic))
      case .clinic: .clinic(try ClinicIdentity(envelope, signed, card))
      case .developerPass: .developerPass(try DeveloperPass(envelope))
      case .bindingPass: .bindingPass(try BindingPass(envelope, clinic: clinic))
      case .returnPass: .returnPass(try ReturnPass(envelope))
      }
  }
}

/// A card's content and the trust in it, for a command that shows it; never for sound.
package struct CardInspection: Sendable {
  /// As far as it can be read; nil when not at all. The prescriber's clinic is "clinic of key 01AB …"
  /// unless the signing clinic is known.
  package let content: CardContent?
  /// The clinic that signed it, when an enrolled one did, also one that is revoked or expired.
  package let clinic: ClinicIdentity?
  /// The key that the card names, nil when it names none.
  package let key: KeyFingerprint?
  /// Reason for which ``Card/read(_:trusting:at:)`` refuses it; nil when it is accepted.
  package let refusal: PrescriptionError?

  package var standing: CardStanding {
    guard let refusal else { return .good }
    // Whoever has a key that its clinic lost signs in its name.
    if case .revokedKey = refusal { return .unsigned(refusal) }
    return clinic == nil ? .unsigned(refusal) : .lapsed(refusal)
  }
}

/// Trust in a card, as pages and files that are made of it state it.
package enum CardStanding: Sendable, Equatable {
  /// Signed by a clinic that is known, and good now.
  case good
  /// Signed by a clinic that is known, and refused for its time or the clinic's: expired, not valid yet.
  case lapsed(PrescriptionError)
  /// Signed by nobody who is known, or by a key that was revoked.
  case unsigned(PrescriptionError)
}

extension Card {
  /// Inspects a card of any standing: unknown, revoked, expired, altered. It interprets content that nobody
  /// vouches for, so a daemon uses ``read(_:trusting:at:)`` instead.
  ///
  /// - Parameters:
  ///   - text: As of ``read(_:trusting:at:)``.
  ///   - clinics: As of ``read(_:trusting:at:)``.
  ///   - known: Clinics that are not trusted but whose names may be shown.
  ///   - now: The device's time.
  package static func inspect(
    _ text: String, trusting clinics: [TrustedClinic], naming known: [TrustedClinic] = [], at now: Instant
  ) -> CardInspection {
    do throws(PrescriptionError) {
      let (content, clinic) = try verified(try CardText(reading: text), clinics, now)
      let isEnrolled = trusted(clinic.fingerprint, clinics) != nil
      return CardInspection(
        content: content, clinic: isEnrolled ? clinic : nil, key: clinic.fingerprint, refusal: nil)
    } catch {
      return inspect(text, clinics, known, refusedFor: error)
    }
  }

  private static func inspect(
    _ text: String, _ clinics: [TrustedClinic], _ known: [TrustedClinic],
    refusedFor refusal: PrescriptionError
  ) -> CardInspection {
    guard let card = try? CardText(reading: text), let signed = try? SignedContent(card) else {
      return CardInspection(content: nil, clinic: nil, key: nil, refusal: refusal)
    }
    func signer(_ clinics: [TrustedClinic]) -> ClinicIdentity? {
      clinics.last { $0.identity.fingerprint == signed.key && signed.isSigned(by: $0.identity.publicKey) }?
        .identity
    }
    // A card names its clinic by the key only.
    let name = signer(clinics + known)?.name ?? signed.key.clinicName
    let content = (try? signed.content()).flatMap { try? Envelope($0) }.flatMap {
      try? CardContent($0, signed, card, clinic: name)
    }
    return CardInspection(content: content, clinic: signer(clinics), key: signed.key, refusal: refusal)
  }
}
