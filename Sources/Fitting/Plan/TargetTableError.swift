import Acoustics

/// Why numbers do not make a table of targets.
public enum TargetTableError: Error, Equatable {
  /// No point, or more than ``TargetTable/greatestCount``.
  case pointCountOutOfRange(Int)
  /// Outside ``TargetTable/frequencies``, or not a number; Hz.
  case frequencyOutOfRange(Double)
  /// Not above the one before it; Hz.
  case unorderedFrequency(Double)
  /// Outside ``TargetTable/gains``, or not a number; dB.
  case gainOutOfRange(Double, frequency: Double, level: SpeechLevel)
  /// Outside ``TargetTable/maximumOutputs``, or not a number; dB SPL.
  case maximumOutputOutOfRange(Double, frequency: Double)
}

extension TargetTableError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .pointCountOutOfRange(let count):
      "\(count) frequencies in a table of targets: expected 1 to \(TargetTable.greatestCount)"
    case .frequencyOutOfRange(let frequency):
      "target at \(frequency.shortText) Hz: expected a frequency of 125 to 16000 Hz"
    case .unorderedFrequency(let frequency):
      "target at \(frequency.shortText) Hz: expected frequencies in increasing order, each once"
    case .gainOutOfRange(let gain, let frequency, let level):
      "gain of \(gain.shortText) dB at \(frequency.shortText) Hz for speech at \(level.rawValue) dB SPL: "
        + "expected -20 to 75 dB"
    case .maximumOutputOutOfRange(let output, let frequency):
      "maximum output of \(output.shortText) dB SPL at \(frequency.shortText) Hz: expected 60 to 120 dB SPL"
    }
  }
}
