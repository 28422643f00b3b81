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

  /// True for an answer that must not wait. An answer that cannot be counted is one.
  public func isAlarming(_ value: AnswerValue, to item: Item) -> Bool {
    guard questions.contains(item.id) else { return false }
    return value.points(in: item).map { $0 > 0 } ?? true
  }
}
