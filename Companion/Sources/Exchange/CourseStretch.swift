import Almanac
import Studies

/// Part of somebody's course, in which their part had one version of the study.
struct CourseStretch {
  let course: Course
  /// Moment at which it begins; nil: before day 1.
  let since: Instant?
  /// Moment at which it ends, or to which the last one is counted.
  let until: Instant
  let isLast: Bool

  /// Days of the study up to its end. After a journey west something of the next date may be done.
  var days: ClosedRange<Int> { 1...min(max(1, course.day(at: until) + 1), course.content.study.dayCount) }

  /// True for what closes within it; what is open at the end of the last one belongs to that.
  func contains(closing: Instant) -> Bool { !isBefore(closing) && (isLast || closing <= until) }

  /// True for what was open within it, also where it closes later.
  func touches(_ occurrence: Occurrence) -> Bool {
    !isBefore(occurrence.closes) && occurrence.opens < until
  }

  /// True for what closed before it began.
  private func isBefore(_ closing: Instant) -> Bool { since.map { closing <= $0 } ?? false }
}

extension DataSet.Participant {
  /// Stretches of the course, the first first.
  func stretches(until moment: Instant) -> [CourseStretch] {
    var result: [CourseStretch] = []
    var since = begun
    for version in former {
      let until = min(version.until, moment)
      result.append(
        CourseStretch(
          course: course.following(version.content), since: since, until: until, isLast: false))
      since = version.until
    }
    result.append(CourseStretch(course: course, since: since, until: moment, isLast: true))
    return result
  }

  /// True when a kind of data was given at a moment.
  ///
  /// Before the first consent the study asked for none, and everything is given.
  func gives(_ kind: String, at moment: Instant) -> Bool {
    let ticks = consents.flatMap(\.ticks)
    guard ticks.contains(where: { $0.since <= moment }) else { return true }
    return ticks.last { $0.kind == kind && $0.since <= moment }?.isGiven ?? false
  }
}
