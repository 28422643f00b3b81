import Almanac
import Studies

/// A step of somebody's part from one version of a study to another.
public struct EditionStep: Sendable, Hashable {
  /// ``StudyVersion/sha256``.
  public let studyVersion: String
  public let kind: Kind
  public let moment: Instant

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The part has this version from then on.
    case taken
    /// The person is asked whether to take it.
    case offered
    /// The person keeps the version that the part has.
    case refused
  }
}

/// Versions of a part, to whose list steps are only added. A part keeps its version until the person takes another.
///
/// - Threads: any.
public struct Editions: Sendable {
  let database: any Database

  public init(_ database: any Database) { self.database = database }

  private static let insert = Statement(
    """
    INSERT INTO edition_step (enrolment, number, study_version, step, moment)
    SELECT e.id, (SELECT COALESCE(max(s.number), 0) + 1 FROM edition_step s WHERE s.enrolment = e.id), :version, :step, clock_now()
    FROM enrolment e WHERE e.id = :enrolment AND e.subject = subject_id() AND e.ended IS NULL RETURNING number
    """)
  private static let list = Statement(
    """
    SELECT s.study_version, s.step, s.moment FROM edition_step s
    JOIN enrolment e ON e.id = s.enrolment AND e.subject = subject_id() WHERE s.enrolment = :enrolment ORDER BY s.number
    """)
  private static let move = Statement(
    """
    UPDATE enrolment SET study_version = :version
    WHERE id = :enrolment AND subject = subject_id() AND ended IS NULL AND study_version = :former
    """)
  private static let present = Statement(
    "SELECT study_version FROM enrolment WHERE id = :enrolment AND subject = subject_id()")

  /// Adds a step, within what calls for it.
  static func add(
    _ kind: EditionStep.Kind, _ version: String, to enrolment: String,
    _ transaction: ParticipationTransaction
  ) throws(ParticipationError) {
    let rows = try transaction.rows(
      insert,
      ["enrolment": .text(enrolment), "version": .text(version), "step": .text(kind.rawValue)])
    guard rows.isEmpty else { return }
    throw try ResponseStatements.refusal(of: enrolment, transaction)
  }

  /// Steps of a part, the first first.
  public func all(of enrolment: String, _ session: Session) throws(ParticipationError) -> [EditionStep] {
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, Self.list, ["enrolment": .text(enrolment)])
    }
    return rows.compactMap { row in
      guard let version = row["study_version"]?.text,
        let kind = row["step"]?.text.flatMap(EditionStep.Kind.init), let moment = row["moment"]?.integer
      else { return nil }
      return EditionStep(studyVersion: version, kind: kind, moment: Instant(milliseconds: moment))
    }
  }

  /// Keeps a version and offers it to the person, so that it is asked for until they have decided.
  public func offer(
    _ version: StudyVersion, to enrolment: Enrolment, _ session: Session
  ) throws(ParticipationError) {
    try StudyVersions(database).keep(version, session)
    try database.participating(session) { transaction throws(ParticipationError) in
      try Self.add(.offered, version.sha256, to: enrolment.id, transaction)
    }
  }

  /// Notes that the person keeps the version that the part has.
  ///
  /// - Parameter ending: Nil: the part goes on.
  public func refuse(
    _ version: String, of enrolment: Enrolment, ending: Enrolment.Ending? = nil, _ session: Session
  ) throws(ParticipationError) {
    try database.participating(session) { transaction throws(ParticipationError) in
      try Self.add(.refused, version, to: enrolment.id, transaction)
      if let ending { try Enrolments.end(enrolment.id, ending, transaction) }
    }
  }

  /// Moves a part to another version from now on, with the consent that it needs, or not at all. What was begun before keeps its version.
  ///
  /// - Parameters:
  ///   - agreement: Nil where nothing of what was agreed to has changed.
  ///   - zone: The person's.
  /// - Throws: ``ParticipationError/otherEdition(found:expected:)`` where another program moved it meanwhile, and others.
  public func take(
    _ version: String, of enrolment: Enrolment, under agreement: Agreement?, in zone: String,
    _ session: Session
  ) throws(ParticipationError) {
    try database.participating(session) { transaction throws(ParticipationError) in
      let moved = try transaction.run(
        Self.move,
        [
          "enrolment": .text(enrolment.id), "version": .text(version),
          "former": .text(enrolment.studyVersion),
        ])
      guard moved == 1 else {
        let rows = try transaction.rows(Self.present, ["enrolment": .text(enrolment.id)])
        if let found = rows.first?["study_version"]?.text, found != enrolment.studyVersion {
          throw .otherEdition(found: found, expected: enrolment.studyVersion)
        }
        throw try ResponseStatements.refusal(of: enrolment.id, transaction)
      }
      try Self.add(.taken, version, to: enrolment.id, transaction)
      if let agreement { try Consents.keep(agreement, of: enrolment.id, in: zone, transaction) }
    }
  }
}
