import Almanac
import Base
import Studies

/// Somebody's part in one version of a study.
public struct Enrolment: Sendable, Hashable {
  public let id: String
  public let subject: String
  /// ``StudyVersion/sha256``: a running part keeps its version until the person takes another (``Editions``).
  public let studyVersion: String
  /// Day 1, on the person's wall.
  public let firstDate: CalendarDate
  /// Of what is drawn for this person, also of their code in data sets; nil: not read, as by a site's staff, who do
  /// not see it.
  public let seed: UInt64?
  public let begun: Instant
  /// Nil while it goes on.
  public let ended: Instant?
  public let ending: Ending?
  /// Names of the zones in which the person was, each since when.
  public let stays: [Stay]

  public enum Ending: String, Sendable, Hashable, CaseIterable { case completed, withdrawn }

  public struct Stay: Sendable, Hashable {
    public let since: Instant
    public let zone: String
  }

  /// The stay at a moment; before the first one begins, that one. A clock that was ahead may have noted later ones.
  public func stay(at moment: Instant) -> Stay? { stays.last { $0.since <= moment } ?? stays.first }

  /// The same with the person in another zone from a moment on, as ``Enrolments/move(_:to:_:)`` would keep it.
  public func moved(to zone: String, at moment: Instant) -> Enrolment {
    guard stay(at: moment)?.zone != zone, !stays.contains(where: { $0.since == moment }) else {
      return self
    }
    var stays = stays
    let place = stays.firstIndex { $0.since > moment } ?? stays.endIndex
    stays.insert(Stay(since: moment, zone: zone), at: place)
    return Enrolment(
      id: id, subject: subject, studyVersion: studyVersion, firstDate: firstDate, seed: seed, begun: begun,
      ended: ended, ending: ending, stays: stays)
  }
}

/// The parts that people take in studies.
///
/// - Threads: any.
public struct Enrolments: Sendable {
  let database: any Database

  public init(_ database: any Database) { self.database = database }

  private static let insertSubject = Statement(
    "INSERT INTO subject (id, since) VALUES (subject_id(), clock_now()) ON CONFLICT DO NOTHING")
  private static let insert = Statement(
    """
    INSERT INTO enrolment (id, subject, study_version, first_date, seed, begun)
    VALUES (:id, subject_id(), :version, :first, :seed, clock_now()) ON CONFLICT DO NOTHING
    """)
  private static let insertStay = Statement(
    "INSERT INTO stay (enrolment, since, zone) VALUES (:id, clock_now(), :zone) ON CONFLICT DO NOTHING")
  private static let find = Statement(
    """
    SELECT id, subject, study_version, first_date, seed, begun, ended, ending FROM enrolment
    WHERE subject = subject_id() ORDER BY begun, id
    """)
  /// All that the database lets this identity see.
  private static let visible = Statement(
    "SELECT id, subject, study_version, first_date, begun, ended, ending FROM enrolment ORDER BY begun, id")
  private static let visibleWithSeeds = Statement(
    "SELECT id, subject, study_version, first_date, seed, begun, ended, ending FROM enrolment ORDER BY begun, id"
  )
  private static let stays = Statement("SELECT since, zone FROM stay WHERE enrolment = :id ORDER BY since")
  private static let end = Statement(
    """
    UPDATE enrolment SET ended = clock_now(), ending = :ending
    WHERE id = :id AND subject = subject_id() AND ended IS NULL
    """)

  /// Begins the session's subject's part in a version; one that was begun stays as it is.
  ///
  /// - Parameters:
  ///   - id: Unique among all; the caller draws it.
  ///   - zone: The person's, as the system names it.
  ///   - agreement: Kept with the part, or neither is; nil for a study that asks for no consent.
  /// - Throws: ``ParticipationError``.
  public func begin(
    _ id: String, version: String, on firstDate: CalendarDate, in zone: String, seed: UInt64,
    under agreement: Agreement? = nil, _ session: Session
  ) throws(ParticipationError) -> Enrolment {
    try database.participating(session) { transaction throws(ParticipationError) in
      try transaction.run(Self.insertSubject, [:])
      let begun = try transaction.run(
        Self.insert,
        [
          "id": .text(id), "version": .text(version), "first": .text("\(firstDate)"),
          "seed": .integer(Int(bitPattern: UInt(seed))),
        ])
      if begun > 0 {
        try transaction.run(Self.insertStay, ["id": .text(id), "zone": .text(zone)])
        try Editions.add(.taken, version, to: id, transaction)
        if let agreement { try Consents.keep(agreement, of: id, in: zone, transaction) }
      }
      let found = try Self.all(transaction).first { $0.studyVersion == version }
      guard let found else { throw .unknown("version \(version.prefix(12)) of a study") }
      return found
    }
  }

