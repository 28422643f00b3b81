import Almanac
import Base
import Foundation
import Records
import SQLiteRecords
import Studies
import Synchronization
import Testing

@testable import Companion

/// The aid's program as a script has it: ends of its commands in their order, and what it was asked.
final class FakeProgram: MeasuringProgram, Sendable {
  private let ends: Mutex<[Result<ProgramEnd, Failure>]>
  private let asked = Mutex<[String]>([])
  /// Answer to `match history --json`; nil: the aid is not running.
  private let history: String?
  /// Something that happens while it measures.
  private let meanwhile: @Sendable () -> Void

  init(
    _ ends: [Result<ProgramEnd, Failure>], history: String? = nil,
    meanwhile: @escaping @Sendable () -> Void = {}
  ) {
    self.meanwhile = meanwhile
    self.ends = Mutex(ends)
    self.history = history
  }

  var commands: [String] { asked.withLock { $0 } }

  func run(_ arguments: [String]) throws(Failure) -> ProgramEnd {
    let words = arguments.joined(separator: " ")
    if words == "version" { return Self.end(0, "auricle 0.1.0, protocol 1") }
    asked.withLock { $0.append(words) }
    if words == "match history --json" {
      return history.map { Self.end(0, $0) } ?? Self.end(69, #"{"errors":[{"message":"not running"}]}"#)
    }
    meanwhile()
    let next = ends.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    return try (next ?? .success(Self.end(70, "asked once too often"))).get()
  }

  static func end(_ status: Int?, _ output: String) -> ProgramEnd {
    ProgramEnd(status: status, output: Array(output.utf8))
  }
}

/// An aid whose finished record is told while another program does something.
private struct RacingProgram: MeasuringProgram {
  let history: String
  let meanwhile: @Sendable () -> Void

  func run(_ arguments: [String]) throws(Failure) -> ProgramEnd {
    guard arguments.first == "match" else { return FakeProgram.end(0, "auricle 0.1.0, protocol 1") }
    meanwhile()
    return FakeProgram.end(0, history)
  }
}

/// A part in a study that measures, at 18:00 of its first day.
private struct Evening {

  static let first = CalendarDate("2026-03-29")!
  static let start = Instant("2026-03-29T18:00:00Z")!

  static func with(
    _ work: StudyTask.Work = loudness, on engine: String = "c.db",
    _ body: (OwnParts, @escaping (Int) -> OwnParts) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try SQLiteDatabase(path: folder.appendingPathComponent(engine).path)
    func own(_ minutes: Int) -> OwnParts {
      OwnParts(
        database,
        Surroundings(
          now: { start + minutes * 60 }, zone: "UTC", zones: ZoneFolder(), language: "en",
          newID: { UUID().uuidString }))
    }
    try database.migrate(to: .tables(for: .sqlite), at: own(0).session)
    _ = try own(0).begin(version("urn:test:evening", work))
    try body(own(0), own)
  }

  /// A study of three evenings that measures.
  static func version(_ id: String, _ work: StudyTask.Work = loudness) throws -> StudyVersion {
    var study = Study(id: id, version: "1", kind: .own, languages: ["en"], title: "Evening")
    study.dayCount = 3
    study.dataTypes = [DataType("m", "Measurements")]
    let window = LocalWindow(LocalTime("16:00")!, LocalTime("23:00")!)
    study.tasks = [
      StudyTask(
        "loudness", work, StudySchedule(days: 3, .recurring(Recurrence(times: .windows([window])))),
        minutes: 3,
        dataType: "m")
    ]
    let bundle = try StudyBundle(BundleContent([Study.file: study.bytes]))
    return StudyVersion(study: study.id, version: "1", signer: "nobody", content: try bundle.archive())
  }

  static let quiet = ["quiet-below-dba": 45.0, "quiet-windows": 5, "allows-relative-level": 0]
  static let loudness = StudyTask.Work.measurement(
    TaskKind.loudnessMatch.key,
    settings: quiet.merging(["frequency-hz": 1000, "trials": 3, "audiogram-days": 180]) { $1 })
  static let pitch = StudyTask.Work.measurement(
    TaskKind.pitchMatch.key, settings: quiet.merging(["audiogram-days": 180]) { $1 })
  static let hearing = StudyTask.Work.measurement(
    TaskKind.hearingTest.key, settings: quiet.merging(["bayesian": 1]) { $1 })

