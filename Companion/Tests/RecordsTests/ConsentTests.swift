import Almanac
import Records
import RecordsTesting
import Studies
import Testing

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
}
