import Almanac
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@Suite("A part's version of its study, on both engines") struct PartVersionTests {
  @Test(
    "a part keeps its version while one is offered and refused, and has another, with its consent, once it is taken",
    arguments: TestDatabase.engines)
  func editions(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let study = try Consenting(store)
      let part = try study.begin()
      func now() throws -> Enrolment { try #require(try Enrolments(store.database).all(.at(999)).first) }
      try study.editions.offer(study.versions[1], to: part, .at(700))
      #expect(try now() == part)
      try study.editions.refuse(study.versions[1].sha256, of: part, .at(710))
      #expect(try now() == part)
      try study.editions.offer(study.versions[2], to: part, .at(720))
      try study.editions.take(
        study.versions[2].sha256, of: part, under: study.form.agreement(giving: ["answers", "sound"]),
        in: "Asia/Kolkata", .at(730))
      #expect(try now().studyVersion == study.versions[2].sha256 && now().begun == part.begun)
      let steps = try study.editions.all(of: part.id, .at(999))
      #expect(steps.map(\.kind) == [.taken, .offered, .refused, .offered, .taken])
      #expect(steps.map(\.moment.milliseconds) == [600, 700, 710, 720, 730])
      let consents = try study.consents.all(of: part.id, .at(999))
      #expect(consents.map(\.number) == [1, 2])
      #expect(consents.map(\.studyVersion) == [study.versions[0].sha256, study.versions[2].sha256])
      #expect(consents.map(\.zone) == ["Europe/Berlin", "Asia/Kolkata"])
      // Whoever still has the former version before them moves nothing.
      #expect(
        throws: ParticipationError.otherEdition(
          found: study.versions[2].sha256, expected: study.versions[0].sha256)
      ) {
        try study.editions.take(
          study.versions[1].sha256, of: part, under: nil, in: "UTC", .at(740))
      }
      #expect(try study.consents.all(of: part.id, .at(999)).count == 2)
      // Nor is a kind taken back of a consent that another one has replaced: it would leave all the same.
      #expect(
        throws: ParticipationError.otherEdition(
          found: study.versions[2].sha256, expected: study.versions[0].sha256)
      ) {
        try study.consents.tick("sound", isGiven: false, in: consents[0], at: "UTC", .at(750))
      }
      try study.consents.tick("sound", isGiven: false, in: consents[1], at: "UTC", .at(750))
      #expect(try study.consents.all(of: part.id, .at(999)).last?.givenKinds == ["answers"])
    }
  }

  @Test(
    "a version that cannot be taken takes no consent along: both or neither; one that ends the part does it in one",
    arguments: TestDatabase.engines)
  func moveWhole(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let study = try Consenting(store)
      let part = try study.begin()
      // Not kept: there is no such version.
      #expect(throws: ParticipationError.self) {
        try study.editions.take(
          study.versions[1].sha256, of: part, under: study.form.agreement(giving: ["answers"]), in: "UTC",
          .at(700))
      }
      #expect(try Enrolments(store.database).all(.at(999)) == [part])
      #expect(try study.consents.all(of: part.id, .at(999)).count == 1)
      try study.editions.offer(study.versions[1], to: part, .at(800))
      try study.editions.refuse(study.versions[1].sha256, of: part, ending: .withdrawn, .at(810))
      let ended = try #require(try Enrolments(store.database).all(.at(999)).first)
      #expect(ended.ending == .withdrawn && ended.ended == Instant(milliseconds: 810))
      #expect(throws: ParticipationError.ended(Instant(milliseconds: 810))) {
        try study.editions.offer(study.versions[2], to: part, .at(820))
      }
    }
  }

  @Test(
    "answers keep the version under which they were begun; one that asks by a version that was left begins nothing",
    arguments: TestDatabase.engines)
  func attribution(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let study = try Consenting(store)
      let part = try study.begin()
      let responses = Responses(store.database)
      let outline = try Outline(
        Questionnaire(
          url: "urn:q", version: "1", title: "Q", items: [Item("a", "A?", .yesNo), Item("b", "B?", .yesNo)])
      )
      func occurrence(_ number: Int) -> Occurrence {
        Occurrence(
          id: "t/2026-03-29/\(number)", date: Consenting.day, number: number,
          opens: Instant(milliseconds: 0), closes: Instant(milliseconds: 9000), zoneName: "UTC")
      }
      let first = study.versions[0].sha256
      var old = try responses.open("r1", occurrence(1), of: part.id, outline, under: first, .at(700))
      try responses.answer(.yes(true), for: AnswerKey("a"), in: &old, .at(710))
      try study.editions.offer(study.versions[1], to: part, .at(720))
      try study.editions.take(study.versions[1].sha256, of: part, under: nil, in: "UTC", .at(730))
      // Begun before, it goes on as it was; begun by the former version now, it is not.
      try responses.answer(.yes(false), for: AnswerKey("b"), in: &old, .at(740))
      #expect(
        throws: ParticipationError.otherEdition(found: study.versions[1].sha256, expected: first)
      ) { try responses.open("r2", occurrence(2), of: part.id, outline, under: first, .at(750)) }
      _ = try responses.open(
        "r3", occurrence(3), of: part.id, outline, under: study.versions[1].sha256, .at(760))
      let all = try responses.all(of: part.id, .at(800)) { _, _ in outline }
      #expect(all.map(\.studyVersion) == [first, study.versions[1].sha256])
      #expect(all[0].sheet.answers.count == 2)
    }
  }

  @Test(
    "tables of the version before get their parts' versions: each part has one step, each response its version",
    arguments: TestDatabase.engines)
  func migrated(engine: Engine) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      let newest = Migrations.tables(for: engine)
      try store.database.migrate(to: Migrations(Array(newest.all.prefix(1))), at: .at(0))
      let hash = String(repeating: "a", count: 64)
      for words in [
        "INSERT INTO subject (id, since) VALUES ('ada', 1)",
        "INSERT INTO study_version (sha256, study, version, signer, content, added) VALUES ('\(hash)', 'urn:s', '1', 's', \(engine == .sqlite ? "x'01'" : "'\\x01'"), 1)",
        "INSERT INTO enrolment (id, subject, study_version, first_date, seed, begun) VALUES ('e', 'ada', '\(hash)', '2026-03-29', 1, 5)",
        "INSERT INTO response (id, enrolment, occurrence, questionnaire, version, opens, closes, zone, begun) VALUES ('r', 'e', 'o', 'q', '1', 0, 9, 'UTC', 6)",
      ] { _ = try store.database.once(.at(1), Statement(words), [:]) }
      try store.database.migrate(to: newest, at: .at(10))
      let steps = try Editions(store.database).all(of: "e", .at(20))
      #expect(steps.map(\.studyVersion) == [hash] && steps.map(\.kind) == [.taken])
      #expect(steps.map(\.moment) == [Instant(milliseconds: 5)])
      let rows = try store.database.once(.at(20), Statement("SELECT study_version FROM response"), [:])
      #expect(rows.map { $0["study_version"]?.text } == [hash])
    }
  }
}
