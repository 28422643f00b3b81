import Base

/// Non-linear frequency compression for an ear that hears nothing high any more: what lies above the cutoff
/// is brought nearer to it, `f_out = cutoff · (f_in / cutoff)^(1/ratio)`; what lies below stays.
public struct FrequencyLowering: Sendable, Hashable {
  /// Cutoffs accepted, Hz: below 1.5 kHz vowels would change (own choice, after common practice).
  public static let cutoffs = 1500.0...6000.0
  /// Ratios accepted, octaves in over octaves out.
  public static let ratios = 1.5...4.0

  /// Hz.
  public let cutoff: Double
  /// Octaves that are compressed into one, 1.5 to 4.
  public let ratio: Double

  /// - Throws: ``FittingError`` outside ``cutoffs`` or ``ratios``.
  public init(cutoff: Double, ratio: Double) throws(FittingError) {
    guard Self.cutoffs.contains(cutoff) else {
      throw .notAccepted("frequency lowering from \(cutoff.shortText) Hz", expected: "1500 to 6000 Hz")
    }
    guard Self.ratios.contains(ratio) else {
      throw .notAccepted("frequency lowering by \(ratio.shortText)", expected: "1.5 to 4")
    }
    (self.cutoff, self.ratio) = (cutoff, ratio)
  }
}

extension FrequencyLowering: CustomStringConvertible {
  /// For people: `from 2000 Hz up, 2:1`.
  public var description: String { "from \(cutoff.shortText) Hz up, \(ratio.shortText):1" }
}
