import Almanac

/// A measurement that somebody has begun for an occurrence of a task.
public struct GivenMeasurement: Sendable, Hashable {
  public let id: String
  /// ``Occurrence/id``.
  public let occurrence: String
  public let kind: TaskKind.Key
  public let settings: [String: Double]
  /// Hash of the study's version at that moment.
  public let studyVersion: String
  public let begun: Instant
  /// Zone of the occurrence.
  public let zone: String
  /// Nil: it was left, or is under way.
  public let end: End?

  public init(
    id: String, occurrence: String, kind: TaskKind.Key, settings: [String: Double], studyVersion: String,
    begun: Instant, zone: String, end: End?
  ) {
    (self.id, self.occurrence, self.kind, self.settings) = (id, occurrence, kind, settings)
    (self.studyVersion, self.begun, self.zone, self.end) = (studyVersion, begun, zone, end)
  }

  public struct End: Sendable, Hashable {
    public let moment: Instant
    public let outcome: MeasurementOutcome

    public init(_ outcome: MeasurementOutcome, at moment: Instant) {
      (self.moment, self.outcome) = (moment, outcome)
    }
  }

  /// ``MeasurementOutcome/isMeasured`` of its end.
  public var isMeasured: Bool { end?.outcome.isMeasured ?? false }
}

/// End of a measurement: a result, or the reason why there is none.
public enum MeasurementOutcome: Sendable, Hashable {
  case measured([MeasuredValue], MeasurementRecord)
  /// In words, without a full stop (``AbsenceReason``). The task stays due while its window is open.
  case absent(String)

  public var isMeasured: Bool { if case .measured = self { true } else { false } }
}

/// A number of a result, as ``TaskKind/figures`` describes it.
public struct MeasuredValue: Sendable, Hashable {
  public let name: String
  /// Finite.
  public let value: Double
  public let unit: String

  public init(_ name: String, _ value: Double, _ unit: String) {
    (self.name, self.value, self.unit) = (name, value, unit)
  }
}

/// Record of a procedure at the aid, as it was when its result was taken.
public struct MeasurementRecord: Sendable, Hashable {
  /// Name of the record in the aid.
  public let id: String
  /// Earphone whose calibration the levels are by.
  public let device: String
  /// "verified", "provisional" or "none".
  public let calibration: String
  /// Of the aid's program.
  public let program: String
  /// Everything that the aid reported, JSON.
  public let report: String

  public init(id: String, device: String, calibration: String, program: String, report: String) {
    (self.id, self.device, self.calibration) = (id, device, calibration)
    (self.program, self.report) = (program, report)
  }
}

extension [GivenMeasurement] {
  /// ``Occurrence/id`` of all that are measured.
  public var measured: Set<String> { Set(filter(\.isMeasured).map(\.occurrence)) }
}
