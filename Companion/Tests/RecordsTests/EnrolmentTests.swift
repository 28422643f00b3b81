import Almanac
import Base
import Records
import RecordsTesting
import Testing

@Suite("Parts in studies, on both engines") struct EnrolmentTests {
  @Test(
    "the same version with other content is refused and named; the same content again is the same",
    arguments: TestDatabase.engines)
  func versions(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let versions = StudyVersions(store.database)
      let first = StudyVersion(study: "urn:s", version: "1", signer: "k", content: Array(0...255))
      for moment in 1...2 { try versions.keep(first, .at(moment)) }
      #expect(try versions.version(first.sha256, .at(3)) == first)
      let changed = StudyVersion(study: "urn:s", version: "1", signer: "k", content: [0])
      #expect(throws: ParticipationError.otherContent(study: "urn:s", version: "1", kept: first.sha256)) {
        try versions.keep(changed, .at(4))
      }
      #expect(try versions.all(.at(5)).map(\.added) == [Instant(milliseconds: 1)])
    }
  }

  @Test(
    "a part is begun once, keeps its seed, its first day and its zones, and its version although another is added",
    arguments: TestDatabase.engines)
  func parts(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let (versions, enrolments) = (StudyVersions(store.database), Enrolments(store.database))
      let first = StudyVersion(study: "urn:s", version: "1", signer: "k", content: [1])
      try versions.keep(first, .at(1))
      let day = try #require(CalendarDate("2028-02-29"))
      let part = try enrolments.begin(
        "e", version: first.sha256, on: day, in: "Pacific/Chatham", seed: 1 << 63, .at(2))
      let again = try enrolments.begin("f", version: first.sha256, on: day, in: "UTC", seed: 0, .at(3))
      #expect(part == again && part.id == "e" && part.seed == 1 << 63 && part.firstDate == day)
      try versions.keep(StudyVersion(study: "urn:s", version: "2", signer: "k", content: [2]), .at(4))
      try enrolments.move(part, to: "Asia/Kolkata", .at(5))
      let found = try #require(try enrolments.all(.at(6)).first)
      #expect(found.studyVersion == first.sha256)
      #expect(found.stays.map(\.zone) == ["Pacific/Chatham", "Asia/Kolkata"])
      #expect(throws: ParticipationError.self) {
        try enrolments.begin(
          "g", version: String(repeating: "0", count: 64), on: day, in: "UTC", seed: 0, .at(7))
      }
      #expect(throws: ParticipationError.self) { try enrolments.move(part, to: "UTC", .at(8, "eve")) }
    }
  }
}
