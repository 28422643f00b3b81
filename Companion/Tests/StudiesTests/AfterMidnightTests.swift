import Almanac
import Base
import Questionnaires
import Testing

@testable import Studies

@Suite("Modules after midnight") struct AfterMidnightTests {
  /// The fifteen days from 2026-03-22 on, in UTC, from 04:00 to 04:00: day 7 is 28 March, day 15 is 5 April.
  static func course() throws -> Course {
    let first = try #require(CalendarDate("2026-03-22"))
    let content = try StudyContent(StudyEdition(FifteenDays.bundle(), BundleUse(on: first)))
    return Course(content, from: first, seed: 1, in: ZoneHistory(try ZoneFolder().zone("UTC")))
  }

  /// Worst pain 8, on day 4: it calls for one more module.
  static func pain() throws -> GivenAnswers {
    var sheet = AnswerSheet()
    sheet.set(
      .number(8), for: AnswerKey("pain.worst"), at: try #require(Instant("2026-03-25T09:00:00Z")))
    return GivenAnswers(
      occurrence: "day/2026-03-25/1", questionnaire: "urn:auricle:questionnaire:fifteen-days:pain",
      sheet: sheet, isCompleted: true)
  }

  @Test(
    "that nobody has begun stay on the day that is open until 04:00, and move on when the next one opens",
    arguments: [
      ("2026-03-28T23:59:59Z", [7]), ("2026-03-29T00:30:00Z", [7]), ("2026-03-29T03:59:59Z", [7]),
      ("2026-03-29T04:00:00Z", [8]), ("2026-04-05T23:59:59Z", [15]), ("2026-04-06T00:30:00Z", [15]),
      ("2026-04-06T03:59:59Z", [15]), ("2026-04-06T04:00:00Z", []),
    ] as [(String, [Int])])
  func moved(moment: String, days: [Int]) throws {
    let now = try #require(Instant(moment))
    let due = try Self.course().due([Self.pain()], on: 6...15, at: now).filter { $0.task.id == "day" }
    #expect(due.map(\.day) == days)
    #expect(due.allSatisfy { $0.occurrence.isOpen(at: now) })
    #expect(due.flatMap(\.parts).map(\.module?.id) == days.map { _ in "pain-more" })
  }

  @Test("that are open only in the daytime are placed on the date, also before they open")
  func daytime() throws {
    var sound = SoundStudy()
    sound.study.tasks[1].schedule = StudyCheckTests.schedule(
      .windows([StudyCheckTests.window("09:00", "21:00")]))
    let course = try AdministrationTests.course(sound)
    let poor = AdministrationTests.given("log", on: 22, at: 10, [("log.quality", .number(2))])
    // The window closes at 21:00.
    for (moment, day) in [
      ("2026-03-24T20:00:00Z", 3), ("2026-03-24T22:00:00Z", 4), ("2026-03-25T00:30:00Z", 4),
    ] {
      let now = try #require(Instant(moment))
      let due = course.due([poor], on: 2...10, at: now).filter { $0.task.id == "day" }
      #expect(due.map(\.day) == [day])
    }
  }

  @Test("that are open for three days stay on the day of their opening until they close")
  func severalDays() throws {
    var sound = SoundStudy()
    let times = Recurrence.Times.at([Samples.time("09:00")], openFor: 259_200)
    sound.study.tasks[1].schedule = StudySchedule(
      days: 10, .recurring(Recurrence(days: .weekdays([.tuesday]), times: times)))
    let course = try AdministrationTests.course(sound)
    let poor = AdministrationTests.given("log", on: 22, at: 10, [("log.quality", .number(2))])
    // Day 3 is Tuesday, 24 March.
    for (moment, days) in [
      ("2026-03-24T10:00:00Z", [3]), ("2026-03-25T00:00:00Z", [3]), ("2026-03-27T08:59:59Z", [3]),
      ("2026-03-27T09:00:00Z", []),
    ] as [(String, [Int])] {
      let now = try #require(Instant(moment))
      let due = course.due([poor], on: 2...10, at: now).filter { $0.task.id == "day" }
      #expect(due.map(\.day) == days)
    }
  }
}
