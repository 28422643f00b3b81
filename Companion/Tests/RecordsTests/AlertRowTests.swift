import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

/// Somebody's answer that must not wait, given at 10 ms, shown at 20 ms and told at 30 ms.
private struct Raised {
  let store: TestDatabase
  let responses: Responses
  let alerts: Alerts
  var response: Response

  static let key = AnswerKey("harm")

  init(_ store: TestDatabase) throws {
    self.store = store
    let version = StudyVersion(study: "urn:s", version: "1", signer: "s", content: [1])
    try StudyVersions(store.database).keep(version, .at(1))
    let day = try #require(CalendarDate("2026-03-29"))
    _ = try Enrolments(store.database).begin(
      "e", version: version.sha256, on: day, in: "UTC", seed: 1, .at(2))
    let outline = try Outline(
      Questionnaire(url: "urn:q", version: "1", title: "Q", items: [Item("harm", "?", .yesNo)]))
    let occurrence = Occurrence(
      id: "t/2026-03-29/1", date: day, number: 1, opens: Instant(milliseconds: 0),
      closes: Instant(milliseconds: 1000), zoneName: "UTC")
    (responses, alerts) = (Responses(store.database), Alerts(store.database))
    response = try responses.open("r", occurrence, of: "e", outline, .at(3))
    try give(at: 10)
    let alert = try #require(try alerts.all(.at(20)).first)
    try alerts.helpWasShown(alert, .at(20))
    try alerts.attempted(alert, failure: nil, .at(30))
  }

  mutating func give(at now: Int) throws {
    try responses.answer(.yes(true), for: Self.key, isAlarming: true, in: &response, .at(now))
  }

  mutating func leaveOut(at now: Int, _ subject: String = "ada") throws {
    try responses.leaveOut(Self.key, in: &response, .at(now, subject))
  }

  func alert() throws -> Alert { try #require(try alerts.all(.at(100)).first) }

  /// Column `changes` of the alert's row, by which an answer is another one.
  func changes() throws -> Int? {
    let statement = Statement("SELECT changes FROM safety_alert")
    return try store.administrator().once(.at(100), statement, [:]).first?["changes"]?.integer
  }
}

@Suite("Alerts, on both engines") struct AlertRowTests {
  @Test(
    "the same answer twice leaves its alert as it is; left out and given again it is shown and told anew",
    arguments: TestDatabase.engines)
  func takenBack(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var raised = try Raised(store)
      let first = try raised.alert()
      #expect(first.raised == Instant(milliseconds: 10) && first.helpSeen == Instant(milliseconds: 20))
      #expect(first.delivered == Instant(milliseconds: 30))
      try raised.give(at: 40)
      #expect(try raised.alert() == first)
      // Taken back it stays as it was told, and whichever answer comes next is another one.
      try raised.leaveOut(at: 50)
      #expect(try raised.alert() == first)
      #expect(try raised.changes() == -1)
      try raised.give(at: 60)
      let second = try raised.alert()
      #expect(second.raised == Instant(milliseconds: 60) && second.attempts == 0)
      #expect(second.helpSeen == nil && second.delivered == nil)
      #expect(try raised.changes() == 0)
    }
  }

  @Test(
    "an alert that was raised anew is neither told nor shown, escalated nor taken care of by what was done for the former one",
    arguments: TestDatabase.engines)
  func former(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var raised = try Raised(store)
      let former = try raised.alert()
      // Given anew while the mail for the former one is on its way.
      try raised.leaveOut(at: 50)
      try raised.give(at: 60)
      let anew = try raised.alert()
      let alerts = raised.alerts
      try alerts.helpWasShown(former, .at(70))
      try alerts.attempted(former, failure: nil, .at(71))
      try alerts.escalated(former, .at(72))
      let staff = Alerts(try store.logged(in: "auricle_staff"))
      let isFormerNoted = try staff.acknowledge(former, by: "Ben", .at(73))
      #expect(try !isFormerNoted && raised.alert() == anew)
      #expect(anew.helpSeen == nil && anew.delivered == nil && anew.acknowledged == nil)
      try alerts.helpWasShown(anew, .at(80))
      try alerts.attempted(anew, failure: nil, .at(81))
      try alerts.escalated(anew, .at(82))
      let isNoted = try staff.acknowledge(anew, by: "Ben", .at(83))
      let isNotedAgain = try staff.acknowledge(anew, by: "Ada", .at(84))
      #expect(isNoted && !isNotedAgain)
      let moments: [Instant?] = [80, 81, 82, 83].map { Instant(milliseconds: $0) }
      let done = try raised.alert()
      #expect([done.helpSeen, done.delivered, done.escalated, done.acknowledged] == moments)
    }
  }

  @Test(
    "on a server a participant does not note that their own alert was taken care of; staff do, and the next answer takes the note back",
    .enabled(if: TestDatabase.engines.contains(.postgres)))
  func ownCare() throws {
    try TestDatabase.with(.postgres) { store in
      var raised = try Raised(store)
      let alert = try raised.alert()
      #expect(
        throws: ParticipationError.storage(
          .forbidden("staff note who has taken care of an alert, as auricle_staff"))
      ) { try raised.alerts.acknowledge(alert, by: "me", .at(40)) }
      #expect(try raised.alert().acknowledged == nil)
      let staff = Alerts(try store.logged(in: "auricle_staff"))
      let isNoted = try staff.acknowledge(alert, by: "Ben", .at(41))
      #expect(try isNoted && raised.alert().acknowledgedBy == "Ben")
      try raised.leaveOut(at: 50)
      try raised.give(at: 60)
      let anew = try raised.alert()
      #expect(anew.acknowledged == nil && anew.acknowledgedBy == nil)
      try raised.alerts.helpWasShown(anew, .at(61))
      #expect(try raised.alert().helpSeen == Instant(milliseconds: 61))
    }
  }

  @Test("nobody takes back the alert of somebody else's answer", arguments: TestDatabase.engines)
  func somebodyElse(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var raised = try Raised(store)
      #expect(throws: ParticipationError.unknown("response r of yours")) {
        try raised.leaveOut(at: 50, "eve")
      }
      #expect(try raised.changes() == 0)
    }
  }
}
