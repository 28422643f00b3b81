import Almanac
import Foundation
import Questionnaires
import Records
import Studies
import Testing

@testable import Companion

@Suite("Self-harm") struct SelfHarmTests {
  static let options = (0...3).map { Option("\($0)", LocalizedText("\($0)"), points: Double($0)) }
  static let items = (1...9).map {
    Item("phq-9.\($0)", LocalizedText("Question \($0)"), .single(options, other: false), isRequired: true)
  }
  static let study: Study = {
    var study = Sitting.noSelfHarm
    study.instruments = [StudyInstrument("phq-9", questionnaire: "q")]
    return study
  }()

  @Test(
    "an answer of 1, 2 or 3 to item 9 is followed by the help page at once, whatever the total; 0 is not",
    arguments: 0...3, [0, 3])
  func next(answer: Int, others: Int) throws {
    try Sitting.with(Self.items, Self.study) { sitting in
      let script = Script(Array(repeating: "\(others)", count: 8) + ["\(answer)", "", ""])
      let ending = try Questioner(
        sitting.database, sitting.surroundings, subject: "self", person: script,
        watch: SelfHarmWatch(Self.study),
        help: "HELP PAGE"
      ).ask(&sitting.response)
      #expect(ending == .completed)
      #expect(script.text.contains("HELP PAGE") == (answer > 0))
      let alerts = try Alerts(sitting.database).all(
        Session(subject: "self", at: Instant(milliseconds: 1500)))
      #expect(
        alerts.count == (answer > 0 ? 1 : 0)
          && alerts.allSatisfy { $0.helpSeen != nil && $0.delivered == nil })
    }
  }

  @Test("a program that ended before the help page was left shows it first when it is begun again")
  func after() throws {
    try Sitting.with(Self.items, Self.study) { sitting in
      let session = Session(subject: "self", at: Instant(milliseconds: 1500))
      try Responses(sitting.database).answer(
        .choice("1"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &sitting.response, session)
      let (_, said) = try sitting.type("", "q")
      let place = try #require(said.range(of: "HELP PAGE"))
      #expect(!said[..<place.lowerBound].contains("Question"))
      let (_, again) = try sitting.type("q")
      #expect(!again.contains("HELP PAGE"))
    }
  }

  @Test("an alert is told once, keeps the reason of a failure, and who has taken care of it first")
  func delivery() throws {
    try Sitting.with(Self.items, Self.study) { sitting in
      let session = Session(subject: "self", at: Instant(milliseconds: 1500))
      try Responses(sitting.database).answer(
        .choice("3"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &sitting.response, session)
      let alerts = Alerts(sitting.database)
      func only() throws -> Alert { try #require(try alerts.all(session).first) }
      try alerts.attempted(only(), failure: "no mail program", session)
      #expect(try only().delivered == nil && only().failure == "no mail program" && only().attempts == 1)
      try alerts.attempted(only(), failure: nil, session)
      #expect(try only().delivered == session.now && only().failure == nil && only().attempts == 2)
      try alerts.acknowledge(only(), by: "Dr A", session)
      try alerts.acknowledge(only(), by: "Dr B", session)
      #expect(try only().acknowledgedBy == "Dr A")
      // Another answer to it is another alert.
      try Responses(sitting.database).answer(
        .choice("1"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &sitting.response, session)
      #expect(try only().delivered == nil && only().acknowledged == nil && only().helpSeen == nil)
    }
  }
}
