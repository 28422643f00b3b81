import Almanac
import Base

/// A study as it may be asked on each day of somebody's part: behind the last day of a licence its instrument
/// is asked no longer.
///
/// - Threads: any.
struct DayEditions: Sendable {
  /// Up to the first of ``changes``.
  private let first: StudyEdition
  /// In the order of their days.
  private let changes: [Change]

  private struct Change: Sendable {
    /// Day of the study from which on it holds.
    let day: Int
    let edition: StudyEdition
  }

  /// The same on every day.
  init(_ edition: StudyEdition) { (first, changes) = (edition, []) }

  /// - Parameters:
  ///   - edition: As it may be asked on the day of its use, and before.
  ///   - firstDate: Day 1 of the part.
  init(_ edition: StudyEdition, from firstDate: CalendarDate) {
    let (bundle, use) = (edition.bundle, edition.use)
    let last = Set(bundle.study.instruments.compactMap { $0.licence?.expires }.filter { $0 >= use.date })
    first = edition
    changes = last.compactMap { $0.adding(days: 1) }.sorted().map { date in
      Change(
        day: StudySchedule.day(of: date, beginning: firstDate),
        edition: StudyEdition(bundle, BundleUse(on: date, isCommercial: use.isCommercial)))
    }
  }

  /// - Parameter day: Of the study, from 1.
  subscript(day: Int) -> StudyEdition { changes.last { $0.day <= day }?.edition ?? first }
}
