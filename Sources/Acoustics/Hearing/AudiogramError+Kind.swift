extension AudiogramError {
  /// What kind of thing is wrong, without a number of the audiogram: for a log.
  public var kind: String {
    switch self {
    case .frequencyOutOfRange: "a frequency out of range"
    case .thresholdOutOfRange: "a level out of range"
    case .duplicatePoint: "a point given twice"
    case .tooManyPoints: "too many points"
    }
  }
}
