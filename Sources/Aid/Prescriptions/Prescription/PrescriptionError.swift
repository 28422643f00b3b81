import Base

/// Refusal of a decision, a card, a clinic's key or a FHIR audiogram.
///
/// No case carries a name or a threshold of the patient: descriptions of refused cards may go to a log.
package enum PrescriptionError: Error, Equatable {
  /// A decision that no card can carry or no device can follow: its name, and what is wrong with it.
  case unusable(field: String, reason: String)

  // Cards.

  /// Neither `shc:/` and digits nor a JWS.
  case notACard
  /// It begins like a card and is not one.
  case malformed(reason: String)
  /// More characters than any card has.
  case tooLarge(size: Int, limit: Int)
  /// It unpacks to more than 64 KiB.
  case bomb(limit: Int)
  /// Signed, or said to be, in a way that is not ES256.
  case unsupportedAlgorithm(String)
  /// Signed with a key that is not enrolled.
  case unknownKey(KeyFingerprint)
  /// Signed with a key whose trust was withdrawn.
  case revokedKey(name: String, at: Instant)
  /// Signed with a key whose own validity has ended.
  case expiredKey(name: String, at: Instant)
  /// The signature is not of this content by this key.
  case badSignature(name: String)
  /// The signature is good and the content is not what it should be.
  case invalidContent(place: String, reason: String)
  /// One ear's thresholds under the other ear's codes.
  case earsSwapped(place: String)
  /// Valid only from then.
  case notYetValid(from: Instant)
  /// Valid only until then.
  case expired(at: Instant)
  /// A trial that ended then.
  case trialOver(at: Instant)
  /// A prescription that names another clinic than the one whose key is to sign it.
  case foreignClinic(named: String, signing: String)
  /// The key did not sign.
  case signingFailed(reason: String)
  /// The card can be neither packed nor unpacked for want of memory.
  case outOfMemory

  // Key files.

  /// Shorter than ``ClinicKey/shortestPassphrase``.
  case passphraseTooShort(limit: Int)
  /// The key does not open with it, or the file was altered: the two cannot be told apart.
  case wrongPassphrase
  /// Not a key file of this kind.
  case unreadableKey(reason: String)

  // FHIR audiograms. Places are as in `Bundle.entry[2].resource.valueQuantity`.

  /// More bytes than ``FHIRAudiogram/greatestSize``.
  case audiogramTooLarge(size: Int, limit: Int)
  /// Not JSON.
  case notJSON(offset: Int, reason: String)
  /// Something that cannot be taken as it stands.
  case invalidAudiogram(place: String, reason: String)
  /// No hearing threshold in it.
  case noThresholds
}

extension PrescriptionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unusable(let field, let reason): "\(field): \(reason)"
    case .notACard: "not a card: expected a text that begins with shc:/, or a signed JWS"
    case .malformed(let reason): "damaged card: \(reason); scan it again, or ask for another print"
    case .tooLarge(let size, let limit): "not a card: found \(size) characters, a card has at most \(limit)"
    case .bomb(let limit): "hostile card: it unpacks to more than \(limit) bytes"
    case .unsupportedAlgorithm(let name):
      "card signed by \"\(name)\": expected ES256; nothing else is accepted"
    case .unknownKey(let fingerprint):
      "card from an unknown clinic, key \(fingerprint.grouped): enrol the clinic first with auricle trust add"
    case .revokedKey(let name, let moment):
      "card from \(name): trust in its key was withdrawn on \(moment.localText)"
    case .expiredKey(let name, let moment):
      "card from \(name): its key was valid until \(moment.localText); ask the clinic for its new one"
    case .badSignature(let name):
      "card that claims to be from \(name): its signature is wrong, so it was altered"
    case .invalidContent(let place, let reason): "card with invalid content: \(place): \(reason)"
    case .earsSwapped(let place): "card with ears swapped: \(place)"
    case .notYetValid(let moment):
      "card valid only from \(moment.localText): wait, or set this device's clock right"
    case .trialOver(let moment):
      "trial over since \(moment.localText): ask the clinic for the final prescription"
    case .foreignClinic(let named, let signing):
      "prescription of \(named): the key is of \(signing), and a clinic signs only its own"
    case .outOfMemory: "no memory is left to read or make a card; end other programs and try again"
    case .signingFailed(let reason): "signing failed: \(reason)"
    case .expired(let moment): "card expired on \(moment.localText): ask the clinic for a new one"
    case .passphraseTooShort(let limit): "passphrase: expected at least \(limit) characters"
    case .wrongPassphrase:
      "the passphrase does not open the clinic's key: it is wrong, or the file was altered"
    case .unreadableKey(let reason): "not a clinic's key file: \(reason)"
    case .audiogramTooLarge(let size, let limit):
      "FHIR audiogram: found \(size) bytes, expected at most \(limit)"
    case .notJSON(let offset, let reason): "FHIR audiogram: not JSON at byte \(offset): \(reason)"
    case .invalidAudiogram(let place, let reason): "FHIR audiogram: \(place): \(reason)"
    case .noThresholds:
      "FHIR audiogram: found no hearing threshold, expected Observations with LOINC codes as 89016-0 (left ear,"
        + " 1000 Hz), or a panel 89015-2 of them"
    }
  }

  /// Kind and place of a fault in a FHIR audiogram, without a value of the file: for a log.
  package var kind: String {
    switch self {
    case .audiogramTooLarge: "a FHIR text that is too large"
    case .notJSON(let offset, _): "a FHIR text that is not JSON at byte \(offset)"
    case .noThresholds: "a FHIR text without a hearing level"
    case .invalidAudiogram(let place, _): "something that cannot be taken at \(place)"
    default: "a FHIR text that cannot be read"
    }
  }
}
