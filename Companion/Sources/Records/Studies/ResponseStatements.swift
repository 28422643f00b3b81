import Almanac
import Questionnaires

/// Statements of responses. Each that changes one asks by itself whether it may: the subject's own, neither completed nor ended, and open.
enum ResponseStatements {
  private static let columns =
    "r.id, r.enrolment, r.occurrence, r.questionnaire, r.version, r.opens, r.closes, r.zone, r.begun, r.completed, r.study_version"
  private static let own =
    "FROM response r JOIN enrolment e ON e.id = r.enrolment AND e.subject = subject_id()"
  private static let changeable =
    """
    \(own) WHERE r.id = :response AND r.completed IS NULL AND e.ended IS NULL
    AND r.opens <= clock_now() AND clock_now() < r.closes
    """

  static let find = Statement(
    """
    SELECT \(columns) \(own)
    WHERE r.enrolment = :enrolment AND r.occurrence = :occurrence AND r.questionnaire = :questionnaire
    """)
  static let list = Statement(
    "SELECT \(columns) \(own) WHERE r.enrolment = :enrolment ORDER BY r.begun, r.id")
  static let answers = Statement(
    "SELECT item, repetition, value, shown, answered, took, changes FROM answer WHERE response = :response")
  static let repetitions = Statement(
    "SELECT item, repetition, count FROM repetition WHERE response = :response")

  /// One that another program has begun meanwhile stays.
  static let insert = Statement(
    """
    INSERT INTO response (id, enrolment, occurrence, questionnaire, version, opens, closes, zone, begun, study_version)
    SELECT :id, e.id, :occurrence, :questionnaire, :version, :opens, :closes, :zone, clock_now(), e.study_version
    FROM enrolment e WHERE e.id = :enrolment AND e.subject = subject_id() AND e.ended IS NULL
    AND (:under = '' OR e.study_version = :under)
    ON CONFLICT (enrolment, occurrence, questionnaire) DO NOTHING
    """)

  /// Times stay in their order where the clock was set back; an equal answer is no change. `known` is the number of changes of the answer that
  /// whoever answers has seen, −1 for none: another program's answer is not replaced unseen. On a server it is a function, which looks once at
  /// whose it is (0005.postgres.sql).
  static let answer = Statement(
    sqlite: """
      INSERT INTO answer (response, item, repetition, value, shown, answered, took, changes)
      SELECT r.id, :item, :repetition, :value, :shown, clock_now(), :took, 0 \(changeable)
      ON CONFLICT (response, item, repetition) DO UPDATE SET
        changes = answer.changes + COALESCE(CASE WHEN answer.value <> excluded.value THEN 1 END, 0),
        answered = COALESCE(CASE WHEN answer.answered > excluded.answered THEN answer.answered END, excluded.answered),
        value = excluded.value, took = excluded.took
      WHERE answer.changes = :known OR answer.value = excluded.value
      RETURNING changes
      """,
    postgres:
      "SELECT keep_answer(:session_subject, :session_now, :response, :item, :repetition, :value, :shown, :took, :known) AS changes"
  )
  static let changes = Statement(
    "SELECT changes FROM answer WHERE response = :response AND item = :item AND repetition = :repetition")
  static let clear = Statement(
    """
    DELETE FROM answer WHERE item = :item AND repetition = :repetition
    AND response = (SELECT r.id \(changeable)) RETURNING item
    """)
  static let passed = Statement("SELECT item, repetition, count FROM passed WHERE response = :response")
  static let pass = Statement(
    """
    INSERT INTO passed (response, item, repetition, count, moment) SELECT r.id, :item, :repetition, :count, clock_now() \(changeable)
    ON CONFLICT (response, item, repetition) DO UPDATE SET count = excluded.count, moment = excluded.moment RETURNING count
    """)
  /// `known` is the number that whoever changes it has seen: another program's is not replaced unseen. The same number again is no change.
  static let repeatGroup = Statement(
    """
    INSERT INTO repetition (response, item, repetition, count) SELECT r.id, :item, :repetition, :count \(changeable)
    ON CONFLICT (response, item, repetition) DO UPDATE SET count = excluded.count
    WHERE repetition.count = :known OR repetition.count = excluded.count
    RETURNING count
    """)
  static let count = Statement(
    "SELECT count FROM repetition WHERE response = :response AND item = :item AND repetition = :repetition")
  static let complete = Statement(
    "UPDATE response SET completed = clock_now() WHERE id = (SELECT r.id \(changeable)) RETURNING completed"
  )

  private static let ending = Statement(
    "SELECT ended, study_version FROM enrolment WHERE id = :enrolment AND subject = subject_id()")
  private static let state = Statement("SELECT r.completed, e.ended \(own) WHERE r.id = :response")

  /// Reason why nothing could be begun or added in an enrolment.
  ///
  /// - Parameter version: The study's version that asked; nil: whichever the part has.
  static func refusal(
    of enrolment: String, asking version: String? = nil, _ transaction: ParticipationTransaction
  ) throws(ParticipationError) -> ParticipationError {
    guard let row = try transaction.rows(ending, ["enrolment": .text(enrolment)]).first else {
      return .unknown("part \(enrolment) of yours")
    }
    if let version, let found = row["study_version"]?.text, found != version {
      return .otherEdition(found: found, expected: version)
    }
    // Nothing is damaged: another program has begun the answers, and this transaction does not see them yet.
    return (row["ended"]?.integer).map { .ended(Instant(milliseconds: $0)) }
      ?? .changedElsewhere("the questionnaire")
  }

  /// Reason why a response could not be changed.
  ///
  /// - Parameter key: The question that was to be answered, or the group that was to be repeated; nil for other steps.
  static func refusal(
    to response: Response, at key: AnswerKey? = nil, _ session: Session,
    _ transaction: ParticipationTransaction
  ) throws(ParticipationError) -> ParticipationError {
    guard let row = try transaction.rows(state, ["response": .text(response.id)]).first else {
      return .unknown("response \(response.id) of yours")
    }
    if let ended = row["ended"]?.integer { return .ended(Instant(milliseconds: ended)) }
    if let completed = row["completed"]?.integer { return .completed(Instant(milliseconds: completed)) }
    if let key, try isChanged(key, response, transaction) { return .changedElsewhere(key.item) }
    return .outsideWindow(
      opens: response.opens, closes: response.closes, zone: response.zone, now: session.now)
  }

  /// True when another program has given an answer or a number of repetitions, or changed it, that this one has not seen.
  static func isChanged(
    _ key: AnswerKey, _ response: Response, _ transaction: ParticipationTransaction
  ) throws(ParticipationError) -> Bool {
    let place: [String: Value] = [
      "response": .text(response.id), "item": .text(key.item), "repetition": .text(key.repetitionText),
    ]
    if case .group? = response.outline.item(key.item)?.kind {
      guard let found = try transaction.rows(count, place).first?["count"]?.integer else { return false }
      return found != response.display.repetitions(of: key)
    }
    guard let found = try transaction.rows(changes, place).first?["changes"]?.integer else { return false }
    return found != response.sheet.answers[key]?.changes
  }
}
