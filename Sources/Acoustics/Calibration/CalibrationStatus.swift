/// How far a number in dB SPL or dB HL may be trusted.
///
/// Ordered: a number made from several has the status of the worst.
public enum CalibrationStatus: String, Sendable, Codable, CaseIterable, Comparable {
  /// Nothing was measured: the number shows differences, not levels.
  case none
  /// From a data sheet, another unit of the same model, or a table whose coupler or source is in doubt.
  case provisional
  /// Measured on this device with a calibrator or coupler.
  case verified

  private var rank: Int {
    switch self {
    case .none: 0
    case .provisional: 1
    case .verified: 2
    }
  }

  public static func < (a: CalibrationStatus, b: CalibrationStatus) -> Bool { a.rank < b.rank }
}
