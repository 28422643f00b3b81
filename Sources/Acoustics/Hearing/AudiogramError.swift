/// Why points do not make an audiogram.
public enum AudiogramError: Error, Equatable {
  /// A frequency outside ``Audiogram/frequencies``, or not a number.
  case frequencyOutOfRange(frequency: Double, conduction: Conduction)
  /// A threshold outside ``Audiogram/levels``, or not a number; `value` in dB HL.
  case thresholdOutOfRange(value: Double, frequency: Double, conduction: Conduction)
  /// Two points for one frequency, conduction and masking.
  case duplicatePoint(frequency: Double, conduction: Conduction, isMasked: Bool)
  /// More than ``Audiogram/greatestPointCount``.
  case tooManyPoints(Int)
}

extension AudiogramError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .frequencyOutOfRange(let frequency, let conduction):
      "\(conduction) conduction at \(frequency.shortText) Hz: expected a frequency of 125 to 16000 Hz"
    case .thresholdOutOfRange(let value, let frequency, let conduction):
      "\(conduction) conduction of \(value.shortText) dB HL at \(frequency.shortText) Hz: expected -10 to 120 dB HL"
    case .duplicatePoint(let frequency, let conduction, let isMasked):
      "\(isMasked ? "masked" : "unmasked") \(conduction) conduction at \(frequency.shortText) Hz given twice"
    case .tooManyPoints(let count):
      "\(count) points: expected at most \(Audiogram.greatestPointCount)"
    }
  }
}
