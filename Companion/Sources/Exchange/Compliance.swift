import Almanac
import Questionnaires
import Studies

/// Share of what was due that somebody has done.
public struct Compliance: Sendable, Hashable {
  /// Questionnaires and measurements that were due and are over.
  public let due: Int
  /// Of these, done.
  public let done: Int

  /// Nil while nothing was due.
  public var share: Double? { due == 0 ? nil : Double(done) / Double(due) }

  public init(due: Int, done: Int) { (self.due, self.done) = (due, done) }

  /// - Parameter moment: Work that closes later is not counted, unless it is done.
  init(_ person: DataSet.Participant, at moment: Instant) {
    self.init(
      person.course, person.responses.map(\.given), measured: person.measurements.measured, at: moment)
  }

  /// - Parameter measured: ``Occurrence/id`` of measurements that have a result.
  public init(
    _ course: Course, _ given: [GivenAnswers], measured: Set<String>, at moment: Instant
  ) {
    // After a journey west something of the next date may be done.
    let last = min(max(1, course.day(at: moment) + 1), course.content.study.dayCount)
    var (due, done) = (0, 0)
    for work in course.due(given, measured: measured, on: 1...last, at: moment) {
      let finished = work.isMeasured.map { $0 ? 1 : 0 } ?? work.parts.count { $0.isDone }
      // A measurement has no parts.
      due += work.occurrence.closes <= moment ? max(1, work.parts.count) : finished
      done += finished
    }
    self.init(due: due, done: done)
  }
}