  /// All of the session's subject, the first begun first.
  public func all(_ session: Session) throws(ParticipationError) -> [Enrolment] {
    try database.participating(session) { transaction throws(ParticipationError) in
      try Self.all(transaction)
    }
  }

  /// Parts that the database lets an identity see.
  public struct Visible: Sendable, Hashable {
    /// The first begun first.
    public internal(set) var enrolments: [Enrolment] = []
    /// Those whose row cannot be read.
    public internal(set) var unreadable: [Unreadable] = []

    /// A part whose row cannot be read, such as one with a first day that is no date.
    public struct Unreadable: Sendable, Hashable {
      public let id: String
      /// ``Enrolment/studyVersion``: alerts of the part are told by it.
      public let studyVersion: String?
      /// Part, what was found and what was expected, as ``ParticipationError/unreadable(_:)`` tells it.
      public let reason: String
    }
  }

  /// All that the database lets this identity see: a person's own, and everybody's for a site's people. One
  /// person's row that cannot be read keeps nobody else's from being read.
  ///
  /// - Parameter withSeeds: True for ``Enrolment/seed`` too, which staff may not read.
  public func visible(
    _ session: Session, withSeeds: Bool = false
  ) throws(ParticipationError) -> Visible {
    try database.participating(session) { transaction throws(ParticipationError) in
      var result = Visible()
      for row in try transaction.rows(withSeeds ? Self.visibleWithSeeds : Self.visible, [:]) {
        do throws(ParticipationError) { result.enrolments.append(try Self.read(row, transaction)) } catch {
          guard case .unreadable(let reason) = error, let id = row["id"]?.text else { throw error }
          result.unreadable.append(
            Visible.Unreadable(
              id: RowName.shown(id), studyVersion: row["study_version"]?.text, reason: reason))
        }
      }
      return result
    }
  }

  private static func all(
    _ transaction: ParticipationTransaction
  ) throws(ParticipationError) -> [Enrolment] {
    var result: [Enrolment] = []
    for row in try transaction.rows(find, [:]) { result.append(try read(row, transaction)) }
    return result
  }

  private static func read(
    _ row: Row, _ transaction: ParticipationTransaction
  ) throws(ParticipationError) -> Enrolment {
    guard let id = row["id"]?.text else { throw .unreadable("a part without a name") }
    return try Enrolment(row, stays: transaction.rows(stays, ["id": .text(id)]))
  }

  /// Notes that the person is in another zone from now on.
  public func move(_ enrolment: Enrolment, to zone: String, _ session: Session) throws(ParticipationError) {
    guard enrolment.stay(at: session.now)?.zone != zone else { return }
    try database.participating(session) { transaction throws(ParticipationError) in
      guard try Self.all(transaction).contains(where: { $0.id == enrolment.id }) else {
        throw .unknown("part \(enrolment.id) of yours")
      }
      try transaction.run(Self.insertStay, ["id": .text(enrolment.id), "zone": .text(zone)])
    }
  }

  /// Ends a part; one that has ended stays as it is.
  public func end(
    _ enrolment: Enrolment, _ ending: Enrolment.Ending, _ session: Session
  ) throws(ParticipationError) {
    try database.participating(session) { transaction throws(ParticipationError) in
      try Self.end(enrolment.id, ending, transaction)
    }
  }

  static func end(
    _ enrolment: String, _ ending: Enrolment.Ending, _ transaction: ParticipationTransaction
  ) throws(ParticipationError) {
    _ = try transaction.run(end, ["id": .text(enrolment), "ending": .text(ending.rawValue)])
  }
}
