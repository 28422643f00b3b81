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

  /// Counts what the person could do, by the version of the study that the part had when a window closed.
  ///
  /// Left out: windows that closed before the part began, or while their kind of data was not given, and those
  /// that a change of the clocks made empty. A module that answers called for and that nobody began is due once the days are over
  /// that modules fill.
  ///
  /// - Parameter moment: Work that closes later is not counted, unless it is done.
  public init(_ person: DataSet.Participant, at moment: Instant) {
    let (given, measured) = (person.responses.map(\.given), person.measurements.measured)
    var (due, done) = (0, 0)
    var (counted, missed): (Set<String>, Set<String>) = ([], [])
    // An occurrence has the same name in each version: the latest one counts it.
    for stretch in person.stretches(until: moment).reversed() {
      let course = stretch.course
      for work in course.due(given, measured: measured, on: stretch.days, at: stretch.until) {
        let occurrence = work.occurrence
        let finished = work.isMeasured.map { $0 ? 1 : 0 } ?? work.parts.count { $0.isDone }
        let isWithin = stretch.contains(occurrence)
        // Work of the day on which a version ended counts, also where the next one has no such window.
        guard isWithin || (finished > 0 && stretch.touches(occurrence)),
          counted.insert(occurrence.id).inserted
        else { continue }
        let isOver =
          isWithin && occurrence.closes <= moment && occurrence.remark != .vanished
          && person.gives(work.task.dataType, at: occurrence.closes)
        // A measurement has no parts.
        due += isOver ? max(1, work.parts.count) : finished
        done += finished
      }
      guard let late = course.missedModules(given, at: stretch.until), stretch.contains(late.occurrence),
        person.gives(late.task.dataType, at: late.occurrence.closes)
      else { continue }
      missed.formUnion(late.modules)
    }
    self.init(due: due + missed.count, done: done)
  }
}
