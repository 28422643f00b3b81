import Almanac
import Base
import Foundation
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("The next step, on both engines") struct StepTests {
  /// Somebody who takes part in the site's study and gives both kinds of data.
  private static func with(
    _ engine: Engine, _ study: SiteStudy = SiteStudy(), _ body: (Home, OwnParts) throws -> Void
  ) throws {
    try Home.with(engine) { home in
      _ = try home.own().begin(study.version(), under: study.agreement())
      try body(home, home.own())
    }
  }

  @Test(
    "a question comes with its kind, options, progress and window; asking for it changes nothing",
    arguments: TestDatabase.engines)
  func question(engine: Engine) throws {
    try Self.with(engine) { _, own in
      for _ in 1...2 {
        let report = try own.report()
        #expect(report.text("step") == "question" && report.text("occurrence") == "mood/2026-03-29/1")
        #expect(report.text("opens") == "2026-03-29T04:00:00Z" && report.text("zone") == "UTC")
        #expect(report.text("question", "item") == "phq-9.1" && report.text("question", "kind") == "single")
        #expect(report["question"]?["required"] == true)
        #expect(
          report["question"]?["options"]
            == .array((0...3).map { ["code": .text("\($0)"), "text": .text("Option \($0)")] }))
        #expect(report["progress"] == ["answered": 0, "shown": 9, "required_missing": 9])
      }
      #expect(try own.running()[0].responses.isEmpty)
    }
  }

  @Test(
    "answers lead through a whole day: texts to read, a number in its limits, one left out, a group, its end, and the end of the day",
    arguments: TestDatabase.engines)
  func day(engine: Engine) throws {
    try Self.with(engine) { _, own in
      for item in 1...8 { try own.answer("phq-9.\(item)", "1") }
      try own.answer("phq-9.9", "0")
      #expect(try own.report().text("step") == "complete")
      try own.take(.complete, in: own.running())
      let loud = try own.report()
      #expect(loud["texts"] == ["Sit down."] && loud.text("question", "item") == "room.loud")
      #expect(loud["question"]?["least"] == 0 && loud["question"]?["greatest"] == 10)
      try own.answer("room.loud", "7")
      #expect(try own.report()["question"]?["most_letters"] == 20)
      try own.take(.leaveOut(AnswerKey("room.note")), in: own.running())
      try own.answer("room.sound", "q", [0])
      let again = try own.report()
      #expect(again.text("question", "kind") == "another-repetition" && again["question"]?["count"] == 1)
      try own.answer("room.sounds", "yes")
      let second = try own.report()
      #expect(second["question"]?["repetition"] == [2])
      try own.answer("room.sound", "-", [1])
      try own.answer("room.sounds", "no")
      let end = try own.report()
      #expect(end.text("step") == "complete" && end["texts"] == ["Thank you."])
      try own.take(.complete, in: own.running())
      #expect(
        try own.report()
          == ["schema": 100, "step": "nothing", "reason": "none-open", "opens": "2026-03-30T04:00:00Z"])
      let room = try #require(
        try own.running()[0].responses.first { $0.outline.questionnaire.url == "urn:test:room" })
      // Words that steer the terminal are answers here.
      #expect(room.sheet[AnswerKey("room.sound", [0])] == .text("q"))
      #expect(room.sheet[AnswerKey("room.sound", [1])] == .text("-"))
      #expect(room.sheet.answers[AnswerKey("room.loud")]?.took == 1200)
    }
  }

  @Test(
    "a question that was left out in a repetition which no takes back is asked again where yes adds that one once more",
    arguments: TestDatabase.engines)
  func leftOutRepetition(engine: Engine) throws {
    var study = SiteStudy()
    study.study.tasks.removeFirst()
    study.items["room"]![3].items.append(Item("room.far", "From afar?", .yesNo))
    try Self.with(engine, study) { _, own in
      func leaveOut(_ item: String, _ repetition: [Int] = []) throws {
        try own.take(.leaveOut(AnswerKey(item, repetition)), in: own.running())
      }
      try own.answer("room.loud", "7")
      try leaveOut("room.note")
      try own.answer("room.sound", "rain", [0])
      try leaveOut("room.far", [0])
      try own.answer("room.sounds", "yes")
      try leaveOut("room.sound", [1])
      #expect(try own.report().text("question", "item") == "room.far")
      try own.answer("room.sounds", "no")
      #expect(try own.report().text("step") == "complete")
      try own.answer("room.sounds", "yes")
      let asked = try own.report()
      #expect(asked.text("question", "item") == "room.sound" && asked["question"]?["repetition"] == [2])
    }
  }

  @Test(
    "yes to another repetition that is sent twice adds one; no takes a repetition without answers back, and yes behind it adds one again",
    arguments: TestDatabase.engines)
  func repetitions(engine: Engine) throws {
    var study = SiteStudy()
    study.study.tasks.removeFirst()
    try Self.with(engine, study) { _, own in
      let group = AnswerKey("room.sounds")
      func kept() throws -> [AnswerKey: Int] { try own.running()[0].responses[0].sheet.repetitions }
      try own.answer("room.loud", "7")
      try own.take(.leaveOut(AnswerKey("room.note")), in: own.running())
      try own.answer("room.sound", "rain", [0])
      try own.answer("room.sounds", "yes")
      do throws(StepRefusal) {
        try own.answer("room.sounds", "yes")
        Issue.record("another repetition was added that nobody wants")
      } catch {
        guard case .refused(let refusal) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(refusal.item == "room.sounds" && refusal.found == "another repetition")
        #expect(refusal.expected == "the questions of repetition 2 first")
      }
      #expect(try kept() == [group: 2])
      #expect(try own.report()["question"]?["repetition"] == [2])
      try own.answer("room.sounds", "no")
      #expect(try kept() == [group: 1])
      #expect(try own.report().text("step") == "complete")
      try own.answer("room.sounds", "yes")
      try own.answer("room.sound", "wind", [1])
      // One with an answer stays.
      try own.answer("room.sounds", "no")
      #expect(try kept() == [group: 2])
      #expect(try own.report().text("step") == "complete")
      try own.take(.complete, in: own.running())
    }
  }

  @Test(
    "what is no answer is refused with item, found and expected, and nothing is changed",
    arguments: TestDatabase.engines)
  func refused(engine: Engine) throws {
    try Self.with(engine) { _, own in
      try own.answer("phq-9.1", "2")
      let before = try own.running()[0].responses.map(\.sheet)
      for (item, text, found) in [
        ("phq-9.2", "4", "\"4\""), ("phq-9.2", "Option 1", "\"Option 1\""), ("phq-9.2", "", "\"\""),
        ("room.loud", "11", "the number 11"), ("room.loud", "loud", "\"loud\""),
        ("room.loud", "2.5", "the number 2.5"), ("room.sounds", "perhaps", "\"perhaps\""),
        ("nothing", "1", "a question that nobody is asked today"),
        ("room.read", "1", "an answer to a text"),
      ] {
        do throws(StepRefusal) {
          try own.answer(item, text)
          Issue.record("\(item) took \(text)")
        } catch {
          guard case .refused(let refusal) = error else {
            Issue.record("\(item): \(error)")
            continue
          }
          #expect(refusal.item == item && !refusal.expected.isEmpty)
          #expect(refusal.found == found, "\(item)")
        }
      }
      // A repetition that is not there, the end of what is not answered, a required question left out.
      #expect(throws: StepRefusal.self) { try own.answer("room.sound", "x", [2]) }
      #expect(throws: StepRefusal.self) { try own.take(.complete, in: own.running()) }
      #expect(throws: StepRefusal.self) {
        try own.take(.leaveOut(AnswerKey("phq-9.3")), in: own.running())
      }
      #expect(throws: StepRefusal.self) { try own.take(.helpWasShown, in: own.running()) }
      #expect(try own.running()[0].responses.filter { !$0.sheet.answers.isEmpty }.map(\.sheet) == before)
    }
  }

  @Test(
    "a zone that the system does not know is refused and not kept; a part that has one goes on in the zone before",
    arguments: TestDatabase.engines)
  func unknownZone(engine: Engine) throws {
    try Self.with(engine) { home, own in
      var surroundings = own.surroundings
      surroundings.zone = "Europe/Atlantis"
      let lost = OwnParts(own.database, surroundings)
      #expect(throws: Failure.self) { try lost.all() }
      #expect(try own.all()[0].enrolment.stays.map(\.zone) == ["UTC"])
      // As a program kept it that did not look it up.
      let enrolment = try own.all()[0].enrolment
      try Enrolments(own.database).move(enrolment, to: "Europe/Atlantis", home.own(1).session)
      let part = try #require(try home.own(2).all().first)
      #expect(part.enrolment.stays.map(\.zone) == ["UTC", "Europe/Atlantis", "UTC"])
      #expect(part.course.zones.zone(at: Home.morning + 5400).name == "UTC")
    }
  }

  @Test(
    "a zone that a clock noted that was ahead counts when its moment has come; until then windows are the present zone's, which is noted once",
    arguments: TestDatabase.engines)
  func clockAhead(engine: Engine) throws {
    try Home.with(engine) { home in
      var study = SiteStudy()
      study.study.tasks.removeLast()
      let window = LocalWindow(LocalTime("16:00")!, LocalTime("20:00")!)
      study.study.tasks[0].schedule = StudySchedule(
        days: 3, .recurring(Recurrence(times: .windows([window]))))
      func own(_ time: String, _ zone: String) throws -> OwnParts {
        let now = try #require(Instant("2026-03-16T\(time):00Z"))
        var surroundings = try home.own().surroundings
        surroundings.now = { now }
        surroundings.zone = zone
        return OwnParts(home.store.database, surroundings)
      }
      _ = try own("05:00", "Europe/Berlin").begin(study.version(), under: study.agreement())
      // Nine hours ahead.
      _ = try own("14:00", "Asia/Tokyo").all()
      // Set right, it is 14:10 in Tokyo. 16:00 is at 07:00 UTC there, and at 15:00 in Berlin.
      let waiting = try own("05:10", "Asia/Tokyo").report()
      #expect(waiting.text("reason") == "none-open" && waiting.text("opens") == "2026-03-16T07:00:00Z")
      let question = try own("07:00", "Asia/Tokyo").report()
      #expect(question.text("step") == "question" && question.text("zone") == "Asia/Tokyo")
      let (berlin, tokyo) = ("Europe/Berlin", "Asia/Tokyo")
      for time in ["08:00", "08:05"] { _ = try own(time, berlin).all() }
      let part = try #require(try own("08:10", berlin).all().first)
      #expect(part.enrolment.stays.map(\.zone) == [berlin, tokyo, berlin, tokyo])
      #expect(part.course.zones.zone(at: part.enrolment.begun + 12 * 3600).name == berlin)
      // The moment that was noted has come.
      for time in ["15:00", "15:05"] { _ = try own(time, berlin).all() }
      let later = try #require(try own("15:10", berlin).all().first)
      #expect(later.enrolment.stays.map(\.zone) == [berlin, tokyo, berlin, tokyo, berlin])
    }
  }

  @Test(
    "nothing is completed while a question waits: sent twice, complete completes one questionnaire",
    arguments: TestDatabase.engines)
  func completedOnce(engine: Engine) throws {
    // The second questionnaire has no question that must be answered.
    var study = SiteStudy()
    study.items["room"] = [Item("room.note", "A note?", .text(maxLength: 20))]
    try Self.with(engine, study) { _, own in
      #expect(throws: StepRefusal.self) { try own.take(.complete, in: own.running()) }
      for item in 1...8 { try own.answer("phq-9.\(item)", "1") }
      try own.answer("phq-9.9", "0")
      try own.take(.complete, in: own.running())
      let parts = try own.running()
      do throws(StepRefusal) {
        try own.take(.complete, in: parts)
        Issue.record("a questionnaire was completed that nobody was asked")
      } catch {
        guard case .refused(let refusal) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(refusal.item == "complete" && refusal.found == "a question that waits")
      }
      #expect(try own.running()[0].responses.filter { $0.completed != nil }.count == 1)
      try own.take(.leaveOut(AnswerKey("room.note")), in: own.running())
      try own.take(.complete, in: own.running())
      #expect(try own.running()[0].responses.filter { $0.completed != nil }.count == 2)
    }
  }

  @Test(
    "a measurement of the first study hides no question of the second, and comes when these are answered",
    arguments: TestDatabase.engines)
  func measurementLast(engine: Engine) throws {
    var study = SiteStudy()
    study.study.tasks[1].work = .measurement(TaskKind.hearingTest.key, settings: ["bayesian": 1])
    study.study.tasks.removeFirst()
    try Self.with(engine, study) { _, own in
      #expect(try own.report().text("step") == "measurement")
      var other = SiteStudy()
      other.study.id = "urn:test:other"
      other.study.tasks.removeLast()
      _ = try own.begin(other.version(), under: other.agreement())
      let report = try own.report()
      #expect(report.text("step") == "question" && report.text("study") == "urn:test:other")
      for item in 1...9 { try own.answer("phq-9.\(item)", "0") }
      try own.take(.complete, in: own.running())
      #expect(try own.report().text("step") == "measurement")
    }
  }

  @Test(
    "before the first day, between windows, after the last and without a study it says why nothing is asked",
    arguments: TestDatabase.engines)
  func nothing(engine: Engine) throws {
    try Home.with(engine) { home in
      func reason(_ hours: Int) throws -> NextStep.Reason? {
        if case .nothing(let reason) = try home.own(hours).step() { reason } else { nil }
      }
      #expect(try reason(0) == .noStudy)
      let study = SiteStudy()
      let first = try #require(CalendarDate("2026-03-31"))
      _ = try home.own().begin(study.version(), on: first, under: study.agreement())
      #expect(try reason(0) == .notBegun(first))
      // 02:00 on day 1: before it unlocks.
      #expect(try reason(42) == .noneOpen(opens: Instant("2026-03-31T04:00:00Z")))
      #expect(try reason(24 * 30) == .over)
      // An answer outside the window says which window, in which zone.
      let own = try home.own(42)
      do throws(StepRefusal) {
        try own.answer("phq-9.1", "1")
        Issue.record("it was taken")
      } catch {
        guard case .failed(let failure) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(failure.message.contains("expected 2026-03-31T04:00:00Z or later (UTC)"))
        #expect(failure.exitStatus == .temporary)
      }
    }
  }

  /// The window of 04:00 to 04:00 opens at 04:00 UTC of 2026-03-30; at 06:00 UTC it is 23:00 of the day before in Los Angeles.
  @Test(
    "after a journey west over midnight what has opened on the next date is asked, listed and taken until it closes",
    arguments: TestDatabase.engines, [1, 2])
  func west(engine: Engine, first: Int) throws {
    try Home.with(engine) { home in
      let study = SiteStudy()
      _ = try home.own().begin(
        study.version(), on: CalendarDate("2026-03-\(28 + first)"), under: study.agreement())
      // In UTC until then.
      _ = try home.own(21).all()
      func west(_ hours: Int) throws -> OwnParts {
        let own = try home.own(hours)
        var surroundings = own.surroundings
        surroundings.zone = "America/Los_Angeles"
        return OwnParts(own.database, surroundings)
      }
      let own = try west(22)
      let report = try own.report()
      #expect(report.text("step") == "question" && report.text("occurrence") == "mood/2026-03-30/1")
      let part = try #require(try own.all().first)
      // Day 2 of who began on the 29th, and day 1 of who begins on the 30th: neither has come again on the wall.
      #expect(part.course.day(at: own.surroundings.now()) == 2 - first)
      #expect(part.due(at: own.surroundings.now()).contains { $0.occurrence.id == "mood/2026-03-30/1" })
      try own.answer("phq-9.1", "1")
      #expect(try own.all()[0].responses.map(\.occurrence) == ["mood/2026-03-30/1"])
      // It closes by the zone in which it opened: 04:00 UTC of the 31st.
      #expect(try west(43).report().text("occurrence") == "mood/2026-03-30/1")
      #expect(try west(44).report().text("occurrence") != "mood/2026-03-30/1")
    }
  }

  @Test(
    "a questionnaire that is open for a week is asked on each of its days, also after the last of the study",
    arguments: TestDatabase.engines)
  func week(engine: Engine) throws {
    var study = SiteStudy()
    let morning = Recurrence.Times.at([LocalTime("08:00")!], openFor: 604_800)
    study.study.tasks.removeLast()
    study.study.tasks[0].schedule = StudySchedule(days: 1, .recurring(Recurrence(times: morning)))
    try Self.with(engine, study) { home, _ in
      for hours in [0, 24, 47, 72, 167] {
        let report = try home.own(hours).report()
        #expect(report.text("step") == "question" && report.text("occurrence") == "mood/2026-03-29/1")
      }
      #expect(try home.own(168).report().text("reason") == "over")
    }
  }

  @Test(
    "a part that ends while something is open or a day of the study is left is withdrawn, and completed afterwards",
    arguments: TestDatabase.engines)
  func ending(engine: Engine) throws {
    try Self.with(engine) { home, own in
      let part = try #require(try own.all().first)
      // Day 3 is over after 64 hours; its questionnaires are open until 04:00.
      for hours in [0, 39, 63, 67] { #expect(part.ending(at: Home.morning + hours * 3600) == .withdrawn) }
      #expect(part.ending(at: Home.morning + 68 * 3600) == .completed)
    }
  }

  @Test(
    "an option is chosen by its code by programs and by its number in the list by people",
    arguments: [("1", "0", "1"), ("0", nil, "0"), ("4", "3", nil), ("3", "2", "3")]
      as [(String, String?, String?)])
  func codes(text: String, byNumber: String?, byCode: String?) {
    let item = Item("i", "I", .single((0...3).map { Option("\($0)", "O") }, other: false))
    let typed = byNumber ?? (text == "0" ? "0" : nil)
    #expect(AnswerText.value(text, for: item) == typed.map { .choice($0) })
    #expect(AnswerText.value(text, for: item, choosing: .codes) == byCode.map { .choice($0) })
  }

  @Test(
    "several codes come with commas between them, whatever is within them; spaces divide codes that are single words",
    arguments: [
      ("right ear", ["right ear"], nil), ("right ear, b", ["right ear", "b"], nil),
      ("b , right ear", ["b", "right ear"], nil), ("x=y", ["x=y"], nil), ("b,x=y,=c", ["b", "x=y"], "c"),
      ("left, outside", ["left, outside"], nil), ("a b", ["a", "b"], nil), ("a,b", ["a", "b"], nil),
      (",a,,b,", ["a", "b"], nil), ("a, = hot, too", ["a"], "hot, too"), ("a = hot", ["a"], "hot"),
      ("= a", [], "a"),
    ] as [(String, [String], String?)])
  func severalCodes(text: String, codes: [String], other: String?) {
    let options = ["right ear", "a", "b", "x=y", "left, outside"].map { Option($0, "O") }
    let item = Item("i", "I", .multiple(options, other: true))
    #expect(AnswerText.value(text, for: item, choosing: .codes) == .choices(codes, other: other))
  }

  @Test(
    "a word that is no code is refused, and so is a text of one's own where none is asked for",
    arguments: ["right", "right ear b", "a, c", "a=b", "A", "=x", "a, =x", "="])
  func noCodes(text: String) {
    let item = Item(
      "i", "I", .multiple(["right ear", "a", "b"].map { Option($0, "O") }, other: false))
    #expect(AnswerText.value(text, for: item, choosing: .codes) == nil)
  }
}
