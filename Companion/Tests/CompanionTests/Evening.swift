import Almanac
import Base
import Foundation
import Records
import SQLiteRecords
import Studies
import Testing

@testable import Companion

/// A part in a study that measures, at 18:00 of its first day.
struct Evening {

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
