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
