import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("The next step, on both engines") struct StepTests {
  @Test(
    "a question comes with its kind, options, progress and window; asking for it changes nothing",
    arguments: TestDatabase.engines)
  func question(engine: Engine) throws {
    try Home.withPart(engine) { _, own in
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
    try Home.withPart(engine) { _, own in
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
    "an answer to a list that has the system of yes, no and don't know is read again, and the part goes on",
    arguments: TestDatabase.engines)
  func ownSystem(engine: Engine) throws {
    var study = SiteStudy()
    study.study.tasks.removeFirst()
    let options = ["no", "yes"].map { Option($0, LocalizedText($0), system: "urn:auricle:answer") }
    study.items["room"] = [
      Item("room.quiet", "Quiet?", .single(options, other: false), isRequired: true),
      Item("room.note", "A note?", .text(maxLength: 20)),
    ]
    try Home.withPart(engine, study) { home, own in
      try own.answer("room.quiet", "yes")
      // As a program finds it that begins anew.
      let again = try home.own(another: true)
      let sheet = try again.running()[0].responses[0].sheet
      #expect(sheet[AnswerKey("room.quiet")] == AnswerValue.choice("yes"))
      #expect(try again.report().text("question", "item") == "room.note")
    }
  }

  @Test(
    "what is no answer is refused with item, found and expected, and nothing is changed",
    arguments: TestDatabase.engines)
  func refused(engine: Engine) throws {
    try Home.withPart(engine) { _, own in
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
    "nothing is completed while a question waits: sent twice, complete completes one questionnaire",
    arguments: TestDatabase.engines)
  func completedOnce(engine: Engine) throws {
    // The second questionnaire has no question that must be answered.
    var study = SiteStudy()
    study.items["room"] = [Item("room.note", "A note?", .text(maxLength: 20))]
    try Home.withPart(engine, study) { _, own in
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
    try Home.withPart(engine, study) { _, own in
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
}