  /// Measures what is due.
  static func measure(
    _ own: OwnParts, _ program: FakeProgram?, _ lines: String...
  ) throws -> (Measurer.Ending, String) {
    let script = Script(lines)
    let part = try #require(try own.all().first)
    let due = try #require(part.due(at: own.surroundings.now()).first { $0.isMeasured == false })
    let ending = try Measurer(own, program, person: script).measure(due, of: part)
    return (ending, script.text)
  }
}

/// Reports as the aid writes them.
enum AidReport {
  static let result =
    #""result":{"loudness":{"at_limit":false,"deviation":1.129,"ear":"right","frequency":1000,"level":25,"scattered":false,"sensation_level":5,"threshold":20,"trials":[25,24,26]}}"#
  static func loudness(_ record: String = "r1", _ more: String = #""tinnitus_side":"left","#) -> String {
    #"{"calibration":{"device":"HDA 200","status":"provisional"},"record":""# + record
      + #"","schema":100,"threshold_from":"t1","# + more + result + "}"
  }
  static let pitch =
    #"{"calibration":{"device":"HDA 200","status":"verified"},"record":"p1","result":{"pitch":{"compared_frequency":3000,"frequency":6000,"octave_confused":true}},"schema":100,"tinnitus_side":"head"}"#
  static func point(
    _ frequency: Int, _ threshold: Int, masked: Bool = false, response: Bool = true
  ) -> String {
    #"{"conduction":"air","frequency":\#(frequency),"has_response":\#(response),"masked":\#(masked),"threshold":\#(threshold)}"#
  }
  static let hearing =
    #"{"audiograms":{"left":[\#(point(1000, 10))],"right":[\#(point(1000, 40)),\#(point(1000, 65, masked: true)),\#(point(4000, 90, response: false))]},"calibration":{"device":"HDA 200","status":"none"},"doubts":["a","b"],"record":"h1","reliable":false,"schema":100,"thresholds":[]}"#
  /// Entries of the history: record, procedure, minutes after 18:00 of its beginning, finished or not.
  static func history(_ entries: (String, String, Double, Bool)...) -> String {
    let start = Double(Instant("2026-03-29T18:00:00Z")!.seconds)
    let list = entries.map { record, name, minute, isFinished in
      #"{"began_unix_seconds":\#(start + minute * 60),"calibration":{"device":"HDA 200","status":"none"},"#
        + (isFinished ? #""ended_unix_seconds":\#(start + minute * 60 + 90),"# + result + "," : "")
        + #""ear":"right","name":"\#(name)","record":"\#(record)"}"#
    }
    return #"{"agreement":[],"records":[\#(list.joined(separator: ","))],"schema":200}"#
  }
}

@Suite("Measurements of a real person") struct MeasurerTests {
  @Test(
    "the aid's command is begun with the study's settings and the person's side, and its record is kept")
  func measured() throws {
    try Evening.with { own, at in
      let program = FakeProgram([
        .success(FakeProgram.end(0, "auricle: left out: x\n" + AidReport.loudness() + "\n"))
      ])
      let (ending, text) = try Evening.measure(own, program, "links", "left")
      #expect(ending == .measured && text.contains("Found \"links\"; expected left, right, both, head."))
      #expect(text.contains("Measured, and kept: 1000 Hz, 25.0 dB HL, 5.0 dB SL; calibration provisional"))
      #expect(
        program.commands == [
          "match loudness --frequency 1000 --trials 3 --tinnitus left --room 45 --json"
        ])
      let run = try #require(try own.all().first?.measurements.first)
      guard case .measured(let values, let record)? = run.end?.outcome else {
        Issue.record("no result")
        return
      }
      #expect(
        record.id == "r1" && record.program == "auricle 0.1.0, protocol 1" && record.device == "HDA 200")
      #expect(record.report == AidReport.loudness())
      let kind = TaskKind.loudnessMatch
      #expect(values.count == 10 && values.allSatisfy { kind.figure($0.name)?.unit == $0.unit })
      #expect(values.contains(MeasuredValue("trial_3", 26, "dB HL")))
      // Done for today; tomorrow the side is known.
      let part = try #require(try own.all().first)
      #expect(part.due(at: own.surroundings.now()).map(\.isDone) == [true])
      let tomorrow = FakeProgram([.success(FakeProgram.end(0, AidReport.loudness("r2")))])
      #expect(try Evening.measure(at(24 * 60), tomorrow).0 == .measured)
      #expect(tomorrow.commands.first?.contains("--tinnitus left") == true)
    }
  }

