import Almanac
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
  static func read(
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
}
