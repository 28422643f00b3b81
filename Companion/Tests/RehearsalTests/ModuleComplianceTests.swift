import Almanac
import Exchange
import Foundation
import Questionnaires
import Studies
import Testing

@Suite("Compliance with modules") struct ModuleComplianceTests {
  /// A yes in the log calls for three modules on days 2 to 4, of which "long" takes more than a day has.
  private static func study() -> TenDays {
    TenDays { study in
      study.tasks.append(
        StudyTask("day", .modulesOfDay, TenDays.daily("04:00", "04:00"), minutes: 0, dataType: "answers"))
      study.modules = [("more", 4.0), ("rest", 4), ("long", 20)].map { id, minutes in
        StudyModule(
          id, "M", questionnaire: id, pillar: "p", .expansion, minutes: minutes, priority: 1)
      }
      study.gateways = [
        Gateway("yes", when: [Condition("log.a", .equal, .yes(true))], modules: ["more", "rest", "long"])
      ]
      study.filling = Filling(2...4, mostMinutes: 12, title: "F", summary: "F")
    }
  }

  @Test(
    "those that were called for and never begun are due and not done once the last day for them is over")
  func neverBegun() throws {
    let log = TenDays.given("log", "log", on: 1, "09:30")
    // Four logs, of which one is done; until 04:00 of day 5 the modules can still be done.
    #expect(try Self.study().compliance(on: 4, [log]) == Compliance(due: 4, done: 1))
    #expect(try Self.study().compliance(on: 5, at: "00:30", [log]) == Compliance(due: 4, done: 1))
    // "long" never had a day.
    #expect(try Self.study().compliance(on: 5, at: "04:00", [log]) == Compliance(due: 6, done: 1))
    #expect(try Self.study().compliance(on: 10, [log]) == Compliance(due: 12, done: 1))
  }

  @Test("those that were begun are due on their day alone")
  func begun() throws {
    let answers = [
      TenDays.given("log", "log", on: 1, "09:30"), TenDays.given("more", "day", on: 3, "10:00"),
    ]
    #expect(try Self.study().compliance(on: 4, answers) == Compliance(due: 5, done: 2))
    // Five logs and two modules.
    #expect(try Self.study().compliance(on: 5, answers) == Compliance(due: 7, done: 2))
  }

  @Test("those that an answer calls for when the days for them are over are not due")
  func calledLate() throws {
    let log = TenDays.given("log", "log", on: 6, "09:30")
    #expect(try Self.study().compliance(on: 6, [log]) == Compliance(due: 6, done: 1))
  }

  /// The log is of a kind that the person gave on day 1 and withdrew on day 2; modules are of another.
  @Test("people.csv counts those that answers called for which are kept back by then, and no answer leaves")
  func keptBack() throws {
    let study = TenDays { study in
      study.tasks = [
        TenDays.task("log", "09:00", "10:00", kind: "sound"),
        StudyTask("day", .modulesOfDay, TenDays.daily("04:00", "04:00"), minutes: 0, dataType: "answers"),
      ]
      study.modules = [
        StudyModule("more", "M", questionnaire: "more", pillar: "p", .expansion, minutes: 4, priority: 1)
      ]
      study.gateways = [
        Gateway("yes", when: [Condition("log.a", .equal, .yes(true))], modules: ["more"])
      ]
      study.filling = Filling(2...4, mostMinutes: 12, title: "F", summary: "F")
    }
    let (content, zones) = (try study.content(), ZoneHistory(try ZoneFolder().zone("UTC")))
    let consent = DataSet.GivenConsent(
      number: 1, version: "1", versionHash: "h", text: "t", language: "en",
      ticks: [
        TenDays.tick("answers", true, 1, "00:05"), TenDays.tick("sound", true, 1, "00:05"),
        TenDays.tick("sound", false, 2, "08:00"),
      ])
    let moment = TenDays.moment(1, "09:30")
    let log = DataSet.GivenResponse(
      id: "r", given: TenDays.given("log", "log", on: 1, "09:30"), zone: "UTC", begun: moment,
      completed: moment, kind: "sound")
    let person = DataSet.Participant(
      code: "P1", course: Course(content, from: TenDays.first, seed: 1, in: zones, giving: ["answers"]),
      ended: nil, ending: nil, responses: [log], consents: [consent])
    let made = TenDays.moment(10, "12:00")
    // The module that the log of day 1 called for, which nobody began.
    #expect(Compliance(person, at: made) == Compliance(due: 1, done: 0))
    let files = Dictionary(
      uniqueKeysWithValues: DataSet(content, [person], made: made).files.map { ($0.name, $0.text) })
    #expect(files["people.csv"]?.contains("\r\nP1,2026-03-22,10,1,0,") == true)
    #expect(files["answers.csv"]?.contains("urn:log") == false)
  }

  @Test("one of the fifteen days that nobody began is due on day 16, whose plan has no day for it")
  func fifteenDays() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Studies/fifteen-days").standardized.path
    let bundle = try StudyBundle(StudyFolder.content(of: folder))
    let content = try StudyContent(StudyEdition(bundle, BundleUse(on: TenDays.first)))
    let zones = ZoneHistory(try ZoneFolder().zone("UTC"))
    let moment = TenDays.moment(4, "09:00")
    var sheet = AnswerSheet()
    sheet.set(.number(8), for: AnswerKey("pain.worst"), at: moment)
    let pain = GivenAnswers(
      occurrence: "day/2026-03-25/1", questionnaire: "urn:auricle:questionnaire:fifteen-days:pain",
      sheet: sheet, isCompleted: true)
    let person = DataSet.Participant(
      code: "P1", course: Course(content, from: TenDays.first, seed: 1, in: zones), ended: nil, ending: nil,
      responses: [
        DataSet.GivenResponse(id: "r", given: pain, zone: "UTC", begun: moment, completed: moment)
      ])
    // 14 logs, 9 diaries and the 17 modules of the first five days; then the last log, diary and module.
    let end = try #require(Instant("2026-04-06T04:00:00Z"))
    #expect(Compliance(person, at: end + -1) == Compliance(due: 40, done: 1))
    #expect(Compliance(person, at: end) == Compliance(due: 43, done: 1))
  }
}
