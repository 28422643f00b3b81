import Almanac
import Base
import Questionnaires

/// Answers to questionnaires, each kept as it is given.
///
/// - Threads: any.
public struct Responses: Sendable {
  let database: any Database

  public init(_ database: any Database) { self.database = database }

  /// Begins the answers to an occurrence's questionnaire, or goes on with them.
  ///
  /// - Parameters:
  ///   - id: For a response that is begun now; the caller draws it.
  ///   - outline: The questionnaire, in the version of the enrolment's study.
  ///   - version: ``StudyVersion/sha256`` of the version that asks: begun is nothing where the part has another by now. Empty: whichever it has.
  /// - Throws: ``ParticipationError/outsideWindow(opens:closes:zone:now:)`` where there is nothing begun and it is not open, and others.
  public func open(
    _ id: String, _ occurrence: Occurrence, of enrolment: String, _ outline: Outline,
    under version: String = "", _ session: Session
  ) throws(ParticipationError) -> Response {
    let questionnaire = outline.questionnaire
    return try database.participating(session) { transaction throws(ParticipationError) in
      let place: [String: Value] = [
        "enrolment": .text(enrolment), "occurrence": .text(occurrence.id),
        "questionnaire": .text(questionnaire.url),
      ]
      if let row = try transaction.rows(ResponseStatements.find, place).first {
        return try Self.read(row, outline, transaction)
      }
      guard occurrence.isOpen(at: session.now) else {
        throw .outsideWindow(
          opens: occurrence.opens, closes: occurrence.closes, zone: occurrence.zoneName, now: session.now)
      }
      let begun = try transaction.run(
        ResponseStatements.insert,
        place.merging([
          "id": .text(id), "version": .text(questionnaire.version),
          "opens": .integer(occurrence.opens.milliseconds),
          "closes": .integer(occurrence.closes.milliseconds),
          "zone": .text(occurrence.zoneName), "under": .text(version),
        ]) { $1 })
      guard let row = try transaction.rows(ResponseStatements.find, place).first else {
        throw try ResponseStatements.refusal(
          of: enrolment, asking: version.isEmpty ? nil : version, transaction)
      }
      return try Self.read(row, outline, isNew: begun == 1, transaction)
    }
  }

  /// Reads a response again, with what another program has answered meanwhile.
  public func reload(_ response: inout Response, _ session: Session) throws(ParticipationError) {
    let present = response
    response = try database.participating(session) { transaction throws(ParticipationError) in
      try Self.read(present, transaction)
    }
  }

  /// Everything begun in an enrolment, the first first.
  ///
  /// - Parameter outline: The questionnaire of a URL in a version of the study, by its ``StudyVersion/sha256``; nil where it has not such a one.
  public func all(
    of enrolment: String, _ session: Session, outline: (_ url: String, _ version: String) -> Outline?
  ) throws(ParticipationError) -> [Response] {
    try database.participating(session) { transaction throws(ParticipationError) in
      var result: [Response] = []
      for row in try transaction.rows(ResponseStatements.list, ["enrolment": .text(enrolment)]) {
        guard let url = row["questionnaire"]?.text,
          let outline = outline(url, row["study_version"]?.text ?? "")
        else {
          throw .unreadable(
            "answers to \(row["questionnaire"]?.text ?? "nothing"), which this study does not have")
        }
        result.append(try Self.read(row, outline, transaction))
      }
      return result
    }
  }

  /// A response again, as the database has it.
  private static func read(
    _ response: Response, _ transaction: ParticipationTransaction
  ) throws(ParticipationError) -> Response {
    let place: [String: Value] = [
      "enrolment": .text(response.enrolment), "occurrence": .text(response.occurrence),
      "questionnaire": .text(response.outline.questionnaire.url),
    ]
    guard let row = try transaction.rows(ResponseStatements.find, place).first else {
      throw .unknown("response \(response.id) of yours")
    }
    return try read(row, response.outline, transaction)
  }

