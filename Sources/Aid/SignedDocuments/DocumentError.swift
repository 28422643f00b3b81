import Base

/// Refusal of a signed document, or of a signature.
///
/// No case carries the document's content: descriptions may go to a log.
public enum DocumentError: Error, Equatable, Sendable {
  /// Not a signed document at all, or damaged.
  case malformed(reason: String)
  case tooLarge(size: Int, limit: Int)
  /// Signed, or said to be, in a way that is not ES256.
  case unsupportedAlgorithm(String)
  /// Signed for something else; `found` is nil for what names no kind, as cards do.
  case otherKind(found: String?, expected: String)
  /// Signed with another key than this clinic's, both by their fingerprints.
  case otherKey(found: String, expected: String)
  /// The clinic's key is not to be trusted after that moment, s since 1970.
  case expiredKey(name: String, at: Int)
  /// The signature is not of this content by this key.
  case badSignature(name: String)
  /// The text that is to be a clinic's card is not one.
  case notAClinicsCard(reason: String)
  case signingFailed(reason: String)
}

extension DocumentError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed(let reason): "damaged document: \(reason); ask for it again"
    case .tooLarge(let size, let limit):
      "document too large: found \(size) bytes, expected at most \(limit)"
    case .unsupportedAlgorithm(let name):
      "document signed by \"\(name)\": expected ES256; nothing else is accepted"
    case .otherKind(let found?, let expected):
      "document of another kind: found \"\(found)\", expected \"\(expected)\""
    case .otherKind(nil, let expected):
      "document of another kind: found one that names no kind, as cards do, expected \"\(expected)\""
    case .otherKey(let found, let expected):
      "document signed with another key: found \(found), expected \(expected)"
    case .expiredKey(let name, let moment):
      "document of \(name): its key was valid until \(Timestamp(Double(moment)).text); ask the clinic for its new one"
    case .badSignature(let name):
      "document that claims to be from \(name): its signature is wrong, so it was altered"
    case .notAClinicsCard(let reason): "not a clinic's card: \(reason)"
    case .signingFailed(let reason): "signing failed: \(reason)"
    }
  }
}
