import Almanac
import Studies

/// Consent as somebody gave it, with everything that became of its ticks.
public struct Consent: Sendable, Hashable {
  public let enrolment: String
  /// From 1 within the part: another follows when a material change is agreed to.
  public let number: Int
  /// ``StudyVersion/sha256`` of the version that it is to.
  public let studyVersion: String
  /// SHA-256 of the text that was shown.
  public let text: String
  /// Language tag of that text.
  public let language: String
  public let given: Instant
  /// Name of the zone in which the person was.
  public let zone: String
  /// Ticks in the order in which they were set; the last of a kind stands.
  public let ticks: [Tick]

  /// A kind of data, given or not, from a moment on.
  public struct Tick: Sendable, Hashable {
    /// ``DataType/id``.
    public let kind: String
    public let isGiven: Bool
    public let since: Instant
    public let zone: String
  }

  /// Kinds of data that are given as it stands.
  public var givenKinds: Set<String> {
    ticks.reduce(into: []) { kinds, tick in
      if tick.isGiven { kinds.insert(tick.kind) } else { kinds.remove(tick.kind) }
    }
  }
}

/// Consents, to which rows are only added.
///
/// - Threads: any.
public struct Consents: Sendable {
  let database: any Database

  public init(_ database: any Database) { self.database = database }

  private static let insert = Statement(
    """
    INSERT INTO consent (enrolment, number, study_version, text_sha256, language, moment, zone)
    SELECT e.id, (SELECT COALESCE(max(c.number), 0) + 1 FROM consent c WHERE c.enrolment = e.id), e.study_version, :text, :language,
      clock_now(), :zone
    FROM enrolment e WHERE e.id = :enrolment AND e.subject = subject_id() RETURNING number
    """)
  private static let insertTick = Statement(
    """
    INSERT INTO consent_tick (enrolment, consent, kind, number, given, moment, zone)
    SELECT c.enrolment, c.number, :kind,
      (SELECT COALESCE(max(t.number), 0) + 1 FROM consent_tick t
        WHERE t.enrolment = c.enrolment AND t.consent = c.number AND t.kind = :kind),
      :given, clock_now(), :zone
    FROM consent c JOIN enrolment e ON e.id = c.enrolment AND e.subject = subject_id()
    WHERE c.enrolment = :enrolment AND c.number = :number AND (:given = 0 OR e.ended IS NULL)
    AND c.number = (SELECT max(n.number) FROM consent n WHERE n.enrolment = c.enrolment) RETURNING number
    """)
  /// Waits for another program that moves the part to a later edition, and keeps others waiting.
  private static let hold = Statement(
    "UPDATE enrolment SET study_version = study_version WHERE id = :enrolment AND subject = subject_id() AND ended IS NULL"
  )
  private static let newest = Statement(
    "SELECT study_version FROM consent WHERE enrolment = :enrolment AND number > :number ORDER BY number DESC LIMIT 1"
  )
  private static let list = Statement(
    """
    SELECT c.enrolment, c.number, c.study_version, c.text_sha256, c.language, c.moment, c.zone FROM consent c
    JOIN enrolment e ON e.id = c.enrolment AND e.subject = subject_id()
    WHERE c.enrolment = :enrolment ORDER BY c.number
    """)
  private static let ticks = Statement(
    """
    SELECT consent, kind, given, moment, zone FROM consent_tick WHERE enrolment = :enrolment
    ORDER BY consent, number, kind
    """)

  /// Keeps an agreement to the version that a part has, within the step that needs it.
  static func keep(
    _ agreement: Agreement, of enrolment: String, in zone: String, _ transaction: ParticipationTransaction
  ) throws(ParticipationError) {
    let parameters: [String: Value] = ["enrolment": .text(enrolment), "zone": .text(zone)]
    let rows = try transaction.rows(
      insert,
      parameters.merging(["text": .text(agreement.text), "language": .text(agreement.language)]) { $1 })
    guard let number = rows.first?["number"]?.integer else { throw .unknown("part \(enrolment) of yours") }
    for tick in agreement.ticks {
      _ = try transaction.rows(
        insertTick,
        parameters.merging([
          "number": .integer(number), "kind": .text(tick.kind), "given": .boolean(tick.isGiven),
        ]) { $1 })
    }
  }

  /// All of a part of the session's subject, the first first; none for a study that asks for no consent.
  public func all(of enrolment: String, _ session: Session) throws(ParticipationError) -> [Consent] {
    try database.participating(session) { transaction throws(ParticipationError) in
      let place: [String: Value] = ["enrolment": .text(enrolment)]
      let rows = try transaction.rows(Self.list, place)
      guard !rows.isEmpty else { return [] }
      let ticks = try transaction.rows(Self.ticks, place)
      var consents: [Consent] = []
      for row in rows {
        guard let consent = Consent(row, ticks) else { throw .unreadable("a consent of part \(enrolment)") }
        consents.append(consent)
      }
      return consents
    }
  }

  /// Gives a kind of data from now on, or gives it no longer. What was set before is kept with its time.
  ///
  /// A kind is taken back at any time, after the end of the part too; it is given while the part goes on.
  ///
  /// - Throws: ``ParticipationError``. Whether the study may go on without the kind is for the caller to ask.
  public func tick(
    _ kind: String, isGiven: Bool, in consent: Consent, at zone: String, _ session: Session
  ) throws(ParticipationError) {
    try database.participating(session) { transaction throws(ParticipationError) in
      let part: [String: Value] = ["enrolment": .text(consent.enrolment)]
      try transaction.run(Self.hold, part)
      let place = part.merging(["number": .integer(consent.number)]) { $1 }
      let rows = try transaction.rows(
        Self.insertTick,
        place.merging(["kind": .text(kind), "given": .boolean(isGiven), "zone": .text(zone)]) { $1 })
      guard rows.isEmpty else { return }
      if let found = try transaction.rows(Self.newest, place).first?["study_version"]?.text {
        throw .otherEdition(found: found, expected: consent.studyVersion)
      }
      throw try ResponseStatements.refusal(of: consent.enrolment, transaction)
    }
  }
}

extension Consent {
  fileprivate init?(_ row: Row, _ ticks: [Row]) {
    guard let enrolment = row["enrolment"]?.text, let number = row["number"]?.integer,
      let version = row["study_version"]?.text, let text = row["text_sha256"]?.text,
      let language = row["language"]?.text, let moment = row["moment"]?.integer,
      let zone = row["zone"]?.text
    else { return nil }
    let own = ticks.filter { $0["consent"]?.integer == number }
    let read = own.compactMap { row -> Tick? in
      guard let kind = row["kind"]?.text, let given = row["given"]?.integer,
        let moment = row["moment"]?.integer, let zone = row["zone"]?.text
      else { return nil }
      return Tick(kind: kind, isGiven: given == 1, since: Instant(milliseconds: moment), zone: zone)
    }
    guard read.count == own.count else { return nil }
    self.init(
      enrolment: enrolment, number: number, studyVersion: version, text: text, language: language,
      given: Instant(milliseconds: moment), zone: zone, ticks: read)
  }
}
