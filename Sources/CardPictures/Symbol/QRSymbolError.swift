/// Why a text cannot become a QR symbol.
public enum QRSymbolError: Error, Equatable, CustomStringConvertible {
  /// There is no text.
  case empty
  /// Even the largest symbol (version 40) is too small for the text.
  case tooLong(characters: Int, atMost: Int, correction: ErrorCorrection)
  /// The text fits only a larger symbol than the caller allows.
  case tooLarge(version: Int, atMost: Int, correction: ErrorCorrection)
  /// libqrencode refused for another reason; `errno` is its own.
  case refused(errno: Int32)

  public var description: String {
    switch self {
    case .empty:
      "There is no text to make a QR code of."
    case .tooLong(let characters, let atMost, let correction):
      "A QR code with error correction \(correction.rawValue) holds at most \(atMost) characters of this text; "
        + "found \(characters). Shorten it, or choose a lower error correction."
    case .tooLarge(let version, let atMost, let correction):
      "The text needs a QR code of version \(version) with error correction \(correction.rawValue); expected "
        + "version \(atMost) or smaller. Shorten it, or choose a lower error correction."
    case .refused(let errno):
      "The QR code could not be made: libqrencode ended with error \(errno)."
    }
  }
}
