import Almanac
import Base
import Studies

/// Measurements of studies: each is kept when it is begun and when it ends, and never changed.
///
/// - Threads: any.
public struct TaskRuns: Sendable {
  let database: any Database

  public init(_ database: any Database) { self.database = database }

  private static let insert = Statement(
    """
    INSERT INTO task_run (id, enrolment, study_version, occurrence, kind, kind_version, settings, opens, closes, zone, begun)
    SELECT :id, e.id, e.study_version, :occurrence, :kind, :version, :settings, :opens, :closes, :zone, clock_now()
    FROM enrolment e WHERE e.id = :enrolment AND e.subject = subject_id() AND e.ended IS NULL
    AND :opens <= clock_now() AND clock_now() < :closes
    RETURNING study_version
    """)
  /// A run that was begun in its window may end after it; an occurrence takes one result.
  private static let insertEnd = Statement(
    """
    INSERT INTO task_end (run, enrolment, occurrence, ended, measured, record, reason)
    SELECT r.id, r.enrolment, r.occurrence, COALESCE(CASE WHEN r.begun > clock_now() THEN r.begun END, clock_now()),
      :measured, :record, :reason
    FROM task_run r JOIN enrolment e ON e.id = r.enrolment AND e.subject = subject_id() AND e.ended IS NULL
    WHERE r.id = :id AND NOT EXISTS (SELECT 1 FROM task_end t WHERE t.run = r.id)
    ON CONFLICT DO NOTHING RETURNING ended
    """)
  private static let list = Statement(
    """
    SELECT r.id, r.occurrence, r.kind, r.kind_version, r.settings, r.study_version, r.begun, r.zone,
      t.ended, t.measured, t.record, t.reason
    FROM task_run r JOIN enrolment e ON e.id = r.enrolment AND e.subject = subject_id()
    LEFT JOIN task_end t ON t.run = r.id WHERE r.enrolment = :enrolment ORDER BY r.begun, r.id
    """)
  private static let end = Statement(
    """
    SELECT t.ended, e.ended AS part_ended FROM task_run r JOIN enrolment e ON e.id = r.enrolment AND e.subject = subject_id()
    LEFT JOIN task_end t ON t.enrolment = r.enrolment AND t.occurrence = r.occurrence AND t.reason IS NULL
    WHERE r.id = :id
    """)
  private static let ending = Statement(
    "SELECT ended FROM enrolment WHERE id = :enrolment AND subject = subject_id()")

