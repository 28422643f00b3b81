import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Parts and answers whose rows cannot be read, on both engines") struct UnreadablePartTests {
  @Test(
    "such a part is left out of everybody's parts by name, its alert and others' are told, and it is named",
    arguments: TestDatabase.engines)
  func damaged(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      let part = try own.begin(study.version(), under: study.agreement())
      try own.answer("phq-9.9", "1")
      let (ben, begun) = try study.begunByBen(beside: part, own)
      var response = begun
      try Responses(own.database).answer(
        .choice("1"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &response, ben)
      let damage = Statement("UPDATE enrolment SET first_date = 'soon' WHERE id = 'b'")
      _ = try home.store.administrator().once(.at(0), damage, [:])

      let all = OwnParts(try home.store.logged(in: "auricle_export"), own.surroundings)
      let (parts, unreadable) = try all.everybody()
      #expect(parts.map(\.enrolment.id) == [part.enrolment.id])
      #expect(unreadable.map { $0.part } == ["b"] && unreadable[0].failure.exitStatus == .badData)
      let words = "the part b: found \"soon\" as its first day, expected a date such as"
      #expect(unreadable[0].failure.message.contains(words))
      #expect(unreadable[0].failure.message.contains("on a server, tell whoever runs the server"))

      let staff = AlertDelivery(OwnParts(try home.store.logged(in: "auricle_staff"), own.surroundings))
      let standing = try staff.standing()
      #expect(Set(standing.map(\.alert.enrolment)) == [part.enrolment.id, "b"])
      #expect(standing.allSatisfy { $0.study.id == SiteStudy.url && $0.isSent })
      #expect(try staff.unreadableParts() == ["b"])
    }
  }

  @Test(
    "one person's damaged answer leaves that person out of everybody's parts, by name, and nobody else",
    arguments: TestDatabase.engines)
  func damagedAnswer(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      let part = try own.begin(study.version(), under: study.agreement())
      try own.take(.answer(AnswerKey("phq-9.1"), "2", took: nil), in: own.running())
      let (ben, begun) = try study.begunByBen(beside: part, own)
      var response = begun
      try Responses(own.database).answer(.choice("2"), for: AnswerKey("phq-9.1"), in: &response, ben)
      let all = OwnParts(try home.store.logged(in: "auricle_export"), own.surroundings)
      #expect(try all.everybody().parts.count == 2)
      let damage = Statement("UPDATE answer SET value = 'x' WHERE response = 'r'")
      _ = try home.store.administrator().once(.at(0), damage, [:])
      let (parts, unreadable) = try all.everybody()
      #expect(parts.map(\.enrolment.id) == [part.enrolment.id])
      #expect(unreadable.map(\.part) == ["b"] && unreadable[0].failure.exitStatus == .badData)
    }
  }
}
