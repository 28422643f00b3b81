import Almanac
import Base
import Records
import Studies

extension Measurer {
  /// A run that was left, with the aid's record of it.
  struct Left {
    let run: GivenMeasurement
    let record: String
  }

  /// Takes results that the aid has finished while the program here was gone.
  ///
  /// The measurements of all parts count, as they are kept now: a record is the result of one study alone.
  ///
  /// - Returns: Number of results taken. Where the aid cannot be asked, none: they are taken another time.
  /// - Throws: ``Failure`` of the database.
  public func recover(_ part: Part) throws(Failure) -> Int {
    let parts = try own.all()
    let present = parts.first { $0.enrolment.id == part.enrolment.id } ?? part
    let open = present.measurements.filter { run in
      run.end == nil && !present.measurements.measured.contains(run.occurrence) && present.gives(run)
    }
    guard !open.isEmpty, let program, let entries = Self.history(program) else { return 0 }
    let all = parts.flatMap(\.measurements)
    var (taken, count) = (all.records, 0)
    for run in open {
      guard let entry = Self.entry(of: run, in: entries, all, except: taken),
        entry.json["ended_unix_seconds"]?.isNumber == true,
        let report = MeasurementReport(entry.json, entry.json.minified, of: run.kind)
      else { continue }
      taken.insert(report.record)
      let record = MeasurementRecord(
        id: report.record, device: report.device, calibration: report.calibration,
        program: Self.version(program), report: report.text)
      do throws(ParticipationError) {
        _ = try TaskRuns(own.database).end(run, .measured(report.values, record), own.session)
        count += 1
      } catch {
        guard error.isEndedMeanwhile else {
          throw Failure("not saved", error)
        }
      }
    }
    return count
  }

  /// The newest run of an occurrence that the aid has unfinished. Runs that ended without a result are passed
  /// over: one may have been begun where the aid could not be asked.
  func left(
    _ due: Course.Due, of part: Part, _ program: any MeasuringProgram
  ) throws(Failure) -> Left? {
    let open = part.measurements.filter { $0.occurrence == due.occurrence.id && $0.end == nil }
    guard !open.isEmpty, let entries = Self.history(program) else { return nil }
    let all = try own.all().flatMap(\.measurements)
    for run in open.reversed() {
      guard let entry = Self.entry(of: run, in: entries, all, except: all.records),
        entry.json["ended_unix_seconds"]?.isNumber != true
      else { continue }
      return Left(run: run, record: entry.record)
    }
    return nil
  }

  private struct Entry {
    let json: JSONValue
    let record: String
    let name: String
    let began: Double
  }

  /// The aid's records, the first first; nil where it does not tell them.
  private static func history(_ program: any MeasuringProgram) -> [Entry]? {
    guard let end = try? program.run(["match", "history", "--json"]), end.status == 0,
      case .array(let list)? = end.report?.json["records"]?.content
    else { return nil }
    return list.compactMap { json in
      guard let record = json.text("record"), let name = json.text("name"),
        let began = json.number("began_unix_seconds")
      else { return nil }
      return Entry(json: json, record: record, name: name, began: began)
    }
  }

  /// Longest time from a run's beginning to that of the aid's record, s: the room is listened to and keys are explained before (own choice). What
  /// the person measures later is their own.
  private static let longestStart = 900.0

  /// The first record of the run's procedure that began with it or shortly after, and before the next run of the
  /// same kind.
  ///
  /// - Parameter all: Measurements of all parts: the next run may be another study's.
  private static func entry(
    of run: GivenMeasurement, in entries: [Entry], _ all: [GivenMeasurement], except taken: Set<String>
  ) -> Entry? {
    let procedure = MeasurementCommand.procedure(of: run.kind)
    let begun = Double(run.begun.milliseconds) / 1000
    let next = all.filter { $0.kind == run.kind && $0.begun > run.begun }.map {
      Double($0.begun.milliseconds) / 1000
    }
    .min()
    return entries.first { entry in
      entry.name == procedure && (begun...begun + longestStart).contains(entry.began)
        && next.map { entry.began < $0 } ?? true
        && !taken.contains(entry.record)
    }
  }
}

extension Part {
  /// False for a measurement of a kind of data that the person does not give any longer.
  fileprivate func gives(_ run: GivenMeasurement) -> Bool {
    guard let kinds = course.kinds else { return true }
    return study.task(OccurrenceName(run.occurrence).task).map { kinds.contains($0.dataType) } ?? false
  }
}

extension ParticipationError {
  /// True where another program ended the run or its part meanwhile: nothing is lost by passing it over.
  fileprivate var isEndedMeanwhile: Bool {
    switch self {
    case .measured, .over, .ended: true
    default: false
    }
  }
}

extension [GivenMeasurement] {
  /// Names of the aid's records whose results are kept.
  fileprivate var records: Set<String> {
    Set(
      compactMap { run in
        if case .measured(_, let record)? = run.end?.outcome { record.id } else { nil }
      })
  }
}

extension JSONValue {
  fileprivate var isNumber: Bool { if case .number = content { true } else { false } }
}
