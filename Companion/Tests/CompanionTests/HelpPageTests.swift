import Almanac
import Base
import Foundation
import Questionnaires
import Records
import RecordsTesting
import Studies
import Synchronization
import Testing

@testable import Companion

/// Lines of a file, or of somebody who has typed ahead, for whom what was typed is dropped on demand.
final class Ahead: Asking, Sendable {
  let isPresent: Bool
  let lines: Mutex<[String]>
  let said = Mutex("")

  init(_ lines: [String], isPresent: Bool) {
    self.isPresent = isPresent
    self.lines = Mutex(lines)
  }

  func say(_ text: String) { said.withLock { $0 += text } }
  func ask(_ prompt: String) -> String? {
    say(prompt)
    return lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
  func dropTyped() { lines.withLock { $0 = [] } }
}

@Suite("The help page, on both engines") struct HelpPageTests {
  @Test(
    "lines of a file do not go on from the page, and none of them is read there; the contact is told, and the page comes again"
  )
  func file() throws {
    try Alarm.with { alarm, _ in
      let (own, post, lines) = (alarm.own, Post(), Ahead(["", "3"], isPresent: false))
      let isSeen = try own.showHelp(to: lines) { () throws(Failure) in
        _ = try AlertDelivery(own, post).deliver()
      }
      #expect(!isSeen && lines.lines.withLock { $0 } == ["", "3"])
      #expect(lines.said.withLock { $0 }.hasPrefix("\nhelp\n"))
      #expect(post.sent.withLock { $0.count } == 1)
      #expect(try own.helpPage() != nil)
    }
  }

  @Test("the answers of a file behind the one that brings the page are not taken for other questions'")
  func questioner() throws {
    try Sitting.with(SelfHarmTests.items, SelfHarmTests.study) { sitting in
      var response = sitting.response
      let lines = Ahead(Array(repeating: "1", count: 8) + ["2", "4", "4"], isPresent: false)
      let questioner = Questioner(
        sitting.database, sitting.surroundings, subject: "self", person: lines,
        watch: SelfHarmWatch(SelfHarmTests.study), help: "HELP PAGE")
      // Once more from its beginning, as the next run does.
      for _ in 1...2 {
        let ending = try questioner.ask(&response)
        #expect(ending == .stopped)
      }
      #expect(lines.lines.withLock { $0 } == ["4", "4"])
      #expect(response.completed == nil)
    }
  }

  @Test("what was typed before the page came is dropped: somebody goes on from it by what they type then")
  func typedAhead() throws {
    try Alarm.with { alarm, _ in
      let typed = Ahead(["", ""], isPresent: true)
      let isSeen = try alarm.own.showHelp(to: typed)
      #expect(!isSeen)
      #expect(typed.said.withLock { $0 } == "\nhelp\nPress Enter to go on > ")
      let page = try alarm.own.helpPage()
      #expect(page != nil)
    }
  }

  /// Answers to items 1 to 8 of some sum, 0 to 24.
  private static func others(_ sum: Int) -> [Int] {
    (0..<8).map { place in min(3, max(0, sum - 3 * place)) }
  }

  /// Answers items 1 to 8.
  private static func answer(_ others: [Int], _ own: OwnParts) throws {
    let work = try #require(try own.running()[0].openWork(at: own.surroundings.now()).first)
    var response = try own.response(to: work)
    for (number, other) in others.enumerated() {
      try Responses(own.database).answer(
        .choice("\(other)"), for: AnswerKey("phq-9.\(number + 1)"), in: &response, own.session)
    }
  }

  /// One person, a day for each total: 1, 2 or 3 for item 9 and the rest by the other items, up to 27.
  private static func days(
    _ engine: Engine, _ answer: Int, _ body: (Home, _ hours: Int, _ others: [Int]) throws -> Void
  ) throws {
    var study = SiteStudy()
    study.study.dayCount = 30
    study.study.tasks.removeLast()
    let daily = LocalWindow(LocalTime("04:00")!, LocalTime("04:00")!)
    study.study.tasks[0].schedule = StudySchedule(
      days: 30, .recurring(Recurrence(times: .windows([daily]))))
    try Home.with(engine) { home in
      _ = try home.own().begin(study.version(), under: study.agreement())
      for total in answer...(answer + 24) {
        let others = Self.others(total - answer)
        #expect(others.reduce(0, +) + answer == total)
        try body(home, (total - answer) * 24, others)
      }
    }
  }