  @Test(
    "with a tinnitus on both sides the ear that hears better is asked; a pitch match and a hearing test have their own words"
  )
  func words() throws {
    try Evening.with(Evening.pitch) { own, _ in
      let program = FakeProgram([.success(FakeProgram.end(0, AidReport.pitch))])
      #expect(try Evening.measure(own, program, "HEAD", "right").0 == .measured)
      #expect(program.commands == ["match pitch --tinnitus head --ear right --room 45 --json"])
      let values = try #require(try own.all().first?.measurements.first?.values)
      #expect(values.map(\.value) == [6000, 3000, 1])
    }
    try Evening.with(Evening.hearing) { own, _ in
      let program = FakeProgram([.success(FakeProgram.end(0, AidReport.hearing))])
      #expect(try Evening.measure(own, program).1.contains("Measured, and kept: 2 thresholds"))
      #expect(program.commands == ["hearing-test --method bayesian --room 45 --json"])
      let values = try #require(try own.all().first?.measurements.first?.values)
      // The masked threshold stands; of what has no response the level up to which nothing was heard.
      #expect(
        values == [
          MeasuredValue("right_1000_hz", 65, "dB HL"),
          MeasuredValue("right_4000_hz_no_response_up_to", 90, "dB HL"),
          MeasuredValue("left_1000_hz", 10, "dB HL"), MeasuredValue("doubts", 2, ""),
        ])
    }
  }

  @Test("of thresholds that no noise could mask enough the person reads how many there are")
  func insufficientlyMasked() throws {
    try Evening.with(Evening.hearing) { own, _ in
      let search =
        #"{"ear":"left","frequency":1000,"level":10,"has_response":true,"at_floor":false,"noise":80,"insufficiently_masked":true}"#
      let report = AidReport.hearing.replacing(#""thresholds":[]"#, with: #""thresholds":[\#(search)]"#)
      let program = FakeProgram([.success(FakeProgram.end(0, report))])
      let words = "2 thresholds, of which 1 may be the other ear's: no noise that may be played masks it"
      let said = try Evening.measure(own, program).1
      #expect(said.contains("Measured, and kept: \(words); calibration none"))
    }
  }

  @Test(
    "an aid that does not run, or refuses, leaves the task due; its reason is told and kept, and it can be tried again"
  )
  func refused() throws {
    try Evening.with { own, at in
      let words = "auricled: found no daemon, expected one. Start it: auricle start"
      let failing = FakeProgram([
        .success(
          FakeProgram.end(69, #"{"errors":[{"message":"\#(words)"}],"exit_status":69,"schema":100}"#)),
        .failure(Failure("/usr/bin/auricle", found: "that it does not start: no memory", exit: .system)),
        .success(FakeProgram.end(0, #"{"record":"r1"}"#)),
        .success(FakeProgram.end(0, AidReport.loudness())),
      ])
      let (ending, text) = try Evening.measure(own, failing, "left")
      #expect(ending == .due && text.contains("Not measured: \(words).\n"))
      #expect(text.contains("It stays due until 23:00 on 2026-03-29: auricle q today begins it again."))
      #expect(try Evening.measure(at(1), failing, "left").1.contains("does not start"))
      #expect(try Evening.measure(at(2), failing, "left").1.contains("reports no result that can be read"))
      #expect(try Evening.measure(at(3), failing, "left").0 == .measured)
      let runs = try #require(try own.all().first?.measurements)
      #expect(runs.map(\.isMeasured) == [false, false, false, true] && runs.allSatisfy { $0.end != nil })
      #expect(runs[0].end?.outcome == .absent(words))
    }
  }

  @Test(
    "without the aid's program, or with settings that it does not measure by, nothing is begun and the person is told what to do"
  )
  func impossible() throws {
    try Evening.with { own, _ in
      let (ending, text) = try Evening.measure(own, nil)
      #expect(ending == .due && text.contains("Install Auricle on this computer"))
      #expect(try own.all().first?.measurements.isEmpty == true)
    }
    let other = StudyTask.Work.measurement(
      TaskKind.hearingTest.key, settings: Evening.quiet.merging(["bayesian": 0, "quiet-windows": 9]) { $1 })
    for work in [other, .measurement(TaskKind.Key("breath-hold", version: 1), settings: [:])] {
      try Evening.with(work) { own, _ in
        let program = FakeProgram([])
        let (ending, text) = try Evening.measure(own, program)
        #expect(ending == .due && text.contains("Tell whoever made the study.") && program.commands.isEmpty)
      }
    }
  }

  @Test(
    "who leaves it goes on with the aid's own record the next time, also where the aid lost its connection")
  func left() throws {
    for end in [
      FakeProgram.end(130, #"{"errors":[{"message":"procedure: ended. go on with: --resume r1"}]}"#),
      FakeProgram.end(69, #"{"errors":[{"message":"gone. go on with: --resume r1"}]}"#),
      FakeProgram.end(nil, ""),
    ] {
      try Evening.with { own, at in
        #expect(try Evening.measure(own, FakeProgram([.success(end)]), "left").0 == .stopped)
        #expect(try own.all().first?.measurements.map(\.end) == [nil])
        let again = FakeProgram(
          [.success(FakeProgram.end(0, AidReport.loudness()))],
          history: AidReport.history(
            ("r0", "loudness", -5, false), ("p", "pitch", 0.5, false), ("r1", "loudness", 0.5, false)))
        let (ending, text) = try Evening.measure(at(10), again, "")
        #expect(ending == .measured && text.contains("You left it before its end."))
        #expect(again.commands == ["match history --json", "match loudness --resume r1 --json"])
        #expect(try own.all().first?.measurements.map(\.isMeasured) == [true])
      }
    }
  }

  @Test("who does not want to go on with what was left begins anew; who stops there changes nothing")
  func anew() throws {
    try Evening.with { (own, at) throws in
      let left = FakeProgram([.success(FakeProgram.end(130, ""))])
      #expect(try Evening.measure(own, left, "left").0 == .stopped)
      let history = AidReport.history(("r1", "loudness", 0.5, false))
      #expect(try Evening.measure(at(5), FakeProgram([], history: history), "q").0 == .stopped)
      #expect(try Evening.measure(at(6), FakeProgram([], history: history)).0 == .stopped)
      let program = FakeProgram([.success(FakeProgram.end(0, AidReport.loudness("r2")))], history: history)
      #expect(try Evening.measure(at(10), program, "no", "left").0 == .measured)
      #expect(try own.all().first?.measurements.map(\.isMeasured) == [false, true])
    }
  }

  @Test(
    "a result that the aid finished while this program was gone is taken once, also after the window; others' are not"
  )
  func recovered() throws {
    try Evening.with { own, at in
      // Killed: the run is begun, and nobody took its result.
      #expect(
        try Evening.measure(own, FakeProgram([.success(FakeProgram.end(nil, ""))]), "left").0 == .stopped)
      func recover(_ minutes: Int, _ history: String?) throws -> Int {
        let part = try #require(try at(minutes).all().first)
        return try Measurer(at(minutes), FakeProgram([], history: history), person: Script([])).recover(
          part)
      }
      #expect(try recover(1, nil) == 0)
      #expect(
        try recover(1, AidReport.history(("old", "loudness", -1, true), ("p", "pitch", 1, true))) == 0)
      #expect(try recover(1, AidReport.history(("r1", "loudness", 0.5, false))) == 0)
      let history = AidReport.history(("r1", "loudness", 0.5, true), ("r2", "loudness", 3, true))
      #expect(try recover(20 * 60, history) == 1)
      #expect(try recover(20 * 60, history) == 0)
      let run = try #require(try own.all().first?.measurements.first)
      guard case .measured(_, let record)? = run.end?.outcome else {
        Issue.record("nothing was taken")
        return
      }
      #expect(record.id == "r1" && run.end?.moment == Evening.start + 20 * 3600)
    }
  }

  @Test(
    "of two studies that measure the same by tasks of one name, a record is the result of the one that began last before it, and of one alone",
    arguments: [(0, 2, 2.5, [0, 1]), (0, 0, 0.5, [1, 0])])
  func twoStudies(first: Int, second: Int, began: Double, taken: [Int]) throws {
    try Evening.with { own, at in
      _ = try own.begin(Evening.version("urn:test:another"))
      let ids = try own.all().map(\.enrolment.id)
      for (id, minutes) in zip(ids, [first, second]) {
        let there = at(minutes)
        let part = try #require(try there.all().first { $0.enrolment.id == id })
        let due = try #require(part.openMeasurements(at: there.surroundings.now()).first)
        let killed = FakeProgram([.success(FakeProgram.end(nil, ""))])
        let measurer = Measurer(there, killed, person: Script(["left"]))
        #expect(try measurer.measure(due, of: part) == .stopped)
      }
      let history = AidReport.history(("r1", "loudness", began, true))
      let late = at(20)
      let measurer = Measurer(late, FakeProgram([], history: history), person: Script([]))
      var counts: [Int] = []
      for part in try late.all() { counts.append(try measurer.recover(part)) }
      #expect(counts == taken)
    }
  }

  @Test(
    "a run that another program ended, or whose part ended, while the aid was asked is passed over",
    arguments: [false, true])
  func endedMeanwhile(isPart: Bool) throws {
    try Evening.with { own, at in
      _ = try Evening.measure(own, FakeProgram([.success(FakeProgram.end(nil, ""))]), "left")
      let part = try #require(try own.all().first)
      let run = try #require(part.measurements.first)
      let later = at(5)
      let (database, session, enrolment) = (own.database, later.session, part.enrolment)
      let program = RacingProgram(history: AidReport.history(("r1", "loudness", 0.5, true))) {
        guard isPart else {
          _ = try? TaskRuns(database).end(run, .absent("elsewhere"), session)
          return
        }
        try? Enrolments(database).end(enrolment, .withdrawn, session)
      }
      let taken = try Measurer(later, program, person: Script([])).recover(part)
      #expect(taken == 0)
      #expect(try own.all().first?.measurements.map(\.isMeasured) == [false])
    }
  }

  @Test(
    "what was offered of one study is not taken for another's with a task of the same name; what failed is offered again, and what was declined is not"
  )
  func offered() throws {
    try Evening.with { own, _ in
      _ = try own.begin(Evening.version("urn:test:another"))
      let (parts, now) = (try own.all(), own.surroundings.now())
      let due = try parts.map { part in try #require(part.openMeasurements(at: now).first) }
      #expect(Set(due.map(\.occurrence.id)).count == 1)
      var offered = OfferedMeasurements()
      func waits() -> [Bool] { parts.map { $0.nextMeasurement(at: now, except: offered) != nil } }
      offered.decline(due[0], of: parts[0])
      #expect(waits() == [false, true])
      offered.take(due[1], of: parts[1])
      #expect(waits() == [false, false])
      offered.keepDeclined()
      #expect(waits() == [false, true])
    }
  }

  /// ``Measurer``'s quarter of an hour: the room is listened to, and keys are explained, before the aid's record begins.
  @Test(
    "a record that the aid began before the task or more than a quarter of an hour after is the person's own",
    arguments: [(-0.1, 0), (0, 1), (15, 1), (15.1, 0), (300, 0)])
  func ownRecords(minutes: Double, taken: Int) throws {
    try Evening.with { own, at in
      _ = try Evening.measure(own, FakeProgram([.success(FakeProgram.end(nil, ""))]), "left")
      let part = try #require(try at(400).all().first)
      let history = AidReport.history(("r1", "loudness", minutes, true))
      #expect(
        try Measurer(at(400), FakeProgram([], history: history), person: Script([])).recover(part) == taken)
    }
  }

  @Test(
    "a result that the database could not take is said not to be saved, and taken from the aid the next time"
  )
  func unsaved() throws {
    try Evening.with { own, at in
      let (database, session) = (own.database, own.session)
      let program = FakeProgram(
        [.success(FakeProgram.end(0, AidReport.loudness()))],
        meanwhile: {
          let full = Statement(
            "CREATE TRIGGER full BEFORE INSERT ON task_end BEGIN SELECT RAISE(ABORT, 'no room'); END")
          _ = try? database.once(session, full, [:])
        })
      #expect { try Evening.measure(own, program, "left") } throws: { "\($0)".hasPrefix("not saved:") }
      #expect(try own.all().first?.measurements.map(\.end) == [nil])
      _ = try database.once(session, Statement("DROP TRIGGER full"), [:])
      let part = try #require(try at(5).all().first)
      let history = AidReport.history(("r1", "loudness", 0.1, true))
      let taken = try Measurer(at(5), FakeProgram([], history: history), person: Script([])).recover(part)
      #expect(try taken == 1 && own.all().first?.measurements.map(\.isMeasured) == [true])
    }
  }

  @Test(
    "what is no report of the kind is not taken for one",
    arguments: ["", "{}", "[]", "{\"record\":\"\"}", "{\"record\":1}"])
  func unreadable(text: String) {
    let end = FakeProgram.end(0, text)
    let report = end.report.flatMap { MeasurementReport($0.json, $0.text, of: TaskKind.loudnessMatch.key) }
    #expect(report == nil && !end.reason.isEmpty)
    for kind in [TaskKind.pitchMatch, .hearingTest] {
      let loudness = FakeProgram.end(0, AidReport.loudness()).report
      #expect(loudness.flatMap { MeasurementReport($0.json, $0.text, of: kind.key) } == nil)
    }
  }
}

extension GivenMeasurement {
  /// Numbers of its result.
  fileprivate var values: [MeasuredValue]? {
    if case .measured(let values, _)? = end?.outcome { values } else { nil }
  }
}
