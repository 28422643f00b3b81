import Almanac
import Records
import Studies

extension PersonCourse {
  /// By the aid's procedure, in simulated time; the result comes when it has ended.
  mutating func measure(
    _ task: StudyTask, _ kind: TaskKind.Key, _ settings: [String: Double], _ occurrence: Occurrence,
    _ enrolment: Enrolment, at now: Instant
  ) throws(ParticipationError) {
    // One after the other: a match on the day of a hearing test follows it.
    let now = max(now, measurements.last?.end?.moment ?? now)
    guard occurrence.isOpen(at: now) else { return }
    let records = TaskRuns(database)
    let run = try records.begin(
      numbers.id(), occurrence, of: enrolment.id, kind, settings, session(now))
    // Left in its middle, it has no end.
    guard !numbers.happens(self.kind.breakOff) else { return measurements.append(run) }
    let found = SimulatedMeasurement(
      kind, settings, by: &matcher, hasThresholds: hasThresholds, named: "\(subject)/\(occurrence.id)")
    let ended = Instant(milliseconds: now.milliseconds + Int(found.seconds * 1000))
    measurements.append(try records.end(run, found.outcome, session(ended)))
    acknowledged(.measurement(run.id))
    let day = StudySchedule.day(of: occurrence.date, beginning: start)
    outcome.minutes[day, default: 0] += found.seconds / 60
    if found.outcome.isMeasured {
      outcome.measured.append((task.id, found.seconds / 60))
    } else {
      outcome.unmeasured.append(task.id)
    }
  }

  /// Of a study without a hearing test everybody was tested before.
  private var hasThresholds: Bool {
    let test = TaskKind.hearingTest.key
    return measurements.contains { $0.kind == test && $0.isMeasured }
      || !content.study.tasks.contains { $0.measurement?.kind == test }
  }
}