  @Test(
    "item 9 of 1, 2, 3 with every total to 27: the page is the next step of a program, also of one that begins anew, until it was seen",
    arguments: TestDatabase.engines, 1...3)
  func program(engine: Engine, answer: Int) throws {
    try Self.days(engine, answer) { home, hours, others in
      let own = try home.own(hours)
      try Self.answer(others, own)
      try own.answer("phq-9.9", "\(answer)")
      // Another connection knows only what is kept, as a program after a kill does.
      for own in [own, try home.own(hours, another: true)] {
        let report = try own.report()
        #expect(report.text("step") == "help" && report.text("text") == "HELP PAGE")
        #expect(report.text("contact", "phone") == "+49 30 1")
      }
      // Nothing is taken before it was seen.
      for step in [PersonStep.complete, .answer(AnswerKey("phq-9.1"), "0", took: nil)] {
        #expect(throws: StepRefusal.self) { try own.take(step, in: own.running()) }
      }
      #expect(try own.report().text("step") == "help")
      try own.take(.helpWasShown, in: own.running())
      #expect(try own.report().text("step") == "complete")
      try own.take(.complete, in: own.running())
    }
  }

  @Test(
    "item 9 of 1, 2, 3 with every total to 27: the page is the next thing that a terminal shows, also of a program that begins anew",
    arguments: TestDatabase.engines, 1...3)
  func terminal(engine: Engine, answer: Int) throws {
    try Self.days(engine, answer) { home, hours, others in
      let own = try home.own(hours)
      let work = try #require(try own.running()[0].openWork(at: own.surroundings.now()).first)
      var response = try own.response(to: work)
      let script = Script(others.map { "\($0)" } + ["\(answer)"])
      let questioner = Questioner(
        own.database, own.surroundings, subject: OwnParts.subject, person: script,
        watch: SelfHarmWatch(work.part.study), help: work.part.helpText(in: "en"))
      // The lines end on the page: nobody has gone on from it.
      #expect(try questioner.ask(&response) == .stopped)
      #expect(script.text.hasSuffix("HELP PAGE\nPress Enter to go on > "))
      let again = try home.own(hours, another: true)
      let reader = Script([""])
      #expect(try again.showHelp(to: reader))
      #expect(reader.text == "\nHELP PAGE\nPress Enter to go on > ")
      #expect(try again.helpPage() == nil)
      let ending = try Questioner(
        own.database, own.surroundings, subject: OwnParts.subject, person: Script([""]),
        watch: SelfHarmWatch(work.part.study), help: work.part.helpText(in: "en")
      ).ask(&response)
      #expect(ending == .completed)
    }
  }

  @Test(
    "a total of up to 24 with 0 for item 9 shows no page",
    arguments: TestDatabase.engines)
  func none(engine: Engine) throws {
    try Self.days(engine, 0) { home, hours, others in
      let own = try home.own(hours)
      try Self.answer(others, own)
      try own.answer("phq-9.9", "0")
      #expect(try own.report().text("step") == "complete")
      #expect(try own.helpPage() == nil)
      try own.take(.complete, in: own.running())
    }
  }

  @Test(
    "the page waits after the window has closed, after the days of the study, and after the part was ended",
    arguments: TestDatabase.engines)
  func later(engine: Engine) throws {
    try Home.with(engine) { home in
      let study = SiteStudy()
      _ = try home.own().begin(study.version(), under: study.agreement())
      try home.own().answer("phq-9.9", "1")
      for hours in [24, 24 * 60] { #expect(try home.own(hours).report().text("step") == "help") }
      let own = try home.own(24 * 60)
      try Enrolments(own.database).end(own.running()[0].enrolment, .withdrawn, own.session)
      #expect(try own.report().text("step") == "help")
      #expect(try own.showHelp(to: Script([""])))
      #expect(try own.report().text("reason") == "no-study")
    }
  }
}
