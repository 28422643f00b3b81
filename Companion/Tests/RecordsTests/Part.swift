import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting

/// A part in a study of one questionnaire, whose second question is shown after a yes.
struct Part {
  let store: TestDatabase
  let responses: Responses
  let enrolment: Enrolment
  let outline: Outline
  var response: Response

  static let questionnaire = Questionnaire(
    url: "urn:test:q", version: "1", title: "Test",
    items: [
      Item("slept", "Did you sleep?", .yesNo, isRequired: true),
      Item(
        "hours", "How long?", .number(NumberRange(0, 24, step: 0.5)), isRequired: true,
        when: [Condition("slept", .equal, .yes(true))]),
      Item(
        "naps", "Naps", .group(repeats: 3),
        items: [
          Item("when", "When?", .time),
          Item("why", "Why?", .multiple([Option("t", "Tired"), Option("b", "Bored")], other: true)),
        ]),
    ])
  /// 1000 to 2000 ms, this moment left out.
  static let occurrence = Occurrence(
    id: "log/2026-03-29/1", date: CalendarDate(year: 2026, month: 3, day: 29)!, number: 1,
    opens: Instant(milliseconds: 1000), closes: Instant(milliseconds: 2000), zoneName: "Europe/Berlin",
    remark: nil)

  init(_ store: TestDatabase, opened now: Int = 1000) throws {
    self.store = store
    let version = StudyVersion(study: "urn:test:s", version: "1", signer: "own", content: [1, 2, 3])
    try StudyVersions(store.database).keep(version, .at(500))
    enrolment = try Enrolments(store.database).begin(
      "e1", version: version.sha256, on: Self.occurrence.date, in: "Europe/Berlin", seed: .max, .at(600))
    responses = Responses(store.database)
    outline = try Outline(Self.questionnaire)
    response = try responses.open("r1", Self.occurrence, of: "e1", outline, .at(now))
  }

  mutating func answer(
    _ value: AnswerValue, _ key: AnswerKey, at now: Int, _ subject: String = "ada"
  ) throws(ParticipationError) {
    try responses.answer(value, for: key, took: 7, in: &response, .at(now, subject))
  }

  /// As the database has it.
  func kept() throws -> Response { try responses.open("r2", Self.occurrence, of: "e1", outline, .at(1999)) }
}
