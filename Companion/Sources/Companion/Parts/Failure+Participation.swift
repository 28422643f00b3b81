import Base
import Records

extension Failure {
  /// Runs a body whose refusals become a failure.
  ///
  /// - Parameter commands: Those that show whether a change was saved whose reply was lost.
  public static func participating<Outcome>(
    _ subject: String, seeing commands: String = Self.ownCommands,
    _ body: () throws(ParticipationError) -> Outcome
  ) throws(Failure) -> Outcome {
    do throws(ParticipationError) { return try body() } catch {
      throw Failure(subject, error, seeing: commands)
    }
  }

  /// Commands that show whether a person's own change was saved.
  public static let ownCommands = "auricle study list, auricle q next"

  /// - Parameter commands: As of ``participating(_:seeing:_:)``.
  init(_ subject: String, _ error: ParticipationError, seeing commands: String = Self.ownCommands) {
    let isUnknown = error.isUnanswered
    self.init(
      isUnknown && subject.hasPrefix("not ") ? "perhaps " + subject : subject, inWords: "\(error)",
      remedy: isUnknown ? "Look before you repeat it: \(commands)" : nil, exit: error.exitStatus)
  }
}

extension ParticipationError {
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
