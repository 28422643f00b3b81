import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Answers begun before a later edition, on both engines") struct EditionAnswerTests {
  @Test(
    "answers stay with the version and the questionnaire under which they were begun, also half of them; what begins later has the new one",
    arguments: TestDatabase.engines)
  func answers(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement())
      func answer(_ item: String, _ text: String, at own: OwnParts) throws {
        try own.take(.answer(AnswerKey(item), text, took: nil), in: own.running())
      }
      try answer("phq-9.1", "2", at: own)
      // The new version asks three questions only.
      let next = SiteStudy.later {
        $0.study.dayCount = 9
        $0.items["phq-9"] = Array($0.items["phq-9"]!.prefix(2)) + [Item("mood.new", "New?", .yesNo)]
        $0.study.instruments = []
      }
      let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
      let moved = try own.take(offer, of: own.onlyPart(), under: next.agreement())
      #expect(moved.responses.map(\.studyVersion) == [try study.version().sha256])
      // Today's goes on with its nine questions; its answers count, and its item 9 still calls for help.
      for item in 2...8 { try answer("phq-9.\(item)", "0", at: own) }
      try answer("phq-9.9", "1", at: own)
      guard case .help = try own.nextStep(in: own.running()) else {
        Issue.record("no help page")
        return
      }
      try own.take(.helpWasShown, in: own.running())
      try own.take(.complete, in: own.running())
      #expect(try own.onlyPart().responses[0].sheet.answers.count == 9)
      // Tomorrow's has the new ones.
      let tomorrow = try home.own(24)
      try answer("mood.new", "yes", at: tomorrow)
      let responses = try tomorrow.onlyPart().responses
      #expect(responses.map { Self.name(of: $0.studyVersion, [study, next]) } == ["1.0.0", "1.1.0"])
      #expect(responses.map(\.outline.questionnaire.version) == ["1.0.0", "1.1.0"])
      #expect(throws: StepRefusal.self) { try answer("phq-9.5", "1", at: tomorrow) }
    }
  }

  /// At 11:00 one of the two windows is open.
  @Test(
    "a questionnaire that was begun keeps its window under an edition with another: closed it holds up no other study, and open it is asked",
    arguments: TestDatabase.engines, [("10:00", "14:00", false), ("14:00", "10:00", true)])
  func windows(engine: Engine, closes: (begun: String, later: String, isOpen: Bool)) throws {
    try Home.with(engine) { home in
      func study(_ version: String, until time: String) throws -> SiteStudy {
        var study = SiteStudy(version: version)
        study.study.tasks.removeLast()
        let window = LocalWindow(LocalTime("04:00")!, try #require(LocalTime(time)))
        study.study.tasks[0].schedule = StudySchedule(
          days: 3, .recurring(Recurrence(times: .windows([window]))))
        return study
      }
      let own = try home.own()
      let first = try study("1.0.0", until: closes.begun)
      _ = try own.begin(first.version(), under: first.agreement())
      try own.answer("phq-9.1", "2")
      let next = try study("1.1.0", until: closes.later)
      let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
      #expect(!offer.asksForConsent)
      let early = try home.own(1)
      _ = try early.take(offer, of: early.onlyPart(), under: nil)
      var other = SiteStudy()
      other.study.id = "urn:test:other"
      other.study.tasks.removeFirst()
      _ = try early.begin(other.version(), under: other.agreement())
      // At 09:00 both are.
      let report = try early.report()
      #expect(report.text("study") == SiteStudy.url && report.text("question", "item") == "phq-9.2")
      #expect(report.text("closes") == "2026-03-29T\(closes.begun):00Z")
      let late = try home.own(3)
      let part = try #require(try late.all().first)
      #expect(part.openWork(at: late.surroundings.now()).isEmpty == !closes.isOpen)
      #expect(try late.report().text("study") == (closes.isOpen ? SiteStudy.url : "urn:test:other"))
      do throws(StepRefusal) {
        try late.answer("phq-9.2", "1")
        #expect(closes.isOpen)
      } catch {
        guard case .failed(let failure) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(!closes.isOpen && failure.exitStatus == .temporary)
        #expect(failure.message.contains("after it closed; expected before 2026-03-29T10:00:00Z"))
      }
      #expect(try late.report().text("question", "item") == (closes.isOpen ? "phq-9.3" : "room.loud"))
    }
  }

  /// A study of one task, which is due on its first day alone or on each, open from a time for hours.
  private static func study(
    _ version: String, _ days: Recurrence.Days, from time: String, hours: Int
  ) throws -> SiteStudy {
    var study = SiteStudy(version: version)
    study.study.tasks.removeLast()
    let times = Recurrence.Times.at([try #require(LocalTime(time))], openFor: hours * 3600)
    study.study.tasks[0].schedule = StudySchedule(days: 3, .recurring(Recurrence(days: days, times: times)))
    return study
  }

  /// Somebody who has begun the questionnaire of day 1 and taken a later edition an hour after.
  private static func moved(_ home: Home, from first: SiteStudy, to next: SiteStudy) throws {
    let own = try home.own()
    _ = try own.begin(first.version(), under: first.agreement())
    try own.answer("phq-9.1", "2")
    let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
    let early = try home.own(1)
    _ = try early.take(offer, of: early.onlyPart(), under: nil)
  }

  @Test(
    "a questionnaire that was begun in a window of five days is asked on day 4, where an edition leaves it eight hours",
    arguments: TestDatabase.engines)
  func longWindow(engine: Engine) throws {
    try Home.with(engine) { home in
      func study(_ version: String, hours: Int) throws -> SiteStudy {
        try Self.study(version, .numbered([0]), from: "04:00", hours: hours)
      }
      try Self.moved(home, from: study("1.0.0", hours: 120), to: study("1.1.0", hours: 8))
      let late = try home.own(72)
      #expect(try late.report().text("question", "item") == "phq-9.2")
      try late.answer("phq-9.2", "1")
      #expect(try late.report().text("question", "item") == "phq-9.3")
    }
  }

  @Test(
    "what was begun and has closed does not open again with a later window of an edition: the next opening is tomorrow's",
    arguments: TestDatabase.engines)
  func nextOpening(engine: Engine) throws {
    try Home.with(engine) { home in
      // Until 10:00, and from 12:00 on.
      try Self.moved(
        home, from: Self.study("1.0.0", .every(1), from: "04:00", hours: 6),
        to: Self.study("1.1.0", .every(1), from: "12:00", hours: 2))
      let late = try home.own(3)
      guard case .nothing(.noneOpen(let opens)) = try late.step() else {
        Issue.record("something is open")
        return
      }
      // 28 hours behind 08:00 of day 1.
      #expect(opens == Home.morning + 28 * 3600)
    }
  }

  private static func name(of version: String, _ studies: [SiteStudy]) -> String? {
    studies.first { (try? $0.version().sha256) == version }?.study.version
  }
}
