import Base
import Records

extension Failure {
  /// Runs a body whose refusals become a failure.
  public static func participating<Outcome>(
    _ subject: String, _ body: () throws(ParticipationError) -> Outcome
  ) throws(Failure) -> Outcome {
    do throws(ParticipationError) { return try body() } catch {
      throw Failure(error.subject(subject), inWords: "\(error)", exit: error.exitStatus)
    }
  }
}

extension ParticipationError {
  /// Subject of its failure: of one such as "not saved" that nobody knows "perhaps not saved".
  func subject(_ words: String) -> String {
    isUnanswered && words.hasPrefix("not ") ? "perhaps " + words : words
  }

  /// True where nobody knows what became of a change.
  var isUnanswered: Bool { if case .storage(.unanswered) = self { true } else { false } }

  /// Status with which a command ends that met it.
  public var exitStatus: ExitStatus {
    switch self {
    case .answer, .incomplete, .pastVersion, .otherContent: .badData
    case .outsideWindow, .otherEdition, .changedElsewhere: .temporary
    case .completed, .ended, .measured, .over: .no
    case .unknown: .noInput
    case .unreadable: .badData
    case .storage(let error): error.exitStatus
    }
  }
}
