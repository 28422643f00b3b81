import Almanac
import Base
import Questionnaires

/// Steps that somebody takes, each of which is kept as a whole or not at all.
extension Responses {
  /// Keeps an answer. When it returns, the answer is on the disk; when it throws, nothing has changed, but with
  /// ``StorageError/unanswered(_:)``, of which nobody knows.
  ///
  /// Repeating an answer changes nothing, so a step whose outcome was not seen can be sent again.
  ///
  /// - Parameters:
  ///   - took: ``AnswerSheet/Answer/took``.
  ///   - isAlarming: True for one that must not wait: its ``Alert`` is kept with it, or neither is.
  /// - Throws: ``ParticipationError``.
  public func answer(
    _ value: AnswerValue, for key: AnswerKey, took: Int? = nil, isAlarming: Bool = false,
    in response: inout Response, _ session: Session
  ) throws(ParticipationError) {
    do throws(AnswerRefusal) { try response.outline.check(value, for: key, on: response.sheet) } catch {
      throw .answer(error)
    }
    guard let item = response.outline.item(key.item) else { throw .unknown("question \(key.item)") }
    // The same choices in another order, as they may have been kept before, are no change.
    let former = response.sheet[key]
    let given = former?.inOrder(of: item) == value.inOrder(of: item) ? former ?? value : value
    let parameters: [String: Value] = [
      "response": .text(response.id), "item": .text(key.item), "repetition": .text(key.repetitionText),
      "value": .text(given.fhirAnswers(to: item).minified),
      "shown": .integer(min(response.sheet.shown(key) ?? session.now, session.now).milliseconds),
      "took": took.map { .integer($0) } ?? .null,
      "known": .integer(response.sheet.answers[key]?.changes ?? -1),
    ]
    if isAlarming {
      try raise(parameters, key, of: response, session)
    } else {
      try step(ResponseStatements.answer, parameters, key, of: response, session)
    }
    response.sheet.set(given, for: key, at: session.now, took: took)
  }

  /// Leaves a question out: takes back the answer that it has, and keeps that the person has passed it.
  ///
  /// - Throws: ``ParticipationError/answer(_:)`` for one that is required, and others.
  public func leaveOut(
    _ key: AnswerKey, in response: inout Response, _ session: Session
  ) throws(ParticipationError) {
    guard let item = response.outline.item(key.item), item.kind.isQuestion, !item.isRequired,
      response.display.isShown(key)
    else {
      throw .answer(
        AnswerRefusal(
          item: key.item, found: "no answer", expected: "an answer, or a question that may be left out"))
    }
    try pass(key, 0, in: &response, session)
    response.sheet.clear(key)
  }

  /// Completes a response: its answers are not changed any more.
  ///
  /// - Throws: ``ParticipationError/incomplete(_:)`` with the questions that wait,
  ///   ``ParticipationError/changedElsewhere(_:)`` where another program has answered meanwhile, which may have
  ///   opened a question, and others.
  public func complete(_ response: inout Response, _ session: Session) throws(ParticipationError) {
    guard response.completed == nil else { return }
    let missing = response.display.progress.missing
    guard missing.isEmpty else { throw .incomplete(missing.map(\.item)) }
    try database.participating(session) { [response] transaction throws(ParticipationError) in
      _ = try Self.step(
        ResponseStatements.complete, ["response": .text(response.id)], of: response, leadingTo: response,
        session, transaction)
    }
    response.completed = session.now
  }

  /// The answer and its alert, in one transaction.
  private func raise(
    _ parameters: [String: Value], _ key: AnswerKey, of response: Response, _ session: Session
  ) throws(ParticipationError) {
    try database.participating(session) { transaction throws(ParticipationError) in
      guard let changes = try transaction.rows(ResponseStatements.answer, parameters).first?["changes"],
        changes != .null
      else {
        throw try ResponseStatements.refusal(to: response, at: key, session, transaction)
      }
      try transaction.run(
        Alerts.raise, parameters.merging(["changes": changes]) { $1 })
    }
  }

  /// Keeps that a question was left out (0), or that a group has not another repetition after so many.
  func pass(
    _ key: AnswerKey, _ count: Int, in response: inout Response, _ session: Session
  ) throws(ParticipationError) {
    let place: [String: Value] = [
      "response": .text(response.id), "item": .text(key.item), "repetition": .text(key.repetitionText),
    ]
    try database.participating(session) { [response] transaction throws(ParticipationError) in
      if count == 0, try ResponseStatements.isChanged(key, response, transaction) {
        throw .changedElsewhere(key.item)
      }
      let rows = try transaction.rows(
        ResponseStatements.pass, place.merging(["count": .integer(count)]) { $1 })
      guard !rows.isEmpty else {
        throw try ResponseStatements.refusal(to: response, session, transaction)
      }
      if count == 0, try !transaction.rows(ResponseStatements.clear, place).isEmpty {
        _ = try transaction.run(Alerts.takeBack, place)
      }
    }
    response.passed[key] = count
  }

  /// One statement that gives a value where the response may be changed; otherwise the reason is found.
  func step(
    _ statement: Statement, _ parameters: [String: Value], _ key: AnswerKey? = nil, of response: Response,
    _ session: Session
  ) throws(ParticipationError) {
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, statement, parameters)
    }
    guard rows.first?.columns.values.first ?? .null == .null else { return }
    throw try database.participating(session) { transaction throws(ParticipationError) in
      try ResponseStatements.refusal(to: response, at: key, session, transaction)
    }
  }

  /// The same of a step that is right for the answers that its caller has seen, and for no others.
  ///
  /// - Parameter next: The response behind the step, as the database has it where no other program has answered meanwhile.
  /// - Returns: The response as the database has it.
  /// - Throws: ``ParticipationError/changedElsewhere(_:)`` where it is another; the step is taken back then.
  static func step(
    _ statement: Statement, _ parameters: [String: Value], _ key: AnswerKey? = nil, of response: Response,
    leadingTo next: Response, _ session: Session, _ transaction: ParticipationTransaction
  ) throws(ParticipationError) -> Response {
    guard try !transaction.rows(statement, parameters).isEmpty else {
      throw try ResponseStatements.refusal(to: response, at: key, session, transaction)
    }
    let found = try read(next, transaction)
    guard found.hasAnswers(of: next) else {
      throw .changedElsewhere(key?.item ?? response.outline.questionnaire.url)
    }
    return found
  }
}
