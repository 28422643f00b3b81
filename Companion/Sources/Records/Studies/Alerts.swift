import Almanac
import Questionnaires

/// An answer that must not wait, from the moment at which it is kept.
public struct Alert: Sendable, Hashable {
  public let response: String
  public let enrolment: String
  public let item: String
  public let raised: Instant
  /// Moment at which the help page was shown; nil: it comes next, whatever happened since.
  public let helpSeen: Instant?
  /// Moment at which the contact was told; nil: not yet.
  public let delivered: Instant?
  /// Reason why the last attempt to tell failed.
  public let failure: String?
  public let attempts: Int
  /// Moment at which the investigator was told because the contact had not answered in time; nil: not.
  public let escalated: Instant?
  public let acknowledged: Instant?
  public let acknowledgedBy: String?
}

/// Alerts, which are kept in the same step as the answer that raises them.
///
/// - Threads: any.
public struct Alerts: Sendable {
  let database: any Database

  public init(_ database: any Database) { self.database = database }

  /// An answer that is raised again with another value, or after it was taken back, is shown and told anew.
  static let raise = Statement(
    """
    INSERT INTO safety_alert (response, item, value, changes, raised) VALUES (:response, :item, :value, :changes, clock_now())
    ON CONFLICT (response, item) DO UPDATE SET value = excluded.value, changes = excluded.changes, raised = excluded.raised, help_seen = NULL,
      delivered = NULL, failure = NULL, attempts = 0, escalated = NULL, acknowledged = NULL, acknowledged_by = NULL
    WHERE safety_alert.value <> excluded.value OR safety_alert.changes <> excluded.changes
    """)
  /// An answer that was taken back has no changes to compare with: whichever comes next is another.
  static let takeBack = Statement(
    "UPDATE safety_alert SET changes = -1 WHERE response = :response AND item = :item")
  private static let list = Statement(
    """
    SELECT a.response, r.enrolment, a.item, a.raised, a.help_seen, a.delivered, a.failure, a.attempts, a.escalated, a.acknowledged,
      a.acknowledged_by
    FROM safety_alert a JOIN response r ON r.id = a.response ORDER BY a.raised, a.response, a.item
    """)
  // Of the alert as it was read: one that was raised anew meanwhile is another.
  private static let seen = Statement(
    """
    UPDATE safety_alert SET help_seen = clock_now()
    WHERE response = :response AND item = :item AND raised = :raised AND help_seen IS NULL
    """)
  private static let told = Statement(
    """
    UPDATE safety_alert SET attempts = attempts + 1, failure = :failure,
      delivered = CASE WHEN :isTold = 1 THEN clock_now() END
    WHERE response = :response AND item = :item AND raised = :raised AND delivered IS NULL
    """)
  private static let escalate = Statement(
    """
    UPDATE safety_alert SET escalated = clock_now()
    WHERE response = :response AND item = :item AND raised = :raised AND escalated IS NULL
    """)
  private static let acknowledge = Statement(
    """
    UPDATE safety_alert SET acknowledged = clock_now(), acknowledged_by = :by
    WHERE response = :response AND item = :item AND raised = :raised AND acknowledged IS NULL
    """)

  /// All of them, the first first.
  public func all(_ session: Session) throws(ParticipationError) -> [Alert] {
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, Self.list, [:])
    }
    return rows.compactMap(Alert.init)
  }

  /// Notes that the help page was shown.
  public func helpWasShown(_ alert: Alert, _ session: Session) throws(ParticipationError) {
    try change(Self.seen, alert, [:], session)
  }

  /// Notes an attempt to tell the contact.
  ///
  /// - Parameter failure: Nil: it was told.
  public func attempted(_ alert: Alert, failure: String?, _ session: Session) throws(ParticipationError) {
    let parameters: [String: Value] = [
      "failure": failure.map { .text($0) } ?? .null, "isTold": .boolean(failure == nil),
    ]
    try change(Self.told, alert, parameters, session)
  }

  /// Notes that the investigator was told.
  public func escalated(_ alert: Alert, _ session: Session) throws(ParticipationError) {
    try change(Self.escalate, alert, [:], session)
  }

  /// Notes who has taken care of it; the first one stays.
  ///
  /// - Returns: False for one of which somebody has, or that was raised anew since it was read.
  @discardableResult
  public func acknowledge(
    _ alert: Alert, by name: String, _ session: Session
  ) throws(ParticipationError) -> Bool {
    try change(Self.acknowledge, alert, ["by": .text(name)], session) > 0
  }

  /// - Returns: Rows that were changed.
  @discardableResult
  private func change(
    _ statement: Statement, _ alert: Alert, _ parameters: [String: Value], _ session: Session
  ) throws(ParticipationError) -> Int {
    let key: [String: Value] = [
      "response": .text(alert.response), "item": .text(alert.item),
      "raised": .integer(alert.raised.milliseconds),
    ]
    return try database.participating(session) { transaction throws(ParticipationError) in
      try transaction.run(statement, parameters.merging(key) { $1 })
    }
  }
}

extension Alert {
  /// - Returns: Nil also for one whose part or response has a name that this program does not give: staff copy it from
  ///   the mail into a command.
  init?(_ row: Row) {
    guard let response = row["response"]?.text, RowName.isPlain(response),
      let enrolment = row["enrolment"]?.text, RowName.isPlain(enrolment),
      let item = row["item"]?.text, let raised = row["raised"]?.integer
    else { return nil }
    func moment(_ column: String) -> Instant? { (row[column]?.integer).map { Instant(milliseconds: $0) } }
    self.init(
      response: response, enrolment: enrolment, item: item, raised: Instant(milliseconds: raised),
      helpSeen: moment("help_seen"), delivered: moment("delivered"), failure: row["failure"]?.text,
      attempts: row["attempts"]?.integer ?? 0, escalated: moment("escalated"),
      acknowledged: moment("acknowledged"),
      acknowledgedBy: row["acknowledged_by"]?.text)
  }
}
