/// Share of a QR code's area that may be unreadable (ISO/IEC 18004).
public enum ErrorCorrection: String, Sendable, CaseIterable {
  /// About 7 %.
  case low = "L"
  /// About 15 %.
  case medium = "M"
  /// About 25 %.
  case quartile = "Q"
  /// About 30 %.
  case high = "H"
}
