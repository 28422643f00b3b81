import Instruments
import Questionnaires

/// Questions of a study about self-harm: an answer above 0 leads to the help page, whatever the score, and alerts the study's contact.
public struct SelfHarmWatch: Sendable, Hashable {
  /// Ids of the questions.
  public let questions: Set<String>

  public init(_ study: Study) {
    questions = Set(
      study.instruments.filter { $0.id == Instrument.phq9.id }.flatMap {
        $0.source(of: Instrument.selfHarmItem).questions
      })
  }

  /// True for an answer that must not wait.
  ///
  /// An option without points counts as well, unless it is the one of code 0: nobody is passed over because a file lacks a number.
  public func isAlarming(_ value: AnswerValue, to item: Item) -> Bool {
    guard questions.contains(item.id) else { return false }
    return value.points(in: item).map { $0 > 0 } ?? (value != .choice("0"))
  }
}
