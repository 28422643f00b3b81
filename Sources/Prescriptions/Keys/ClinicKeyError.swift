/// Why a clinic's key is not made, sealed or opened.
public enum ClinicKeyError: Error, Equatable {
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
  public var description: String {
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
