import Almanac
import Base
import Studies

extension DataSet {
  /// Kinds of the study's measurements, and of those of an earlier version, each once, in the order of its tasks.
  var measurementKinds: [TaskKind] {
    let registry = TaskRegistry()
    var seen: Set<TaskKind.Key> = []
    let runs = people.flatMap(\.measurements).map(\.kind)
    return (content.study.tasks.compactMap { $0.measurement?.kind } + runs).filter {
      seen.insert($0).inserted
    }
    .compactMap { registry[$0] }
  }

  /// Runs and their numbers; none of a study that measures nothing.
  var measurementTables: [Table] {
    measurementKinds.isEmpty && people.allSatisfy(\.measurements.isEmpty) ? [] : [runTable, valueTable]
  }

  private var runTable: Table {
    let all =
      content.study.tasks.compactMap { $0.measurement?.settings }
      + people.flatMap(\.measurements).map(\.settings)
    let settings = Set(all.flatMap(\.keys)).sorted()
    var table = Table(
      "measurements",
      [
        .init("participant", .string, "code of the person"),
        .init("run", .string, "number of the measurement of this person, by its beginning"),
        .init("day", .integer, "day of the study, from 1"),
        .init("date", .date, "day where the person was"),
        .init("occurrence", .string, "task, date and number within the day"),
        .init("kind", .string, "kind of the measurement"),
        .init("kind_version", .integer, "its version"),
        .init("version_sha256", .string, "of the study's version"),
        .init("begun", .datetime, "moment of its beginning"),
        .init("ended", .datetime, "moment at which its result was kept; missing: it was left"),
        .init("zone", .string, "time zone of the occurrence"),
        .init(
          "absent", .string,
          "kind of the reason why there is no result: of the aid's failures subject and exit status, and no words"
        ),
        .init("record", .string, "name of the aid's record"),
        .init(
          "device", .string,
          "model of the earphone whose calibration the levels are by; missing: the aid tells none"),
        .init("calibration_status", .string, "verified, provisional or none"),
        .init("program", .string, "the aid's program that measured"),
      ]
        + settings.map {
          .init(Self.column(of: $0), .number, "setting \($0) of the study's task; missing: it has none")
        })
    for person in people {
      for (index, run) in person.measurements.enumerated() {
        table.append(
          Self.cells(run, person, index)
            + settings.map { .number(run.settings[$0]) })
      }
    }
    return table
  }

  private static func cells(_ run: GivenMeasurement, _ person: Participant, _ index: Int) -> [Table.Cell] {
    let date = OccurrenceName(run.occurrence).date
    let day = date.map { StudySchedule.day(of: $0, beginning: person.course.firstDate) }
    var (reason, record): (String?, MeasurementRecord?)
    switch run.end?.outcome {
    case .measured(_, let kept): record = kept
    case .absent(let kept): reason = AbsenceReason.leaving(kept)
    case nil: break
    }
    return [
      .text(person.code), .text("\(index + 1)"), .whole(day), .text(date.map { "\($0)" }),
      .words(run.occurrence), .words(run.kind.name), .whole(run.kind.version), .words(run.studyVersion),
      .text("\(run.begun)"), .text(run.end.map { "\($0.moment)" }), .words(run.zone), .words(reason),
      .words(record?.id), .words(record?.earphone), .words(record?.calibration), .words(record?.program),
    ]
  }

  /// Names that statistics programs take.
  private static func column(of setting: String) -> String {
    "setting_" + String(setting.map { $0 == "-" ? "_" : $0 })
  }

  private var valueTable: Table {
    var table = Table(
      "measured",
      [
        .init("participant", .string, "code of the person"),
        .init("run", .string, "as in measurements"),
        .init("occurrence", .string, "task, date and number within the day"),
        .init("kind", .string, "kind of the measurement"),
        .init("name", .string, "of the number, as \"measured\" of this description explains it"),
        .init("value", .number, "the number"),
        .init("unit", .string, "its unit; missing of a flag, 0 or 1, and of a number of things"),
      ])
    for person in people {
      for (index, run) in person.measurements.enumerated() {
        guard case .measured(let values, _)? = run.end?.outcome else { continue }
        for value in values {
          table.append([
            .text(person.code), .text("\(index + 1)"), .words(run.occurrence), .words(run.kind.name),
            .words(value.name), .number(value.value), value.unit.isEmpty ? .missing : .words(value.unit),
          ])
        }
      }
    }
    return table
  }
}
