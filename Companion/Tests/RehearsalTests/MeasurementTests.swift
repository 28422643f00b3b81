import Almanac
import Base
import Exchange
import Foundation
import Records
import RecordsTesting
import SimulatedListeners
import Studies
import Testing

@testable import Rehearsals

/// The week of tinnitus as it lies beside the package.
private enum Week {
  static func content() throws -> StudyContent {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Studies/tinnitus-week").standardized.path
    let bundle = try StudyBundle(StudyFolder.content(of: folder))
    return try StudyContent(StudyEdition(bundle, BundleUse(on: CalendarDate("2026-03-22")!)))
  }

  static func run(people: Int, seed: UInt64, on engine: Engine = .sqlite) throws -> Rehearsal.Outcome {
    try TestDatabase.with(engine) { store in
      let content = try content()
      let version = StudyVersion(
        study: content.study.id, version: "1", signer: "nobody", content: [1])
      let first = try #require(CalendarDate("2026-03-22"))
      return try Rehearsal(content, version, people: people, seed: seed, from: first).run(
        on: store.database)
    }
  }
}

@Suite("Rehearsal of measurements") struct MeasurementTests {
  @Test("the same seed gives the same bytes, on both engines; another seed others")
  func sameBytes() throws {
    let first = try Week.run(people: 12, seed: 7)
    for engine in TestDatabase.engines {
      let again = try Week.run(people: 12, seed: 7, on: engine)
      #expect(again.dataSet.files.map(\.text) == first.dataSet.files.map(\.text), "\(engine)")
      #expect(again.report.json == first.report.json)
    }
    #expect(try Week.run(people: 12, seed: 8).dataSet.files.map(\.text) != first.dataSet.files.map(\.text))
  }

  @Test(
    "every number has a name that its kind describes, its unit and a finite value; runs begin in their windows, one after the other"
  )
  func numbers() throws {
    let outcome = try Week.run(people: 24, seed: 5)
    let runs = outcome.dataSet.people.flatMap(\.measurements)
    #expect(Set(runs.map(\.kind)) == SimulatedMeasurement.kinds)
    for run in runs {
      guard case .measured(let values, let record)? = run.end?.outcome else { continue }
      let kind = try #require(TaskRegistry()[run.kind])
      #expect(!values.isEmpty && record.program == "rehearsal" && record.id.hasSuffix(run.occurrence))
      for value in values {
        #expect(kind.figure(value.name)?.unit == value.unit, "\(run.kind), \(value.name)")
        #expect(value.value.isFinite)
      }
    }
    for person in outcome.dataSet.people {
      for (run, next) in zip(person.measurements, person.measurements.dropFirst()) {
        #expect(run.end.map { $0.moment <= next.begun } ?? true)
      }
    }
  }

  @Test("a measurement that its study wants after the questions begins behind those that are open then")
  func afterQuestions() throws {
    var study = try Week.content().study
    // In the study's order the questions would come last.
    study.tasks = Array(study.tasks.dropFirst()) + study.tasks.prefix(1)
    for place in study.tasks.indices.dropLast() { study.tasks[place].isAfterQuestions = true }
    let files = try Week.content().edition.bundle.content.files.merging([Study.file: study.bytes]) { $1 }
    let bundle = try StudyBundle(BundleContent(files))
    let first = try #require(CalendarDate("2026-03-22"))
    let content = try StudyContent(StudyEdition(bundle, BundleUse(on: first)))
    let version = StudyVersion(study: study.id, version: "1", signer: "nobody", content: [1])
    let outcome = try TestDatabase.with(.sqlite) { store in
      try Rehearsal(content, version, people: 12, seed: 4, from: first).run(on: store.database)
    }
    var count = 0
    for person in outcome.dataSet.people {
      for run in person.measurements {
        let date = OccurrenceName(run.occurrence).date
        for response in person.responses where OccurrenceName(response.given.occurrence).date == date {
          guard let completed = response.completed else { continue }
          count += 1
          #expect(completed <= run.begun, "\(run.occurrence)")
        }
      }
    }
    #expect(count > 12)
    #expect(outcome.report.measurements.contains { $0.measured > 0 })
  }

