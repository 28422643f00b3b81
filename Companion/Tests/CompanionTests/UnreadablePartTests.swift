import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("A part whose row cannot be read, on both engines") struct UnreadablePartTests {
  @Test(
    "it is left out of everybody's parts by name, its alert and others' are told, and it is named",
    arguments: TestDatabase.engines)
  func damaged(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      let part = try own.begin(study.version(), under: study.agreement())
      try own.answer("phq-9.9", "1")
      let ben = Session(subject: "ben", at: Home.morning)
      _ = try Enrolments(own.database).begin(
        "b", version: study.version().sha256, on: part.enrolment.firstDate, in: "UTC", seed: 1,
        under: study.agreement(), ben)
      let (occurrence, outline) = (
        try #require(part.due(at: Home.morning).first).occurrence,
        try #require(part.content.outline(url: "urn:test:phq-9"))
      )
      var response = try Responses(own.database).open("r", occurrence, of: "b", outline, ben)
      try Responses(own.database).answer(
        .choice("1"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &response, ben)
      let damage = Statement("UPDATE enrolment SET first_date = 'soon' WHERE id = 'b'")
      _ = try home.store.administrator().once(.at(0), damage, [:])

      let all = OwnParts(try home.store.logged(in: "auricle_export"), own.surroundings)
      let (parts, unreadable) = try all.everybody()
      #expect(parts.map(\.enrolment.id) == [part.enrolment.id])
      #expect(unreadable.map { $0.part } == ["b"] && unreadable[0].failure.exitStatus == .badData)
      #expect(unreadable[0].failure.message.contains("the part b"))

      let staff = AlertDelivery(OwnParts(try home.store.logged(in: "auricle_staff"), own.surroundings))
      let standing = try staff.standing()
      #expect(Set(standing.map(\.alert.enrolment)) == [part.enrolment.id, "b"])
      #expect(standing.allSatisfy { $0.study.id == SiteStudy.url && $0.isSent })
      #expect(try staff.unreadableParts() == ["b"])
    }
  }
}
