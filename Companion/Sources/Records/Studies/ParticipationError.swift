import Almanac
import Questionnaires

/// A step of somebody's part in a study that is not taken. Nothing is changed then.
public enum ParticipationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The answer does not answer this question, or the question is not shown.
  case answer(AnswerRefusal)
  /// The questionnaire is not open now.
  case outsideWindow(opens: Instant, closes: Instant, zone: String, now: Instant)
  /// The response was completed before.
  case completed(Instant)
  /// The part in the study has ended.
  case ended(Instant)
  /// The measurement has a result already.
  case measured(Instant)
  /// The measurement has ended.
  case over(String)
  /// Another program has answered the question, or changed the number of a group's repetitions, meanwhile; of
  /// a questionnaire to be completed its URL.
  case changedElsewhere(String)
  /// Required questions that are shown and have no answer.
  case incomplete([String])
  /// The response belongs to a questionnaire of another version than the one that asks.
  case pastVersion(found: String, expected: String)
  /// The same version of a study was published with other content.
  case otherContent(study: String, version: String, kept: String)
  /// The part has another version of its study than the one that asks; SHA-256 of both.
  case otherEdition(found: String, expected: String)
  /// There is no such thing, or it is somebody else's.
  case unknown(String)
  /// A row that is kept cannot be read.
  case unreadable(String)
  /// The database did not do it.
  case storage(StorageError)

  public var description: String {
    switch self {
    case .answer(let refusal): "\(refusal)"
    case .outsideWindow(let opens, let closes, let zone, let now):
      now < opens
        ? "found \(now), before it opens; expected \(opens) or later (\(zone))"
        : "found \(now), after it closed; expected before \(closes) (\(zone))"
    case .completed(let moment):
      "the questionnaire was completed at \(moment); its answers are not changed any more"
    case .ended(let moment): "the part in this study ended at \(moment)"
    case .measured(let moment):
      "this was measured already, which was kept at \(moment); it is not changed any more"
    case .over(let run): "the measurement \(run) has ended; begin another one"
    case .changedElsewhere(let item):
      "\(item): another program has answered it meanwhile, and nothing was changed; look at that answer first"
    case .incomplete(let items): "not complete: no answer to \(items.joined(separator: ", "))"
    case .pastVersion(let found, let expected):
      "found answers to version \(found) of the questionnaire, expected \(expected), with which it was begun"
    case .otherContent(let study, let version, let kept):
      "version \(version) of \(study) is kept with other content (\(kept.prefix(12))…); give changed content a version of its own"
    case .otherEdition(let found, let expected):
      "the part has version \(found.prefix(12))… of its study by now, expected \(expected.prefix(12))…; look again"
    case .unknown(let thing): "there is no \(thing)"
    case .unreadable(let reason):
      "what is kept cannot be read: \(reason); on a server, tell whoever runs the server; in a file of your own, correct the row, or put a copy of the database in its place"
    case .storage(let error): "\(error)"
    }
  }

  /// Runs a body whose errors are the database's.
  static func storing<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(ParticipationError) -> Result {
    do throws(StorageError) { return try body() } catch { throw .storage(error) }
  }
}

/// A transaction whose refusals are those of a participation.
struct ParticipationTransaction {
  let transaction: any Transaction

  func rows(_ statement: Statement, _ parameters: [String: Value]) throws(ParticipationError) -> [Row] {
    try ParticipationError.storing { () throws(StorageError) in try transaction.rows(statement, parameters)
    }
  }

  @discardableResult
  func run(_ statement: Statement, _ parameters: [String: Value]) throws(ParticipationError) -> Int {
    try ParticipationError.storing { () throws(StorageError) in try transaction.run(statement, parameters) }
  }
}

extension Database {
  /// Runs a body in one transaction; what it refuses is taken back as a whole.
  func participating<Result>(
    _ session: Session, _ body: (ParticipationTransaction) throws(ParticipationError) -> Result
  ) throws(ParticipationError) -> Result {
    try transaction(session) { transaction throws(ParticipationError) in
      try body(ParticipationTransaction(transaction: transaction))
    } failing: {
      ParticipationError.storage($0)
    }
  }
}
