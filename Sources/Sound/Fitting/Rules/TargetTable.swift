public import Acoustics
import Base

/// Insertion gain and maximum output of one ear as numbers, from a tool whose rule is not public (NAL-NL2,
/// DSL v5) or by the audiologist's own hand.
public struct TargetTable: Sendable, Hashable {
  /// Targets at one frequency.
  public struct Point: Sendable, Hashable {
    /// Hz, 125…16000.
    public var frequency: Double
    /// Insertion gain for speech at ``SpeechLevel``, dB.
    public var gains: SpeechLevels<Double>
    /// Greatest output, dB SPL; nil: that of the stated rule.
    public var maximumOutput: SoundPressureLevel?

    /// Targets at one frequency.
    public init(
      frequency: Double, gains: SpeechLevels<Double>, maximumOutput: SoundPressureLevel? = nil
    ) {
      self.frequency = frequency
      self.gains = gains
      self.maximumOutput = maximumOutput
    }
  }

  /// Frequencies accepted, Hz.
  public static let frequencies = Audiogram.frequencies
  /// Gains accepted, dB: more than 75 dB is beyond every aid, and an aid that attenuates by more than 20 dB
  /// is an ear plug.
  public static let gains = -20.0...75.0
  /// Greatest outputs accepted, dB SPL.
  public static let maximumOutputs = MaximumOutput.ceilings
  /// Most points a table may have.
  public static let greatestCount = 20

  /// One to twenty points, strictly increasing in frequency.
  public let points: [Point]

  /// Creates a table.
  ///
  /// - Throws: ``TargetTableError`` naming the first bad point.
  public init(points: [Point]) throws(TargetTableError) {
    guard 1...Self.greatestCount ~= points.count else { throw .pointCountOutOfRange(points.count) }
    for (index, point) in points.enumerated() {
      guard Self.frequencies.contains(point.frequency) else {
        throw .frequencyOutOfRange(point.frequency)
      }
      guard index == 0 || points[index - 1].frequency < point.frequency else {
        throw .unorderedFrequency(point.frequency)
      }
      for level in SpeechLevel.allCases where !Self.gains.contains(point.gains[level]) {
        throw .gainOutOfRange(point.gains[level], frequency: point.frequency, level: level)
      }
      if let output = point.maximumOutput, !Self.maximumOutputs.contains(output) {
        throw .maximumOutputOutOfRange(output.decibels, frequency: point.frequency)
      }
    }
    self.points = points
  }
}

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

/// Overall level of the speech that a target is for: soft, ordinary, loud. The three at which targets are
/// shown and verified (ANSI S3.46 and IEC 61669 measurements are usually made at them; from memory).
public enum SpeechLevel: Int, Sendable, CaseIterable, Comparable {
  case soft = 50
  case ordinary = 65
  case loud = 80

  /// Long-term level of the speech.
  public var level: SoundPressureLevel { SoundPressureLevel(Double(rawValue)) }

  public static func < (a: SpeechLevel, b: SpeechLevel) -> Bool { a.rawValue < b.rawValue }
}

/// One value for each speech level.
public struct SpeechLevels<Value> {
  /// Value for speech at 50 dB SPL.
  public var soft: Value
  /// Value for speech at 65 dB SPL.
  public var ordinary: Value
  /// Value for speech at 80 dB SPL.
  public var loud: Value

  /// A value for each speech level.
  public init(soft: Value, ordinary: Value, loud: Value) {
    self.soft = soft
    self.ordinary = ordinary
    self.loud = loud
  }

  /// The same value for all.
  public init(all value: Value) { self.init(soft: value, ordinary: value, loud: value) }

  /// Value for one speech level.
  public subscript(level: SpeechLevel) -> Value {
    get {
      switch level {
      case .soft: soft
      case .ordinary: ordinary
      case .loud: loud
      }
    }
    set {
      switch level {
      case .soft: soft = newValue
      case .ordinary: ordinary = newValue
      case .loud: loud = newValue
      }
    }
  }
}

extension SpeechLevels: Sendable where Value: Sendable {}
extension SpeechLevels: Equatable where Value: Equatable {}
extension SpeechLevels: Hashable where Value: Hashable {}
