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

  /// Counts what the person could do, by the version of the study that the part had when a window closed. A
  /// questionnaire that was begun has the window in which it was.
  ///
  /// Left out: windows that closed before the part began, or while their kind of data was not given, and those
  /// that a change of the clocks made empty. A module that answers called for and that nobody began is due once the days are over
  /// that modules fill.
  ///
  /// - Parameter moment: Work that closes later is not counted, unless it is done.
  public init(_ person: DataSet.Participant, at moment: Instant) {
    let (given, measured) = (person.responses.map(\.given), person.measurements.measured)
    var (due, done) = (0, 0)
    let closings = Self.closings(of: person)
    var (counted, missed): (Set<String>, Set<String>) = ([], [])
    // An occurrence has the same name in each version: the latest one counts it.
    for stretch in person.stretches(until: moment).reversed() {
      let course = stretch.course
      for work in course.due(given, measured: measured, on: stretch.days, at: stretch.until) {
        let occurrence = work.occurrence
        let finished = work.isMeasured.map { $0 ? 1 : 0 } ?? work.parts.count { $0.isDone }
        // Of what was begun, otherwise the occurrence's.
        let closes = work.parts.map {
          closings[Begun(occurrence: occurrence.id, url: $0.outline.questionnaire.url)] ?? occurrence.closes
        }
        let isWithin = stretch.contains(closing: closes.max() ?? occurrence.closes)
        // Work of the day on which a version ended counts, also where the next one has no such window.
        guard isWithin || (finished > 0 && stretch.touches(occurrence)),
          counted.insert(occurrence.id).inserted
        else { continue }
        func isOver(_ closing: Instant) -> Bool {
          isWithin && closing <= moment && occurrence.remark != .vanished
            && person.gives(work.task.dataType, at: closing)
        }
        if work.parts.isEmpty {
          // A measurement.
          due += isOver(occurrence.closes) ? 1 : finished
        } else {
          due += zip(work.parts, closes).count { part, closing in part.isDone || isOver(closing) }
        }
        done += finished
      }
      guard let late = course.missedModules(given, at: stretch.until),
        stretch.contains(closing: late.occurrence.closes),
        person.gives(late.task.dataType, at: late.occurrence.closes)
      else { continue }
      missed.formUnion(late.modules)
    }
    self.init(due: due + missed.count, done: done)
  }

  /// A questionnaire of an occurrence.
  private struct Begun: Hashable {
    let occurrence: String
    let url: String
  }

  /// Ends of the windows in which questionnaires were begun.
  private static func closings(of person: DataSet.Participant) -> [Begun: Instant] {
    let ends = person.responses.compactMap { response in
      response.closes.map {
        (Begun(occurrence: response.given.occurrence, url: response.given.questionnaire), $0)
      }
    }
    return Dictionary(ends) { first, _ in first }
  }
}
