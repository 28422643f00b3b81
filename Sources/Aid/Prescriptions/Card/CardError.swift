/// Why a text is not taken as a card, or a card not made.
///
/// No case carries a name or a threshold of the patient: descriptions may go to a log.
package enum CardError: Error, Equatable {
  /// Neither `shc:/` and digits nor a JWS.
  case notACard
  /// It begins like a card and is not one.
  case malformed(reason: String)
  /// More characters than any card has.
  case tooLarge(size: Int, limit: Int)
  /// It unpacks to more than ``Card/greatestContentSize``.
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
}

extension CardError: CustomStringConvertible {
  package var description: String {
    switch self {
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
    }
  }
}
