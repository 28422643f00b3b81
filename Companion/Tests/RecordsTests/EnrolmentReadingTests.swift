import Almanac
import Base
import Records
import RecordsTesting
import Studies
import Testing

@Suite("Parts whose rows cannot be, on both engines") struct EnrolmentReadingTests {
  /// Parts of Ada, "a", and of Ben, "b", of which Ben's is damaged by whoever administers the database.
  private static func with(
    _ engine: Engine, damage: String, _ body: (TestDatabase) throws -> Void
  ) throws {
    try TestDatabase.with(engine) { store in
      let version = StudyVersion(study: "urn:s", version: "1", signer: "s", content: [1])
      try StudyVersions(store.database).keep(version, .at(1))
      let day = try #require(CalendarDate("2026-03-29"))
      for (id, subject) in [("a", "ada"), ("b", "ben")] {
        _ = try Enrolments(store.database).begin(
          id, version: version.sha256, on: day, in: "UTC", seed: 1, .at(2, subject))
      }
      _ = try store.administrator().once(.at(3), Statement(damage), [:])
      try body(store)
    }
  }

  /// Years of four digits end 253,402,300,799,999 ms after 1970, and begin 62,167,219,200,000 ms before it.
  static let moments = "a moment from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z"

  @Test(
    "are refused with the part, what was found and what was expected, and nobody else's with them",
    arguments: TestDatabase.engines,
    [
      (
        "UPDATE enrolment SET first_date = 'soon' WHERE id = 'b'",
        "\"soon\" as its first day, expected a date such as 2026-03-29"
      ),
      (
        "UPDATE enrolment SET first_date = '2026-02-29' WHERE id = 'b'",
        "\"2026-02-29\" as its first day, expected a date such as 2026-03-29"
      ),
      (
        "UPDATE enrolment SET begun = 253402300800000 WHERE id = 'b'",
        "253402300800000 ms as its beginning, expected \(moments)"
      ),
      (
        "UPDATE enrolment SET ended = -62167219200001, ending = 'completed' WHERE id = 'b'",
        "-62167219200001 ms as its end, expected \(moments)"
      ),
      ("DELETE FROM stay WHERE enrolment = 'b'", "no zone in which it was begun, expected one or more"),
      (
        "UPDATE stay SET zone = '' WHERE enrolment = 'b'", "a stay without a zone, expected the zone's name"
      ),
    ] as [(String, String)])
  func refused(engine: Engine, damage: (String, String)) throws {
    let (change, words) = damage
    try Self.with(engine, damage: change) { store in
      let (enrolments, reason) = (Enrolments(store.database), "the part b: found \(words)")
      #expect(throws: ParticipationError.unreadable(reason)) { try enrolments.all(.at(4, "ben")) }
      #expect(try enrolments.all(.at(4)).map(\.id) == ["a"])
      let all = try Enrolments(store.logged(in: "auricle_staff")).visible(.at(4, nil))
      #expect(all.enrolments.map(\.id) == ["a"])
      #expect(all.unreadable.map(\.id) == ["b"] && all.unreadable.map(\.reason) == [reason])
    }
  }

  @Test(
    "are not those of a clock that was set back: a part may end before it began",
    arguments: TestDatabase.engines)
  func setBack(engine: Engine) throws {
    let change = "UPDATE enrolment SET ended = 1, ending = 'withdrawn' WHERE id = 'b'"
    try Self.with(engine, damage: change) { store in
      let part = try #require(try Enrolments(store.database).all(.at(4, "ben")).first)
      #expect(part.ended == Instant(milliseconds: 1) && part.begun == Instant(milliseconds: 2))
    }
  }
}
