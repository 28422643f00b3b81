import Prescriptions

extension BookError {
  /// What the audit trail says when a card is refused; nil for what is no refusal of a card. Never a name.
  var refusalWord: String? {
    switch self {
    case .card(let error): "card: " + error.word
    case .otherPatient: "other patient"
    case .serialReused(let serial, _): "serial \(serial) used again"
    case .superseded(let serial, let newer): "serial \(serial) superseded by \(newer)"
    case .older(let serial, let newer): "serial \(serial) older than \(newer)"
    case .expired: "expired"
    case .trialOver: "trial over"
    case .clinicRevoked: "clinic revoked"
    case .passUsed: "pass used before"
    default: nil
    }
  }
}

extension CardError {
  /// The case without what it carries.
  fileprivate var word: String {
    switch self {
    case .unknownKey: "unknown key"
    case .revokedKey: "revoked key"
    case .expiredKey: "expired key"
    case .badSignature: "bad signature"
    case .unsupportedAlgorithm: "unsupported algorithm"
    case .bomb: "bomb"
    case .earsSwapped: "ears swapped"
    case .notYetValid: "not yet valid"
    case .expired: "expired"
    case .trialOver: "trial over"
    default: "not a valid card"
    }
  }
}