  /// - Parameter isNew: True for one that was begun in this transaction: there is nothing to read of it yet.
  private static func read(
    _ row: Row, _ outline: Outline, isNew: Bool = false, _ transaction: ParticipationTransaction
  ) throws(ParticipationError) -> Response {
    guard let id = row["id"]?.text, let enrolment = row["enrolment"]?.text,
      let occurrence = row["occurrence"]?.text, let version = row["version"]?.text,
      let opens = row["opens"]?.integer, let closes = row["closes"]?.integer, let zone = row["zone"]?.text,
      let begun = row["begun"]?.integer
    else { throw .unreadable("a response") }
    guard version == outline.questionnaire.version else {
      throw .pastVersion(found: outline.questionnaire.version, expected: version)
    }
    func rows(_ statement: Statement) throws(ParticipationError) -> [Row] {
      isNew ? [] : try transaction.rows(statement, ["response": .text(id)])
    }
    let sheet = try AnswerSheet(
      answers: rows(ResponseStatements.answers), repetitions: rows(ResponseStatements.repetitions),
      of: outline)
    let passed = try AnswerSheet.counts(rows(ResponseStatements.passed))
    return Response(
      id: id, enrolment: enrolment, occurrence: occurrence, opens: Instant(milliseconds: opens),
      closes: Instant(milliseconds: closes), zone: zone, begun: Instant(milliseconds: begun),
      completed: (row["completed"]?.integer).map { Instant(milliseconds: $0) },
      studyVersion: row["study_version"]?.text ?? "", outline: outline, passed: passed, sheet: sheet)
  }

  // MARK: - Steps

  /// Keeps an answer. When it returns, the answer is on the disk; when it throws, nothing has changed.
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
    let parameters: [String: Value] = [
      "response": .text(response.id), "item": .text(key.item), "repetition": .text(key.repetitionText),
      "value": .text(value.fhirAnswers(to: item).minified),
      "shown": .integer(min(response.sheet.shown(key) ?? session.now, session.now).milliseconds),
      "took": took.map { .integer($0) } ?? .null,
      "known": .integer(response.sheet.answers[key]?.changes ?? -1),
    ]
    if isAlarming {
      try raise(parameters, key, of: response, session)
    } else {
      try step(ResponseStatements.answer, parameters, key, of: response, session)
    }
    response.sheet.set(value, for: key, at: session.now, took: took)
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

  /// Keeps that a repeated group has not another repetition after the present ones.
  public func endGroup(
    _ key: AnswerKey, in response: inout Response, _ session: Session
  ) throws(ParticipationError) {
    guard case .group(.some)? = response.outline.item(key.item)?.kind, response.display.isShown(key) else {
      throw .answer(
        AnswerRefusal(
          item: key.item, found: "the end of its repetitions", expected: "a repeated group that is shown"))
    }
    try pass(key, response.display.repetitions(of: key), in: &response, session)
  }

  private func pass(
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

  /// Keeps how often a repeated group is answered.
  ///
  /// - Throws: ``ParticipationError/changedElsewhere(_:)`` where another program has changed the number meanwhile,
  ///   or has answered where a smaller one is to be kept, and others.
  public func repeatGroup(
    _ key: AnswerKey, _ count: Int, in response: inout Response, _ session: Session
  ) throws(ParticipationError) {
    guard case .group(let most?)? = response.outline.item(key.item)?.kind, response.display.isShown(key),
      1...max(1, most) ~= count
    else {
      throw .answer(
        AnswerRefusal(
          item: key.item, found: "\(count) repetitions",
          expected: "a repeated group that is shown, within its limit"))
    }
    let known = response.display.repetitions(of: key)
    let parameters: [String: Value] = [
      "response": .text(response.id), "item": .text(key.item), "repetition": .text(key.repetitionText),
      "count": .integer(count), "known": .integer(known),
    ]
    var next = response
    next.sheet.repeatGroup(key, count)
    if count < known {
      next.passed = try shorten(key, count, parameters, of: response, leadingTo: next, session)
    } else {
      try step(ResponseStatements.repeatGroup, parameters, key, of: response, session)
    }
    response = next
  }

  /// Keeps a smaller number of repetitions. What was passed in those that are taken back is asked again where they
  /// come again.
  ///
  /// - Returns: ``Response/passed`` by then.
  private func shorten(
    _ key: AnswerKey, _ count: Int, _ parameters: [String: Value], of response: Response,
    leadingTo next: Response, _ session: Session
  ) throws(ParticipationError) -> [AnswerKey: Int] {
    try database.participating(session) { transaction throws(ParticipationError) in
      var passed = try Self.step(
        ResponseStatements.repeatGroup, parameters, key, of: response, leadingTo: next, session, transaction
      ).passed
      for place in passed.keys where response.outline.isPlace(place, in: key, from: count) {
        let parameters: [String: Value] = [
          "response": .text(response.id), "item": .text(place.item),
          "repetition": .text(place.repetitionText), "count": .integer(Response.notPassed),
        ]
        guard try !transaction.rows(ResponseStatements.pass, parameters).isEmpty else {
          throw try ResponseStatements.refusal(to: response, session, transaction)
        }
        passed[place] = Response.notPassed
      }
      return passed
    }
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

  /// One statement that gives a value where the response may be changed; otherwise the reason is found.
  private func step(
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
  private static func step(
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
