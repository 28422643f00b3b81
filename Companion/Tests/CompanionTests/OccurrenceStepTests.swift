import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Steps and the occurrence to which they belong, on both engines") struct OccurrenceStepTests {
  static let (first, second) = ("mood/2026-03-29/1", "mood/2026-03-29/2")
  static let item = AnswerKey("phq-9.1")

  /// Somebody with PHQ-9 twice a day, from 04:00 to 09:00 and from 09:00 to 16:00; it is 08:00.
  private static func with(_ engine: Engine, _ body: (Home, OwnParts) throws -> Void) throws {
    var study = SiteStudy()
    study.study.tasks.removeLast()
    let times = [("04:00", "09:00"), ("09:00", "16:00")]
    let windows = times.map { LocalWindow(LocalTime($0.0)!, LocalTime($0.1)!) }
    study.study.tasks[0].schedule = StudySchedule(days: 3, .recurring(Recurrence(times: .windows(windows))))
    try Home.withPart(engine, study, body)
  }

  /// Takes a step.
  ///
  /// - Returns: The failure of one that is not taken; nil: it was.
  private static func failure(
    _ own: OwnParts, _ step: PersonStep, of occurrence: String? = nil
  ) throws -> Failure? {
    let parts = try own.running()
    do throws(StepRefusal) {
      try own.take(step, in: parts, of: occurrence)
      return nil
    } catch {
      guard case .failed(let failure) = error else {
        Issue.record("\(error)")
        return nil
      }
      return failure
    }
  }

  private static func answer(took: Int? = nil) -> PersonStep { .answer(item, "1", took: took) }

  /// Occurrences of everything that was begun.
  private static func begun(_ own: OwnParts) throws -> [String] {
    try own.running()[0].responses.map(\.occurrence)
  }

  @Test(
    "a step of an occurrence that has closed is refused with when it closed, and the next one keeps nothing",
    arguments: TestDatabase.engines)
  func closed(engine: Engine) throws {
    try Self.with(engine) { home, own in
      #expect(try own.report().text("occurrence") == Self.first)
      // Nothing was begun: the question was on the screen when its window closed.
      let later = try home.own(1)
      for step in [Self.answer(), .leaveOut(Self.item), .complete] {
        let failure = try #require(try Self.failure(later, step, of: Self.first))
        #expect(failure.exitStatus == .temporary)
        #expect(failure.message.contains("after it closed; expected before 2026-03-29T09:00:00Z (UTC)"))
      }
      #expect(try Self.begun(later) == [])
      #expect(try Self.failure(later, Self.answer(), of: Self.second) == nil)
      #expect(try Self.begun(later) == [Self.second])
      // On another day too.
      #expect(try Self.failure(home.own(24), Self.answer(), of: Self.first)?.exitStatus == .temporary)
      #expect(try Self.begun(home.own(24)) == [Self.second])
    }
  }

  @Test(
    "a step of an occurrence that has not opened is refused with when it opens, and so is one of an occurrence that the study does not have",
    arguments: TestDatabase.engines)
  func others(engine: Engine) throws {
    try Self.with(engine) { _, own in
      let early = try #require(try Self.failure(own, Self.answer(), of: "mood/2026-03-30/1"))
      #expect(early.exitStatus == .temporary)
      #expect(early.message.contains("before it opens; expected 2026-03-30T04:00:00Z or later (UTC)"))
      for name in ["mood/2026-03-29/3", "mood/2026-06-29/1", "nothing", ""] {
        #expect(throws: StepRefusal.self) { try own.take(Self.answer(), in: own.running(), of: name) }
      }
      #expect(try Self.begun(own) == [])
    }
  }

  @Test(
    "a step that names no occurrence is refused just behind a begun questionnaire that asks the item, and taken an hour later",
    arguments: TestDatabase.engines)
  func unnamed(engine: Engine) throws {
    try Self.with(engine) { home, own in
      #expect(try Self.failure(own, Self.answer()) == nil)
      let behind = try home.own(1)
      for step in [Self.answer(), .leaveOut(Self.item)] {
        let failure = try #require(try Self.failure(behind, step))
        #expect(failure.exitStatus == .temporary)
        #expect(failure.message.contains("--occurrence \(Self.second)"))
      }
      #expect(try Self.begun(behind) == [Self.first])
      // It was shown two hours ago, at 08:00.
      let hours = 7_200_000
      let (later, shown) = (try home.own(2), Self.answer(took: hours))
      #expect(try Self.failure(later, shown)?.exitStatus == .temporary)
      #expect(try Self.begun(later) == [Self.first])
      #expect(try Self.failure(later, Self.answer()) == nil)
      #expect(try Self.begun(later) == [Self.first, Self.second])
    }
  }

  @Test(
    "a step of an occurrence that two studies have is taken with the name of one alone, also where it is open in one of them only",
    arguments: TestDatabase.engines)
  func shared(engine: Engine) throws {
    try Self.with(engine) { home, own in
      // PHQ-9 once a day, from 04:00 to 04:00: its occurrence has the name of the other's first.
      var other = SiteStudy()
      other.study.id = "urn:test:other"
      other.study.tasks.removeLast()
      _ = try own.begin(other.version(), under: other.agreement())
      func begun(_ own: OwnParts) throws -> [String: [String]] {
        let parts = try own.running().map { ($0.study.id, $0.responses.map(\.occurrence)) }
        return Dictionary(uniqueKeysWithValues: parts)
      }
      guard case .ask(_, let work, _) = try own.step() else {
        Issue.record("no question")
        return
      }
      #expect(work.isShared)
      // From 09:00 on the first one is closed in the one study.
      for hours in 0...1 {
        for step in [Self.answer(), .leaveOut(Self.item), .complete] {
          let failure = try #require(try Self.failure(home.own(hours), step, of: Self.first))
          #expect(failure.exitStatus == .temporary)
          #expect(failure.message.contains("Several studies have the occurrence \(Self.first): urn:test:"))
          for study in ["urn:test:site", "urn:test:other"] { #expect(failure.message.contains(study)) }
        }
      }
      #expect(try begun(own) == ["urn:test:site": [], "urn:test:other": []])
      let later = try home.own(1)
      try later.take(Self.answer(), in: later.running("urn:test:other"), of: Self.first)
      #expect(try begun(later) == ["urn:test:site": [], "urn:test:other": [Self.first]])
      // The second one is one study's alone.
      #expect(try Self.failure(later, Self.answer(), of: Self.second) == nil)
      #expect(try begun(later) == ["urn:test:site": [Self.second], "urn:test:other": [Self.first]])
    }
  }

  @Test(
    "behind a questionnaire that was completed in time a step needs no name",
    arguments: TestDatabase.engines)
  func completed(engine: Engine) throws {
    try Self.with(engine) { home, own in
      for number in 1...9 { try own.answer("phq-9.\(number)", "0") }
      #expect(try Self.failure(own, .complete, of: Self.first) == nil)
      // Named, it is the complete one's.
      #expect(throws: StepRefusal.self) {
        try own.take(Self.answer(), in: own.running(), of: Self.first)
      }
      let behind = try home.own(1)
      #expect(try Self.failure(behind, Self.answer()) == nil)
      #expect(try Self.begun(behind) == [Self.first, Self.second])
    }
  }
}
