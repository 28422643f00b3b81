import Questionnaires

/// A study with its questionnaires taken apart, as it runs.
///
/// - Threads: any.
public struct StudyContent: Sendable {
  public let study: Study
  /// By ``QuestionnaireFile/id``.
  public let outlines: [String: Outline]
  /// Every question by its id, which is unique in the study.
  public let questions: [String: Item]

  public init(_ study: Study, outlines: [String: Outline]) {
    (self.study, self.outlines) = (study, outlines)
    questions = Dictionary(
      study.questionnaires.compactMap { outlines[$0.id] }.flatMap { outline in
        outline.questionnaire.allItems.map { ($0.id, $0) }
      }
    ) { first, _ in first }
  }

  /// The outline of a questionnaire's URL; nil for one that the study does not have.
  public func outline(url: String) -> Outline? { outlines.values.first { $0.questionnaire.url == url } }
}