  @Test(
    "the report has what the data set has: measurements with and without a result, minutes; they count for compliance"
  )
  func report() throws {
    let outcome = try Week.run(people: 60, seed: 3)
    #expect(outcome.report.notRehearsed.isEmpty)
    #expect(outcome.report.measurements.map(\.task) == ["hearing", "loudness", "pitch"])
    for line in outcome.report.measurements {
      let runs = outcome.dataSet.people.flatMap(\.measurements).filter {
        OccurrenceName($0.occurrence).task == line.task
      }
      #expect(line.measured == runs.count(where: \.isMeasured) && line.measured > 0)
      // One that was done before its person left counts, whenever its window closed.
      #expect(line.due >= line.measured && line.due <= 60 * 7)
      #expect(try #require(line.compliance) > 0.7)
      #expect(line.absent == runs.count { $0.end != nil && !$0.isMeasured })
      // The time that the study states is no less than half of the people need.
      #expect(try #require(line.minutes) <= line.stated)
    }
    // A person who leaves out the hearing test has no threshold for a match: 1 of 3 of the forgetful.
    #expect(outcome.report.measurements[1].absent > 0)
    let lines = Dictionary(uniqueKeysWithValues: outcome.report.lines.map { ($0.kind, $0) })
    #expect(try #require(lines[.punctual]?.compliance) >= 0.95)
    #expect(try #require(lines[.forgetful]?.compliance) < #require(lines[.punctual]?.compliance))
    #expect(try #require(lines[.punctual]?.longestDay) > 10)
  }

  @Test(
    "both tables of measurements are in the data set, each cell as its dictionary says; a study that measures nothing has neither"
  )
  func tables() throws {
    let outcome = try Week.run(people: 6, seed: 2)
    let files = Dictionary(uniqueKeysWithValues: outcome.dataSet.files.map { ($0.name, $0.text) })
    let description = try JSONValue(Array((files["datapackage.json"] ?? "").utf8))
    guard case .array(let resources)? = description["resources"]?.content,
      case .array(let figures)? = description["measured"]?.content
    else {
      Issue.record("no description")
      return
    }
    // People, consents, answers and scores, and both of measurements. Numbers: 6 of each ear and the doubts,
    // 11 of a loudness match, 6 of a pitch match.
    #expect(resources.count == 6 && figures.count == 30)
    let runs = (files["measurements.csv"] ?? "").components(separatedBy: "\r\n").dropLast()
    let values = (files["measured.csv"] ?? "").components(separatedBy: "\r\n").dropLast()
    #expect(runs.count == outcome.dataSet.people.flatMap(\.measurements).count + 1)
    #expect(runs.first?.contains("setting_frequency_hz") == true && values.count > runs.count)
    var without = try Week.content().study
    without.tasks.removeAll { $0.measurement != nil }
    let bundle = try StudyBundle(
      BundleContent(Week.content().edition.bundle.content.files.merging([Study.file: without.bytes]) { $1 })
    )
    let content = try StudyContent(StudyEdition(bundle, BundleUse(on: CalendarDate("2026-03-22")!)))
    let names = DataSet(content, [], made: Instant(seconds: 0)).files.map(\.name)
    #expect(
      names == [
        "people.csv", "consents.csv", "answers.csv", "scores.csv", "responses.ndjson", "datapackage.json",
      ])
  }

  @Test(
    "a kind that nobody here measures, a sound above what may be played, and a match without its hearing test have their reasons"
  )
  func reasons() {
    var matcher = SimulatedMatcher(0, seed: 1)
    func outcome(_ kind: TaskKind.Key, _ settings: [String: Double], has: Bool = true) -> MeasurementOutcome
    {
      SimulatedMeasurement(kind, settings, by: &matcher, hasThresholds: has, named: "r").outcome
    }
    #expect(
      outcome(TaskKind.Key("breath-hold", version: 1), [:])
        == .absent("a rehearsal does not measure breath-hold 1"))
    #expect(
      outcome(TaskKind.loudnessMatch.key, ["frequency-hz": 30_000])
        == .absent(
          "it cannot be measured safely: the threshold lies above the loudest tone that may be played"))
    #expect(
      outcome(TaskKind.pitchMatch.key, [:], has: false)
        == .absent("the ear has no threshold: the hearing test was not done"))
  }

  /// 1 to 20 trials, and 1 to 60 windows of a second.
  @Test(
    "settings of a study that was not checked count as the nearest that the aid measures with",
    arguments: [(1e300, 1e300, 20), (-1e300, -1e300, 1)])
  func settings(trials: Double, windows: Double, count: Int) throws {
    var matcher = SimulatedMatcher(0, seed: 1)
    let found = SimulatedMeasurement(
      TaskKind.loudnessMatch.key,
      ["frequency-hz": 1000, "trials": trials, "quiet-windows": windows], by: &matcher,
      hasThresholds: true, named: "r")
    guard case .measured(let values, _) = found.outcome else {
      Issue.record("no result")
      return
    }
    #expect(values.count { $0.name.hasPrefix("trial_") } == count)
    #expect((1.0...3600).contains(found.seconds))
  }
}