  /// Begins a measurement.
  ///
  /// - Parameter id: The caller draws it.
  /// - Throws: ``ParticipationError/outsideWindow(opens:closes:zone:now:)`` and others; nothing is kept then.
  public func begin(
    _ id: String, _ occurrence: Occurrence, of enrolment: String, _ kind: TaskKind.Key,
    _ settings: [String: Double], _ session: Session
  ) throws(ParticipationError) -> GivenMeasurement {
    let parameters: [String: Value] = [
      "id": .text(id), "enrolment": .text(enrolment), "occurrence": .text(occurrence.id),
      "kind": .text(kind.name), "version": .integer(kind.version),
      "settings": .text(MeasurementText.settings(settings)),
      "opens": .integer(occurrence.opens.milliseconds), "closes": .integer(occurrence.closes.milliseconds),
      "zone": .text(occurrence.zoneName),
    ]
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, Self.insert, parameters)
    }
    guard let version = rows.first?["study_version"]?.text else {
      throw try refusal(of: enrolment, occurrence, session)
    }
    return GivenMeasurement(
      id: id, occurrence: occurrence.id, kind: kind, settings: settings, studyVersion: version,
      begun: session.now, zone: occurrence.zoneName, end: nil)
  }

  private func refusal(
    of enrolment: String, _ occurrence: Occurrence, _ session: Session
  ) throws(ParticipationError) -> ParticipationError {
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, Self.ending, ["enrolment": .text(enrolment)])
    }
    guard let row = rows.first else { return .unknown("part \(enrolment) of yours") }
    if let ended = row["ended"]?.integer { return .ended(Instant(milliseconds: ended)) }
    return .outsideWindow(
      opens: occurrence.opens, closes: occurrence.closes, zone: occurrence.zoneName, now: session.now)
  }

  /// Keeps the end of a measurement. When it returns, it is on the disk; when it throws, nothing has changed.
  ///
  /// - Throws: ``ParticipationError/completed(_:)`` where its occurrence has a result already, and others.
  public func end(
    _ run: GivenMeasurement, _ outcome: MeasurementOutcome, _ session: Session
  ) throws(ParticipationError) -> GivenMeasurement {
    var parameters: [String: Value] = ["id": .text(run.id), "measured": nil, "record": nil, "reason": nil]
    switch outcome {
    case .measured(let values, let record):
      parameters["measured"] = .text(MeasurementText.values(values))
      parameters["record"] = .text(MeasurementText.record(record))
    case .absent(let reason): parameters["reason"] = .text(reason)
    }
    let rows = try ParticipationError.storing { [parameters] () throws(StorageError) in
      try database.once(session, Self.insertEnd, parameters)
    }
    guard let ended = rows.first?["ended"]?.integer else { throw try refusal(to: run, session) }
    return GivenMeasurement(
      id: run.id, occurrence: run.occurrence, kind: run.kind, settings: run.settings,
      studyVersion: run.studyVersion, begun: run.begun, zone: run.zone,
      end: GivenMeasurement.End(outcome, at: Instant(milliseconds: ended)))
  }

  private func refusal(
    to run: GivenMeasurement, _ session: Session
  ) throws(ParticipationError) -> ParticipationError {
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, Self.end, ["id": .text(run.id)])
    }
    guard let row = rows.first else { return .unknown("measurement \(run.id) of yours") }
    if let ended = row["part_ended"]?.integer { return .ended(Instant(milliseconds: ended)) }
    if let ended = row["ended"]?.integer { return .measured(Instant(milliseconds: ended)) }
    return .over(run.id)
  }

  /// Everything begun in a part, the first first.
  ///
  /// - Throws: ``ParticipationError/unreadable(_:)`` for a row that nobody here wrote.
  public func all(
    of enrolment: String, _ session: Session
  ) throws(ParticipationError) -> [GivenMeasurement] {
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, Self.list, ["enrolment": .text(enrolment)])
    }
    var result: [GivenMeasurement] = []
    for row in rows {
      guard let run = GivenMeasurement(row) else {
        throw .unreadable("the measurement \(row["id"]?.text ?? "")")
      }
      result.append(run)
    }
    return result
  }
}

extension GivenMeasurement {
  fileprivate init?(_ row: Row) {
    guard let id = row["id"]?.text, let occurrence = row["occurrence"]?.text, let kind = row["kind"]?.text,
      let version = row["kind_version"]?.integer,
      let settings = row["settings"]?.text.flatMap(MeasurementText.settings),
      let study = row["study_version"]?.text, let begun = row["begun"]?.integer,
      let zone = row["zone"]?.text
    else { return nil }
    var end: End?
    if let ended = row["ended"]?.integer {
      guard let outcome = MeasurementOutcome(row) else { return nil }
      end = End(outcome, at: Instant(milliseconds: ended))
    }
    self.init(
      id: id, occurrence: occurrence, kind: TaskKind.Key(kind, version: version), settings: settings,
      studyVersion: study, begun: Instant(milliseconds: begun), zone: zone, end: end)
  }
}

extension MeasurementOutcome {
  fileprivate init?(_ row: Row) {
    if let reason = row["reason"]?.text {
      self = .absent(reason)
    } else if let values = row["measured"]?.text.flatMap(MeasurementText.values),
      let record = row["record"]?.text.flatMap(MeasurementText.record)
    {
      self = .measured(values, record)
    } else {
      return nil
    }
  }
}
