import Almanac
import Questionnaires
import Records
import RecordsTesting
import Testing

@Suite("Questions that were passed, on both engines") struct PassedTests {
  /// Answers of Ada's, begun at 3 ms in a window that closes at 100 ms, to a questionnaire of some items.
  private struct Begun {
    let responses: Responses
    let occurrence: Occurrence
    let outline: Outline
    let response: Response

    init(_ store: TestDatabase, _ items: [Item]) throws {
      let version = StudyVersion(study: "urn:s", version: "1", signer: "s", content: [1])
      try StudyVersions(store.database).keep(version, .at(1))
      _ = try Enrolments(store.database).begin(
        "e", version: version.sha256, on: Consenting.day, in: "UTC", seed: 1, .at(2))
      outline = try Outline(Questionnaire(url: "urn:q", version: "1", title: "Q", items: items))
      occurrence = Occurrence(
        id: "t/2026-03-29/1", date: Consenting.day, number: 1, opens: Instant(milliseconds: 0),
        closes: Instant(milliseconds: 100), zoneName: "UTC")
      responses = Responses(store.database)
      response = try responses.open("r", occurrence, of: "e", outline, .at(3))
    }

    /// The same answers as another program finds them.
    func again(at now: Int) throws -> Response {
      try responses.open("x", occurrence, of: "e", outline, .at(now))
    }
  }

  @Test(
    "a question that was left out and a group that has an end stay so; one that is required is not left out",
    arguments: TestDatabase.engines)
  func passed(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let begun = try Begun(
        store,
        [
          Item("must", "?", .yesNo, isRequired: true), Item("may", "?", .yesNo),
          Item("naps", "N", .group(repeats: 3), items: [Item("when", "?", .time)]),
        ])
      let responses = begun.responses
      var response = begun.response
      try responses.answer(.yes(true), for: AnswerKey("may"), in: &response, .at(4))
      try responses.leaveOut(AnswerKey("may"), in: &response, .at(5))
      try responses.repeatGroup(AnswerKey("naps"), 2, in: &response, .at(6))
      try responses.endGroup(AnswerKey("naps"), in: &response, .at(7))
      for key in [AnswerKey("must"), AnswerKey("naps"), AnswerKey("nothing"), AnswerKey("when", [5])] {
        #expect(throws: ParticipationError.self) {
          try responses.leaveOut(key, in: &response, .at(8))
        }
      }
      #expect(throws: ParticipationError.self) {
        try responses.endGroup(AnswerKey("may"), in: &response, .at(9))
      }
      let kept = try begun.again(at: 10)
      #expect(kept.passed == [AnswerKey("may"): 0, AnswerKey("naps"): 2] && kept.passed == response.passed)
      #expect(kept.sheet.answers.isEmpty)
      // Closed, nothing is passed either.
      #expect(throws: ParticipationError.self) {
        try responses.leaveOut(AnswerKey("may"), in: &response, .at(100))
      }
    }
  }

  @Test(
    "in a repetition that is taken back nothing is left out any longer, nor has a group in it an end; other places stay as they are",
    arguments: TestDatabase.engines)
  func takenBack(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let begun = try Begun(
        store,
        [
          Item(
            "meds", "M", .group(repeats: 3),
            items: [
              Item("med", "?", .yesNo),
              Item("doses", "D", .group(repeats: 3), items: [Item("dose", "?", .yesNo)]),
            ]),
          Item("naps", "N", .group(repeats: 3), items: [Item("nap", "?", .yesNo)]),
        ])
      let responses = begun.responses
      var response = begun.response
      for group in ["meds", "naps"] {
        try responses.repeatGroup(AnswerKey(group), 2, in: &response, .at(4))
      }
      let stale = response
      let (gone, staying) = (
        [AnswerKey("med", [1]), AnswerKey("dose", [1, 0])],
        [AnswerKey("med", [0]), AnswerKey("dose", [0, 0]), AnswerKey("nap", [1])]
      )
      for key in gone + staying { try responses.leaveOut(key, in: &response, .at(5)) }
      try responses.endGroup(AnswerKey("doses", [1]), in: &response, .at(6))
      // Also by a program that has not seen them passed.
      var shorter = stale
      try responses.repeatGroup(AnswerKey("meds"), 1, in: &shorter, .at(7))
      let kept = try begun.again(at: 8)
      #expect(kept.passed == shorter.passed && kept.passed.count == 6)
      #expect(staying.allSatisfy { kept.passed[$0] == 0 })
      // Neither left out, nor a number of repetitions, of which there are three at most.
      #expect((gone + [AnswerKey("doses", [1])]).allSatisfy { kept.passed[$0] ?? 0 > 3 })
      // Left out again, it is so again.
      try responses.repeatGroup(AnswerKey("meds"), 2, in: &shorter, .at(9))
      try responses.leaveOut(AnswerKey("med", [1]), in: &shorter, .at(10))
      #expect(shorter.passed[AnswerKey("med", [1])] == 0)
    }
  }
}
