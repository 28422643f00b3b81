public import Acoustics

/// One sound in numbers.
public struct SoundSummary: Sendable {
  /// Leq of the whole, unweighted.
  public let equivalentLevel: Calibrated<SoundPressureLevel>
  /// Highest Fast level.
  public let maximumFastLevel: Calibrated<SoundPressureLevel>
  /// Levels of the third octaves.
  public let thirdOctaves: [FrequencyLevel]
  /// Fast level over time.
  public let course: [TimedLevel]
}

/// A level at a frequency.
public struct FrequencyLevel: Sendable, Equatable {
  /// Hz.
  public let frequency: Double
  public let level: SoundPressureLevel
}

/// A level at a time.
public struct TimedLevel: Sendable, Equatable {
  /// s.
  public let time: Double
  public let level: SoundPressureLevel
}
