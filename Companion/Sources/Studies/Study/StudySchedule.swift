import Almanac
import Base

/// Times at which a task is due, counted from the day on which somebody begins: a plan without its first date and its seed, which the
/// enrolment gives.
public struct StudySchedule: Sendable, Hashable {
  /// Day of the study that is its first, from 1.
  public var firstDay: Int
  /// Number of days.
  public var dayCount: Int
  /// As of a plan; numbered days count from ``firstDay``, which is 0.
  public var rule: Plan.Rule

  public init(from firstDay: Int = 1, days dayCount: Int, _ rule: Plan.Rule) {
    (self.firstDay, self.dayCount, self.rule) = (firstDay, dayCount, rule)
  }

  /// Days of the study, from 1.
  public var days: Range<Int> { firstDay..<firstDay + max(0, dayCount) }

  /// The plan of somebody.
  ///
  /// - Parameters:
  ///   - id: Unique among all plans of the person.
  ///   - beginning: Day 1 of the study, on the person's wall.
  ///   - seed: The person's own.
  /// - Returns: Nil where its first day has no year of four digits.
  public func plan(id: String, beginning: CalendarDate, seed: UInt64) -> Plan? {
    beginning.adding(days: firstDay - 1).map {
      Plan(id: id, rule: rule, firstDate: $0, dayCount: dayCount, seed: seed)
    }
  }

  /// Day of the study, from 1, of a date.
  public static func day(of date: CalendarDate, beginning: CalendarDate) -> Int {
    date.dayNumber - beginning.dayNumber + 1
  }
}
