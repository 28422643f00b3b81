import Almanac
import Base
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Day 1, on both engines") struct BeginTests {
  /// The site's study, asked from 09:00 to 22:00.
  private static func evening() -> SiteStudy {
    var study = SiteStudy()
    let window = LocalWindow(LocalTime("09:00")!, LocalTime("22:00")!)
    for place in study.study.tasks.indices {
      study.study.tasks[place].schedule = StudySchedule(
        days: 3, .recurring(Recurrence(times: .windows([window]))))
    }
    return study
  }

  /// 08:00 UTC and so many hours: before the window, within it, as it closes, at the day's end, and at
  /// midnight.
  @Test(
    "without a stated day it is today, and tomorrow from the moment at which everything of today has closed",
    arguments: TestDatabase.engines, [0, 13, 14, 15, 16])
  func tomorrow(engine: Engine, hours: Int) throws {
    try Home.with(engine) { home in
      let study = Self.evening()
      let part = try home.own(hours).begin(study.version(), under: study.agreement())
      #expect("\(part.enrolment.firstDate)" == (hours < 14 ? "2026-03-29" : "2026-03-30"))
    }
  }

  @Test(
    "a study that asks nothing on its first day begins today, at whatever hour",
    arguments: TestDatabase.engines)
  func nothingOnDayOne(engine: Engine) throws {
    try Home.with(engine) { home in
      var study = Self.evening()
      for place in study.study.tasks.indices { study.study.tasks[place].schedule.firstDay = 2 }
      let part = try home.own(15).begin(study.version(), under: study.agreement())
      #expect("\(part.enrolment.firstDate)" == "2026-03-29")
    }
  }

  @Test(
    "a day before today is refused with found and expected, and nothing is begun; today is taken",
    arguments: TestDatabase.engines)
  func past(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(15), Self.evening())
      for text in ["2025-03-29", "2026-03-28"] {
        let date = try #require(CalendarDate(text))
        do throws(Failure) {
          try own.refusePast(date)
          Issue.record("\(text) was taken")
        } catch {
          #expect(error.found == text && error.expected == "today, 2026-03-29, or a later day")
          #expect(error.exitStatus == .usage)
        }
        #expect(throws: Failure.self) {
          try own.begin(study.version(), on: date, under: study.agreement())
        }
      }
      #expect(try own.all().isEmpty)
      let part = try own.begin(study.version(), on: CalendarDate("2026-03-29"), under: study.agreement())
      #expect("\(part.enrolment.firstDate)" == "2026-03-29")
    }
  }

  /// 366 days from 2026-03-29 on: a year without 29 February, and a day.
  @Test(
    "a day more than 366 days ahead is refused with found and expected, and nothing is begun; the last one is taken",
    arguments: TestDatabase.engines)
  func farAhead(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(15), Self.evening())
      for text in ["2027-03-31", "2062-03-29", "9999-12-31"] {
        let date = try #require(CalendarDate(text))
        do throws(Failure) {
          try own.refusePast(date)
          Issue.record("\(text) was taken")
        } catch {
          #expect(error.found == text && error.expected == "a day up to 2027-03-30")
          #expect(error.exitStatus == .usage)
        }
        #expect(throws: Failure.self) {
          try own.begin(study.version(), on: date, under: study.agreement())
        }
      }
      #expect(try own.all().isEmpty)
      let part = try own.begin(study.version(), on: CalendarDate("2027-03-30"), under: study.agreement())
      #expect("\(part.enrolment.firstDate)" == "2027-03-30")
    }
  }
}
