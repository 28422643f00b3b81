import Acoustics
import Base

/// The audiologist's additions to a rule's gain in one ear, by frequency and speech level; none by default.
///
/// Between the frequencies the change is linear in dB over log frequency, outside them that of the nearest
/// one; between the levels linear in dB over dB.
public struct FineTuning: Sendable, Hashable {
  /// The change at one frequency.
  public struct Point: Sendable, Hashable {
    /// Hz, 125…16000.
    public var frequency: Double
    /// dB, −15…15.
    public var changes: SpeechLevels<Double>

    public init(frequency: Double, changes: SpeechLevels<Double>) {
      self.frequency = frequency
      self.changes = changes
    }
  }

  /// Changes accepted, dB. Whoever wants more has the wrong rule, or a leak.
  public static let changes = -15.0...15.0

  /// Most points.
  public static let greatestCount = TargetTable.greatestCount

  /// No change.
  public static let none = FineTuning(checked: [])

  /// None to twenty points, strictly increasing in frequency.
  public let points: [Point]

  /// Creates a tuning.
  ///
  /// - Throws: ``FineTuningError`` naming the first bad point.
  public init(points: [Point]) throws(FineTuningError) {
    guard points.count <= Self.greatestCount else { throw .pointCountOutOfRange(points.count) }
    for (index, point) in points.enumerated() {
      guard Audiogram.frequencies.contains(point.frequency) else {
        throw .frequencyOutOfRange(point.frequency)
      }
      guard index == 0 || points[index - 1].frequency < point.frequency else {
        throw .unorderedFrequency(point.frequency)
      }
      for level in SpeechLevel.allCases where !Self.changes.contains(point.changes[level]) {
        throw .changeOutOfRange(point.changes[level], frequency: point.frequency, level: level)
      }
    }
    self.init(checked: points)
  }

  private init(checked points: [Point]) { self.points = points }
}

/// Why numbers do not make a fine tuning.
public enum FineTuningError: Error, Equatable {
  /// More than ``FineTuning/greatestCount``.
  case pointCountOutOfRange(Int)
  /// Outside 125…16000 Hz, or not a number.
  case frequencyOutOfRange(Double)
  /// Not above the one before it; Hz.
  case unorderedFrequency(Double)
  /// Outside ``FineTuning/changes``, or not a number; dB.
  case changeOutOfRange(Double, frequency: Double, level: SpeechLevel)
}

extension FineTuningError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .pointCountOutOfRange(let count):
      "\(count) frequencies in a fine tuning: expected at most \(FineTuning.greatestCount)"
    case .frequencyOutOfRange(let frequency):
      "fine tuning at \(frequency.shortText) Hz: expected a frequency of 125 to 16000 Hz"
    case .unorderedFrequency(let frequency):
      "fine tuning at \(frequency.shortText) Hz: expected frequencies in increasing order, each once"
    case .changeOutOfRange(let change, let frequency, let level):
      "fine tuning of \(change.shortText) dB at \(frequency.shortText) Hz for speech at \(level.rawValue) dB SPL:"
        + " expected -15 to 15 dB"
    }
  }
}
