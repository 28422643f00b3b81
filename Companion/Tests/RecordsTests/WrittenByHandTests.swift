import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@Suite("Rows that somebody writes by SQL of their own, on both engines") struct WrittenByHandTests {
  /// SHA-256 of "abc" and of nothing (FIPS 180-4, and coreutils).
  static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  static let empty = "e3b0c44298fc"

  static let genuine = StudyVersion(study: "urn:s", version: "1", signer: "k", content: Array("abc".utf8))

  /// Takes the rules of the tables away, as of a database whose rows are older than they.
  private static func lift(_ store: TestDatabase) throws {
    let text =
      switch store.engine {
      case .sqlite: "DROP TRIGGER enrolment_is_named; DROP TRIGGER response_is_named"
      case .postgres:
        """
        ALTER TABLE study_version DROP CONSTRAINT study_version_is_its_hash;
        ALTER TABLE enrolment DROP CONSTRAINT enrolment_is_named;
        ALTER TABLE response DROP CONSTRAINT response_is_named
        """
      }
    try store.administrator().apply(Migration(number: 0, text: text))
  }

  /// Adds a version under the name of the genuine one, as whoever takes part.
  private static func plant(
    _ store: TestDatabase, content: [UInt8], signer: String = "k"
  ) throws(StorageError) {
    let insert = Statement(
      """
      INSERT INTO study_version (sha256, study, version, signer, content, added)
      VALUES (:sha256, 'urn:s', '1', :signer, :content, 1)
      """)
    _ = try store.database.once(
      .at(1, "eve"), insert, ["sha256": .text(abc), "signer": .text(signer), "content": .bytes(content)])
  }

  @Test(
    "other content under the hash of somebody's version is neither read nor taken for it: found and expected are said",
    arguments: TestDatabase.engines)
  func otherContent(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      try Self.lift(store)
      try Self.plant(store, content: [])
      let versions = StudyVersions(store.database)
      let reason =
        "version \(Self.abc.prefix(12))… of a study: found content with the SHA-256 \(Self.empty)…, expected that of its name"
      #expect(throws: ParticipationError.unreadable(reason)) { try versions.version(Self.abc, .at(2)) }
      #expect(throws: ParticipationError.unreadable(reason)) { try versions.keep(Self.genuine, .at(2)) }
    }
  }

  @Test(
    "a version's own content under another signer is not taken for it: later editions would be that signer's",
    arguments: TestDatabase.engines)
  func otherSigner(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      try Self.plant(store, content: Self.genuine.content, signer: "eve")
      #expect(
        throws: ParticipationError.unreadable("version 1 of urn:s: found another signer, expected k")
      ) { try StudyVersions(store.database).keep(Self.genuine, .at(2)) }
    }
  }

  @Test(
    "a server refuses a version whose content has another hash than its name",
    .enabled(if: TestDatabase.engines.contains(.postgres)))
  func hash() throws {
    try TestDatabase.with(.postgres) { store in
      #expect { try Self.plant(store, content: []) } throws: { error in
        guard case StorageError.constraint(let words) = error else { return false }
        return words.contains("study_version_is_its_hash")
      }
      try Self.plant(store, content: Self.genuine.content)
      #expect(try StudyVersions(store.database).version(Self.abc, .at(2)) == Self.genuine)
    }
  }

  /// An occurrence of the next day.
  static let next = Occurrence(
    id: "log/2026-03-30/1", date: Part.occurrence.date, number: 1, opens: Instant(milliseconds: 1000),
    closes: Instant(milliseconds: 2000), zoneName: "Europe/Berlin", remark: nil)

  @Test(
    "names of parts and responses are letters, digits and hyphens, 64 at most; the tables refuse every other one",
    arguments: TestDatabase.engines)
  func names(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Part(store)
      func begin(_ name: String, _ subject: String) throws(ParticipationError) {
        _ = try Enrolments(store.database).begin(
          name, version: part.enrolment.studyVersion, on: Part.occurrence.date, in: "UTC", seed: 1,
          .at(1010, subject))
      }
      func open(_ name: String) throws(ParticipationError) {
        _ = try part.responses.open(name, Self.next, of: "e1", part.outline, .at(1010))
      }
      func isRefused(_ step: () throws(ParticipationError) -> Void) -> Bool {
        do throws(ParticipationError) { try step() } catch {
          if case .storage(.constraint) = error { return true }
        }
        return false
      }
      for name in [
        "", "-x", "4 --by x", "a\nb", "a;b", "a'b", "a.b", "ä", String(repeating: "a", count: 65),
      ] {
        let part = isRefused { () throws(ParticipationError) in try begin(name, "eve") }
        let response = isRefused { () throws(ParticipationError) in try open(name) }
        #expect(part && response, "\(name)")
      }
      try begin(String(repeating: "a", count: 64), "eve")
      try open("0F8fad5b-d9cb-469f-a165-70867728950e")
    }
  }

  @Test(
    "of older rows with other names neither part nor alert is read, and the part is named without its signs",
    arguments: TestDatabase.engines)
  func olderNames(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Part(store)
      try Self.lift(store)
      let (responses, slept) = (part.responses, AnswerKey("slept"))
      var first = part.response
      var other = try responses.open("4 --by x\n", Self.next, of: "e1", part.outline, .at(1010))
      try responses.answer(.yes(true), for: slept, isAlarming: true, in: &first, .at(1020))
      try responses.answer(.yes(true), for: slept, isAlarming: true, in: &other, .at(1020))
      #expect(try Alerts(store.database).all(.at(1030)).map(\.response) == ["r1"])

      let version = part.enrolment.studyVersion
      try store.administrator().apply(
        Migration(
          number: 0,
          text: """
            INSERT INTO subject (id, since) VALUES ('eve', 1);
            INSERT INTO enrolment (id, subject, study_version, first_date, seed, begun)
            VALUES ('x; rm', 'eve', '\(version)', '2026-03-29', 1, 1)
            """))
      let seen = try Enrolments(store.logged(in: "auricle_staff")).visible(.at(1040, nil))
      #expect(seen.enrolments.map(\.id) == ["e1"] && seen.unreadable.map(\.id) == ["x??rm"])
      #expect(
        seen.unreadable.map(\.reason) == [
          "the part x??rm: found a name with other signs, expected letters, digits and -, at most 64"
        ])
    }
  }
}
