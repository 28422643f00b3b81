import Procedures

extension ProcedureStep {
  /// The answer that a key is to this step; nil: none.
  ///
  /// - Parameter after: Time from the beginning of a tone that is to be detected, or from the end of the last sound, s.
  func answer(of key: ProcedureKey, after: Double) -> ProcedureAnswer? {
    let value = key.value ?? .nan
    return switch (question, key.name) {
    case (.detection, .heard): .heard(after: max(0, after))
    case (.adjustment, .turn) where LoudnessAdjustment.steps.contains(abs(value)): .turn(value)
    case (.adjustment, .accept): .accept
    case (.comparison, .first): .first
    case (.comparison, .second): .second
    case (.presence, .present): .present
    case (.presence, .absent): .absent
    case (.balance, .softer): .softer
    case (.balance, .louder): .louder
    case (.balance, .equal): .equal
    case (.likeness, .rate) where (0...100).contains(value): .rate(value, after: max(0, after))
    case (.rating, .rate) where (0...200).contains(value): .rate(value, after: max(0, after))
    default: nil
    }
  }

  /// True of a key whose answer is about the step's sounds. A turn asks for another level, whatever this one is like; of a tone that is to be
  /// detected the time of the key is compared.
  fileprivate func isAboutSound(_ key: ProcedureKey) -> Bool {
    switch question {
    case .adjustment: key.name != .turn
    case .comparison, .presence, .balance, .likeness: true
    case .detection, .rating, .listening: false
    }
  }

  /// True of a step whose sound answers make louder or softer.
  var isTurned: Bool {
    switch question {
    case .adjustment, .balance, .presence: true
    case .detection, .comparison, .rating, .likeness, .listening: false
    }
  }

  /// True of a step whose sounds may be asked for once more.
  var canRepeat: Bool {
    switch question {
    case .comparison, .balance, .likeness: true
    case .detection, .adjustment, .presence, .rating, .listening: false
    }
  }
}

/// The step whose sounds have begun, so that it may be answered: a key that is pressed twice, or held down, would otherwise answer trials that
/// nobody has heard.
struct SoundedStep {
  /// Nil: none has. A step that is begun anew has another number.
  private var number: Int?

  /// Notes how far a sound has come.
  ///
  /// - Parameters:
  ///   - frames: Frames that were played.
  ///   - cue: Place among the step's sounds, from 0; with the last one all have begun.
  ///   - onset: Frame at which the sound begins.
  mutating func note(_ frames: Int, of cue: Int, in step: ProcedureStep, onset: Int) {
    if cue == step.cues.count - 1, frames >= onset { number = step.number }
  }

  /// True of a key that needs no sound, and of every key once the last sound of the step has begun, also while the step is repeated.
  func allows(_ key: ProcedureKey, in step: ProcedureStep) -> Bool {
    !step.isAboutSound(key) || number == step.number
  }
}
