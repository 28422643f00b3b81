import Base
import SimulatedListeners
import Studies

/// A measurement of a study on a simulated person.
struct SimulatedMeasurement {
  let outcome: MeasurementOutcome
  /// Time that it took, s.
  let seconds: Double

  /// Kinds that can be rehearsed.
  static let kinds: Set<TaskKind.Key> = [
    TaskKind.hearingTest.key, TaskKind.loudnessMatch.key, TaskKind.pitchMatch.key,
  ]

  /// - Parameters:
  ///   - hasThresholds: False of somebody whose hearing test the study asks for and who has not done it: a match rests on it.
  ///   - record: Name of its record.
  init(
    _ kind: TaskKind.Key, _ settings: [String: Double], by matcher: inout SimulatedMatcher,
    hasThresholds: Bool, named record: String
  ) {
    guard hasThresholds || kind == TaskKind.hearingTest.key else {
      (outcome, seconds) = (.absent(AbsenceReason.noThreshold), 0)
      return
    }
    let run: SimulatedRun? =
      switch kind {
      case TaskKind.hearingTest.key: matcher.hearingTest(isBayesian: settings["bayesian"] == 1)
      case TaskKind.loudnessMatch.key:
        matcher.loudness(
          frequency: settings["frequency-hz"] ?? 1000,
          trials: Int(Self.held("trials", settings, of: .loudnessMatch) ?? 3))
      case TaskKind.pitchMatch.key: matcher.pitchMatch()
      default: nil
      }
    guard let run else {
      outcome = .absent(
        Self.kinds.contains(kind) ? AbsenceReason.unsafe : AbsenceReason.notRehearsed(kind))
      seconds = 0
      return
    }
    // A window of the quiet room has a second (docs/procedures.md).
    seconds = run.seconds + (Self.held("quiet-windows", settings, of: .hearingTest) ?? 0)
    let values = run.figures.map { MeasuredValue($0.name, $0.value, $0.unit) }
    let report: JSONValue = ["record": .text(record), "simulated": true]
    outcome = .measured(
      values,
      MeasurementRecord(
        id: record, device: "HDA 200 (simulated)", calibration: "none", program: "rehearsal",
        report: report.minified))
  }

  /// A setting, held within the range of its kind: a study that nobody has checked can exceed it.
  private static func held(_ name: String, _ settings: [String: Double], of kind: TaskKind) -> Double? {
    let range = kind.settings.first { $0.name == name }?.range
    guard let value = settings[name], let range else { return nil }
    return min(max(value, range.lowerBound), range.upperBound)
  }
}
