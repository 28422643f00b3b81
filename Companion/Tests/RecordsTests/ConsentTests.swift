import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

/// A study with a text to agree to and two kinds of data, in versions that follow each other.
struct Consenting {
  let store: TestDatabase
  let versions: [StudyVersion]
  let form: ConsentForm

  static let day = CalendarDate(year: 2026, month: 3, day: 29)!

  init(_ store: TestDatabase) throws {
    self.store = store
    var study = Study(id: "urn:test:c", version: "1", kind: .site, languages: ["en"], title: "C")
    study.dataTypes = [DataType("answers", "Answers", isRequired: true), DataType("sound", "Sound")]
    study.texts = [StudyText("consent", files: ["en": "consent.md"])]
    let bundle = try StudyBundle(
      BundleContent([Study.file: Array(study.json.minified.utf8), "consent.md": Array("I agree.".utf8)]))
    form = try #require(bundle.consentForm(in: "en"))
    versions = (1...3).map {
      StudyVersion(study: "urn:test:c", version: "\($0)", signer: "s", content: [UInt8($0)])
    }
    try StudyVersions(store.database).keep(versions[0], .at(500))
  }

  func begin(_ kinds: Set<String> = ["answers"]) throws -> Enrolment {
    try Enrolments(store.database).begin(
      "e", version: versions[0].sha256, on: Self.day, in: "Europe/Berlin", seed: 1,
      under: form.agreement(giving: kinds), .at(600))
  }

  var consents: Consents { Consents(store.database) }
  var editions: Editions { Editions(store.database) }
}

@Suite("Consent, on both engines") struct ConsentTests {
  @Test(
    "consent is kept with the part: version, text, language, ticks, moment and zone",
    arguments: TestDatabase.engines)
  func kept(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let study = try Consenting(store)
      let part = try study.begin()
      let consent = try #require(try study.consents.all(of: part.id, .at(700)).first)
      #expect(consent.studyVersion == study.versions[0].sha256 && consent.text == study.form.sha256)
      #expect(consent.language == "en" && consent.given == Instant(milliseconds: 600))
      #expect(consent.zone == "Europe/Berlin" && consent.givenKinds == ["answers"])
      #expect(consent.ticks.map(\.kind) == ["answers", "sound"])
      // Begun again it is the same part with the same consent, and nobody else sees it.
      _ = try study.begin(["answers", "sound"])
      #expect(try study.consents.all(of: part.id, .at(700)) == [consent])
      #expect(try study.consents.all(of: part.id, .at(700, "ben")).isEmpty)
    }
  }

  @Test(
    "a consent that is not kept leaves no part: both or neither",
    arguments: TestDatabase.engines)
  func whole(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let study = try Consenting(store)
      // The ticks have nowhere to go.
      try store.administrator().apply(
        Migration(number: 0, text: "ALTER TABLE consent_tick RENAME TO consent_tick_elsewhere"))
      #expect(throws: ParticipationError.self) { try study.begin() }
      #expect(try Enrolments(store.database).all(.at(700)).isEmpty)
    }
  }

  @Test(
    "a tick is taken back and given again by rows that are added; the last stands, also at one moment",
    arguments: TestDatabase.engines)
  func ticks(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let study = try Consenting(store)
      let part = try study.begin(["answers", "sound"])
      func consent() throws -> Consent {
        try #require(try study.consents.all(of: part.id, .at(700)).last)
      }
      for isGiven in [false, true, false] {
        try study.consents.tick("sound", isGiven: isGiven, in: consent(), at: "Asia/Kolkata", .at(600))
        #expect(try consent().givenKinds == (isGiven ? ["answers", "sound"] : ["answers"]))
      }
      let history = try consent().ticks.filter { $0.kind == "sound" }
      #expect(history.map(\.isGiven) == [true, false, true, false])
      #expect(history.map(\.zone) == ["Europe/Berlin"] + Array(repeating: "Asia/Kolkata", count: 3))
      #expect(throws: ParticipationError.self) {
        try study.consents.tick("sound", isGiven: true, in: consent(), at: "UTC", .at(800, "ben"))
      }
    }
  }

  @Test(
    "after its end a part gives nothing new, and what it gave can still be taken back",
    arguments: TestDatabase.engines)
  func afterEnd(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let study = try Consenting(store)
      let part = try study.begin(["answers", "sound"])
      try Enrolments(store.database).end(part, .withdrawn, .at(700))
      let consent = try #require(try study.consents.all(of: part.id, .at(800)).last)
      try study.consents.tick("sound", isGiven: false, in: consent, at: "UTC", .at(800))
      #expect(throws: ParticipationError.ended(Instant(milliseconds: 700))) {
        try study.consents.tick("sound", isGiven: true, in: consent, at: "UTC", .at(900))
      }
      #expect(try study.consents.all(of: part.id, .at(999)).last?.givenKinds == ["answers"])
    }
  }

  /// Statements that ask no trigger of single rows that go.
  private static let whole: [Engine: [String]] = [
    .sqlite: ["consent", "consent_tick", "edition_step"].map {
      "INSERT OR REPLACE INTO \($0) SELECT * FROM \($0)"
    },
    .postgres: ["TRUNCATE consent_tick", "TRUNCATE consent CASCADE", "TRUNCATE edition_step"],
  ]

  @Test(
    "nothing of it is rewritten or deleted, by whomever; with the whole part it goes",
    arguments: TestDatabase.engines)
  func appendOnly(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let study = try Consenting(store)
      _ = try study.begin()
      for words in [
        "UPDATE consent SET language = 'de'", "DELETE FROM consent", "UPDATE consent_tick SET given = 1",
        "DELETE FROM consent_tick", "UPDATE edition_step SET step = 'refused'", "DELETE FROM edition_step",
      ] + Self.whole[engine, default: []] {
        for identity in [store.database, try store.administrator()] {
          #expect(throws: StorageError.self, "\(words)") {
            try identity.once(.at(700), Statement(words), [:])
          }
        }
      }
      #expect(try study.consents.all(of: "e", .at(700)).count == 1)
      _ = try store.administrator().once(.at(700), Statement("DELETE FROM enrolment"), [:])
      for table in ["consent", "consent_tick", "edition_step"] {
        let rows = try store.database.once(.at(700), Statement("SELECT count(*) AS n FROM \(table)"), [:])
        #expect(rows.first?["n"] == 0, "\(table)")
      }
    }
  }

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

