import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Editions with another URL of a questionnaire, taken before they were refused, on both engines")
struct AnotherURLTests {
  private static let wrong = edition("1.1.0", "urn:test:other")
  private static let right = edition("1.2.0", "urn:test:phq-9")

  /// An edition that changes nothing but a URL.
  private static func edition(_ version: String, _ url: String) -> SiteStudy {
    var study = SiteStudy(version: version)
    study.urls["phq-9"] = url
    return study
  }

  /// Somebody who gives answers alone: PHQ-9 each day.
  private static func with(_ engine: Engine, _ body: (Home, OwnParts) throws -> Void) throws {
    try Home.with(engine) { home in
      let study = SiteStudy()
      _ = try home.own().begin(study.version(), under: study.agreement(giving: ["answers"]))
      try body(home, home.own())
    }
  }

  /// Takes an edition as a program did that did not compare URLs.
  private static func take(_ study: SiteStudy, _ own: OwnParts) throws {
    let part = try #require(try own.all().first)
    let (version, editions) = (try study.version(), Editions(own.database))
    try editions.offer(version, to: part.enrolment, own.session)
    try editions.take(version.sha256, of: part.enrolment, under: nil, in: "UTC", own.session)
  }

  private static func answerAll(_ own: OwnParts) throws {
    for item in 1...9 { try own.answer("phq-9.\(item)", "0") }
    try own.take(.complete, in: own.running())
  }

  /// Days of the study on which PHQ-9 is done, of the first two.
  private static func doneDays(_ own: OwnParts) throws -> [Int] {
    let part = try #require(try own.all().first)
    return part.course.due(part.given, on: 1...2, at: own.surroundings.now()).filter(\.isDone).map(\.day)
  }

  @Test("what was answered before stays done and is not asked again", arguments: TestDatabase.engines)
  func done(engine: Engine) throws {
    try Self.with(engine) { _, own in
      try Self.answerAll(own)
      try Self.take(Self.wrong, own)
      #expect(try Self.doneDays(own) == [1])
      #expect(try own.report().text("step") == "nothing")
    }
  }

  @Test("what was begun before goes on with its own answers", arguments: TestDatabase.engines)
  func begun(engine: Engine) throws {
    try Self.with(engine) { _, own in
      try own.answer("phq-9.1", "0")
      try Self.take(Self.wrong, own)
      #expect(try own.report().text("question", "item") == "phq-9.2")
      for item in 2...9 { try own.answer("phq-9.\(item)", "0") }
      try own.take(.complete, in: own.running())
      let responses = try #require(try own.all().first).responses
      #expect(responses.map(\.outline.questionnaire.url) == ["urn:test:phq-9"])
      #expect(try Self.doneDays(own) == [1])
    }
  }

  @Test(
    "the edition that gives the former URL back is offered and taken, and answers under either stay done; a third URL is refused",
    arguments: TestDatabase.engines)
  func repaired(engine: Engine) throws {
    try Self.with(engine) { home, own in
      try Self.answerAll(own)
      try Self.take(Self.wrong, own)
      let tomorrow = try home.own(24)
      try Self.answerAll(tomorrow)
      let part = try #require(try tomorrow.all().first)
      #expect(
        part.responses.map(\.outline.questionnaire.url) == ["urn:test:phq-9", "urn:test:other"])
      let third = Self.edition("1.2.0", "urn:test:third")
      #expect(throws: Failure.self) { try tomorrow.offer(third.version(), third.bundle(), to: part) }
      let offer = try tomorrow.offer(Self.right.version(), Self.right.bundle(), to: part)
      let moved = try tomorrow.take(offer, of: part, under: nil)
      #expect(moved.study.version == "1.2.0")
      #expect(try Self.doneDays(tomorrow) == [1, 2])
      #expect(try tomorrow.report().text("step") == "nothing")
      // Each has its score, by its own answers.
      let scores = moved.course.scores(moved.given)
      #expect(scores.map(\.score.outcome) == [.value(0), .value(0)])
    }
  }
}
