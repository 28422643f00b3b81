import Almanac
import Base
import Records
import RecordsTesting
import Studies
import Testing

/// A part with a measurement that is due from 1000 to 2000 ms.
private struct Measured {
  let store: TestDatabase
  let runs: TaskRuns
  let enrolment: Enrolment
  let version: StudyVersion

  static let occurrence = occurrence("loudness/2026-03-29/1")
  static let settings = ["trials": 3, "frequency-hz": 1000.5]
  static let kind = TaskKind.loudnessMatch.key
  static let record = MeasurementRecord(
    id: "20260329-loudness", device: "HDA \"200\"", calibration: "provisional", program: "auricle 0.1.0",
    report: #"{"record":"20260329-loudness","ü":[1,2]}"#)
  static let values = [MeasuredValue("level", 25.25, "dB HL"), MeasuredValue("at_limit", 0, "")]

  static func occurrence(_ id: String) -> Occurrence {
    Occurrence(
      id: id, date: CalendarDate(year: 2026, month: 3, day: 29)!, number: 1,
      opens: Instant(milliseconds: 1000), closes: Instant(milliseconds: 2000), zoneName: "Europe/Berlin")
  }

  init(_ store: TestDatabase) throws {
    self.store = store
    version = StudyVersion(study: "urn:test:s", version: "1", signer: "own", content: [1, 2, 3])
    try StudyVersions(store.database).keep(version, .at(500))
    enrolment = try Enrolments(store.database).begin(
      "e1", version: version.sha256, on: Self.occurrence.date, in: "Europe/Berlin", seed: 1, .at(600))
    runs = TaskRuns(store.database)
  }

  @discardableResult
  func begin(
    _ id: String = "m1", _ occurrence: Occurrence = occurrence, at now: Int = 1000,
    _ subject: String = "ada"
  ) throws(ParticipationError) -> GivenMeasurement {
    try runs.begin(id, occurrence, of: "e1", Self.kind, Self.settings, .at(now, subject))
  }

  func all() throws(ParticipationError) -> [GivenMeasurement] { try runs.all(of: "e1", .at(9999)) }
}

@Suite("Measurements, on both engines") struct TaskRunTests {
  @Test(
    "a run is kept when it begins, its result when it ends, both by value: settings, numbers with units, the aid's record",
    arguments: TestDatabase.engines)
  func kept(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Measured(store)
      let run = try part.begin(at: 1999)
      #expect(try part.all() == [run])
      #expect(run.end == nil && run.studyVersion == part.version.sha256 && run.zone == "Europe/Berlin")
      // A run that was begun in its window may end behind it.
      let ended = try part.runs.end(run, .measured(Measured.values, Measured.record), .at(5000))
      #expect(try part.all() == [ended])
      #expect(ended.end?.moment == Instant(milliseconds: 5000) && ended.settings == Measured.settings)
      #expect(try part.all().measured == [Measured.occurrence.id])
    }
  }

  @Test(
    "a window's edges: 1 ms before it, its beginning, its last ms, its end", arguments: TestDatabase.engines
  )
  func window(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Measured(store)
      for now in [999, 2000] {
        #expect(
          throws: ParticipationError.outsideWindow(
            opens: Instant(milliseconds: 1000), closes: Instant(milliseconds: 2000), zone: "Europe/Berlin",
            now: Instant(milliseconds: now))
        ) { try part.begin(at: now) }
      }
      for (index, now) in [1000, 1999].enumerated() { try part.begin("m\(index)", at: now) }
      #expect(try part.all().count == 2)
    }
  }

  @Test(
    "a reason why there is no result leaves the task to be tried again; after a result nothing is added to it",
    arguments: TestDatabase.engines)
  func again(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Measured(store)
      let first = try part.runs.end(
        part.begin("m1", at: 1100), .absent("the aid is not running"), .at(1200))
      #expect(!first.isMeasured && first.end?.outcome == .absent("the aid is not running"))
      #expect(try part.all().measured.isEmpty)
      #expect(throws: ParticipationError.over("m1")) {
        try part.runs.end(first, .measured(Measured.values, Measured.record), .at(1250))
      }
      let (second, third) = (try part.begin("m2", at: 1300), try part.begin("m3", at: 1310))
      _ = try part.runs.end(second, .measured(Measured.values, Measured.record), .at(1400))
      // Another program measured the same meanwhile: one result stands.
      #expect(throws: ParticipationError.measured(Instant(milliseconds: 1400))) {
        try part.runs.end(
          third, .measured([MeasuredValue("level", 9, "dB HL")], Measured.record), .at(1500))
      }
      #expect(try part.all().map(\.isMeasured) == [false, true, false])
      let other = try part.begin("m4", Measured.occurrence("loudness/2026-03-30/1"), at: 1600)
      #expect(try part.runs.end(other, .measured(Measured.values, Measured.record), .at(1700)).isMeasured)
    }
  }

  @Test(
    "somebody else neither begins, ends nor reads; a part that has ended takes nothing",
    arguments: TestDatabase.engines)
  func others(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Measured(store)
      let run = try part.begin()
      #expect(throws: ParticipationError.unknown("part e1 of yours")) {
        try part.begin("m2", at: 1100, "eve")
      }
      #expect(throws: ParticipationError.unknown("measurement m1 of yours")) {
        try part.runs.end(run, .absent("no"), .at(1100, "eve"))
      }
      #expect(try part.runs.all(of: "e1", .at(1100, "eve")).isEmpty)
      try Enrolments(store.database).end(part.enrolment, .withdrawn, .at(1200))
      #expect(throws: ParticipationError.ended(Instant(milliseconds: 1200))) {
        try part.begin("m3", at: 1300)
      }
      #expect(throws: ParticipationError.ended(Instant(milliseconds: 1200))) {
        try part.runs.end(run, .absent("no"), .at(1300))
      }
    }
  }

  @Test(
    "rows are added and never changed or removed, but with the part that they belong to",
    arguments: TestDatabase.engines)
  func appended(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Measured(store)
      _ = try part.runs.end(part.begin(), .measured(Measured.values, Measured.record), .at(1100))
      let kept = try part.all()
      for text in [
        "UPDATE task_run SET begun = 1001",
        "UPDATE task_end SET reason = 'x', measured = NULL, record = NULL",
        "DELETE FROM task_end", "DELETE FROM task_run",
      ] {
        for identity in [store.database, try store.administrator()] {
          #expect(throws: StorageError.self, "\(text)") {
            try identity.once(.at(1200), Statement(text), [:])
          }
        }
        #expect(try part.all() == kept)
      }
      _ = try store.administrator().once(.at(1300), Statement("DELETE FROM enrolment"), [:])
      #expect(try part.all().isEmpty)
    }
  }

  @Test(
    "a clock that was set back ends a run when it began; what is damaged is said by name",
    arguments: TestDatabase.engines)
  func damaged(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Measured(store)
      let ended = try part.runs.end(part.begin(at: 1500), .absent("no"), .at(1200))
      #expect(ended.end?.moment == Instant(milliseconds: 1500))
      let insert = Statement(
        """
        INSERT INTO task_run (id, enrolment, study_version, occurrence, kind, kind_version, settings, opens, closes, zone, begun)
        SELECT 'm9', enrolment, study_version, occurrence, kind, kind_version, :settings, opens, closes, zone, begun
        FROM task_run
        """)
      _ = try store.database.once(.at(1600), insert, ["settings": #"{"trials":"three"}"#])
      #expect(throws: ParticipationError.unreadable("the measurement m9")) { try part.all() }
    }
  }
}
