/// A card's content and the trust in it, for a command that shows it; never for sound.
public struct CardInspection: Sendable {
  /// As far as it can be read; nil when not at all. The prescriber's clinic is "clinic of key 01AB …" unless
  /// ``clinic`` is known.
  public let content: CardContent?
  /// The clinic that signed it, when an enrolled one did, also one that is revoked or expired.
  public let clinic: ClinicIdentity?
  /// The key that the card names, nil when it names none.
  public let key: KeyFingerprint?
  /// Why ``Card/read(_:trusting:at:)`` refuses it; nil when it does not.
  public let refusal: CardError?
}

extension Card {
  /// Looks at a card of any standing: unknown, revoked, expired, altered. It interprets content that nobody vouches
  /// for, so a daemon has no use for it: ``read(_:trusting:at:)`` does not.
  ///
  /// - Parameters: as of ``read(_:trusting:at:)``.
  public static func inspect(
    _ text: String, trusting clinics: [TrustedClinic], at now: Instant
  ) -> CardInspection {
    var refusal: CardError?
    do { _ = try read(text, trusting: clinics, at: now) } catch { refusal = error }
    guard let card = try? CardText(reading: text), let signed = try? SignedContent(card) else {
      return CardInspection(content: nil, clinic: nil, key: nil, refusal: refusal)
    }
    let clinic = clinics.last {
      $0.identity.fingerprint == signed.key && signed.isSigned(by: $0.identity.publicKey)
    }
    // A card names no clinic but by its key.
    let name = clinic?.identity.name ?? signed.key.clinicName
    let content = (try? signed.content()).flatMap { try? ReadEnvelope($0) }.flatMap {
      try? CardContent($0, signed, card, clinic: name)
    }
    return CardInspection(content: content, clinic: clinic?.identity, key: signed.key, refusal: refusal)
  }
}