@Suite("Questions that were passed, on both engines") struct PassedTests {
  @Test(
    "a question that was left out and a group that has an end stay so; one that is required is not left out",
    arguments: TestDatabase.engines)
  func passed(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let version = StudyVersion(study: "urn:s", version: "1", signer: "s", content: [1])
      try StudyVersions(store.database).keep(version, .at(1))
      _ = try Enrolments(store.database).begin(
        "e", version: version.sha256, on: Consenting.day, in: "UTC", seed: 1, .at(2))
      let outline = try Outline(
        Questionnaire(
          url: "urn:q", version: "1", title: "Q",
          items: [
            Item("must", "?", .yesNo, isRequired: true), Item("may", "?", .yesNo),
            Item("naps", "N", .group(repeats: 3), items: [Item("when", "?", .time)]),
          ]))
      let occurrence = Occurrence(
        id: "t/2026-03-29/1", date: Consenting.day, number: 1, opens: Instant(milliseconds: 0),
        closes: Instant(milliseconds: 100), zoneName: "UTC")
      let responses = Responses(store.database)
      var response = try responses.open("r", occurrence, of: "e", outline, .at(3))
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
      let kept = try responses.open("x", occurrence, of: "e", outline, .at(10))
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
      let version = StudyVersion(study: "urn:s", version: "1", signer: "s", content: [1])
      try StudyVersions(store.database).keep(version, .at(1))
      _ = try Enrolments(store.database).begin(
        "e", version: version.sha256, on: Consenting.day, in: "UTC", seed: 1, .at(2))
      let outline = try Outline(
        Questionnaire(
          url: "urn:q", version: "1", title: "Q",
          items: [
            Item(
              "meds", "M", .group(repeats: 3),
              items: [
                Item("med", "?", .yesNo),
                Item("doses", "D", .group(repeats: 3), items: [Item("dose", "?", .yesNo)]),
              ]),
            Item("naps", "N", .group(repeats: 3), items: [Item("nap", "?", .yesNo)]),
          ]))
      let occurrence = Occurrence(
        id: "t/2026-03-29/1", date: Consenting.day, number: 1, opens: Instant(milliseconds: 0),
        closes: Instant(milliseconds: 100), zoneName: "UTC")
      let responses = Responses(store.database)
      var response = try responses.open("r", occurrence, of: "e", outline, .at(3))
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
      let kept = try responses.open("x", occurrence, of: "e", outline, .at(8))
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
