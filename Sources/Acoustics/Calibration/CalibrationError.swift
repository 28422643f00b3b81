/// Why a calibration cannot be made or does not answer.
public enum CalibrationError: Error, Equatable {
  /// The table ends before this frequency, Hz; values are not extrapolated.
  case frequencyOutsideTable(frequency: Double, range: ClosedRange<Double>)
  /// No entry for this channel of a device with `count` calibrated channels.
  case noSuchChannel(Int, count: Int)
  /// A table or list of channels without an entry.
  case empty
  /// A frequency of a table is not positive and above the one before it; `index` is the first such.
  case unorderedFrequency(index: Int)
  /// A level at 0 dB FS outside 40…180 dB SPL, or not a number.
  case levelOutOfRange(Double)
  /// A hearing level was asked of an earphone whose reference thresholds are not known.
  case noTransducer
}

extension CalibrationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .frequencyOutsideTable(let frequency, let range):
      "\(frequency.shortText) Hz lies outside the table, \(range.lowerBound.shortText) to \(range.upperBound.shortText) Hz"
    case .noSuchChannel(let channel, let count): "channel \(channel): \(count) are calibrated"
    case .empty: "no entry: expected at least one"
    case .unorderedFrequency(let index):
      "frequency number \(index + 1): expected positive frequencies in rising order"
    case .levelOutOfRange(let level): "\(level.shortText) dB SPL at 0 dB FS: expected 40 to 180 dB SPL"
    case .noTransducer: "the earphone's reference thresholds are not known: expected a transducer"
    }
  }
}
