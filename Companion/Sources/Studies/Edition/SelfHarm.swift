import Instruments
import Questionnaires

extension StudyBundle {
  /// Questions of the study on self-harm: those of PHQ-9's ninth item.
  public var selfHarmQuestions: [String] {
    study.instruments.filter { $0.id == Instrument.phq9.id }.flatMap {
      $0.source(of: Instrument.selfHarmItem).questions
    }
  }

  /// True for an answer that makes the help page the next step and alerts the contact, whatever the score is.
  ///
  /// An option without points counts as well, unless it is the one of code 0: nobody is passed over because a file lacks a number.
  public func needsHelp(after value: AnswerValue, to question: String) -> Bool {
    guard selfHarmQuestions.contains(question) else { return false }
    switch value {
    case .number(let number): return number > 0
    case .yes(let yes): return yes
    case .choices(let codes, let other):
      guard codes.count == 1, other == nil, case .single(let options, _)? = items[question]?.kind else {
        return true
      }
      return options.first { $0.code == codes[0] }?.points.map { $0 > 0 } ?? (codes[0] != "0")
    default: return true
    }
  }
}
