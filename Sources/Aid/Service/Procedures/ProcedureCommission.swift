import Acoustics
import Base
import Procedures

/// Everything that a procedure is begun with.
struct ProcedureCommission: Sendable, Equatable {
  enum Task: Sendable, Equatable {
    case new(ProcedureOrder)
    /// A record that was left.
    case resume(String)
  }

  let task: Task
  let earphones: OutputCalibration
  let microphones: InputCalibration
  /// Loudest sound in the ear whatever is asked for.
  let limit: SoundPressureLevel
  /// Earphones in use, by everything that tells which they are.
  let found: FoundEarphone
  /// Loudest tone of a hearing test, dB HL: an audiologist's is louder than a wearer's.
  var highest = HearingLevel(ProcedureOrder.usualHighest)

  /// False: a record that is gone on with whose room is not listened to any longer.
  var hearsRoom = true

  /// Name for sentences.
  var name: String {
    switch task {
    case .new(let order): order.name.words
    case .resume: "procedure"
    }
  }
}

/// News of a procedure from the thread that carries it out.
enum ProcedureNews: Sendable {
  /// For its caller.
  case notice(ProcedureNotice)
  /// Earphones with which alone it may go on, as its record has them.
  case allowance(EarphoneAllowance)
  /// Nothing of it sounds any more; nil: it has its result.
  case ended(Failure?)
}
