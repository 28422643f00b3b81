/// Why a sound level meter cannot be set up.
public enum SoundLevelMeterError: Error, Equatable {
  /// A sample rate outside ``WeightingFilter/sampleRates``, Hz.
  case sampleRateOutOfRange(Double)
}

extension SoundLevelMeterError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate): "sample rate \(rate) Hz: expected 8000 to 384000 Hz"
    }
  }
}
