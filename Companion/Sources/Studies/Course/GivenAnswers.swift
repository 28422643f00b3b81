import Almanac
import Questionnaires

/// Somebody's answers to a questionnaire of one occurrence.
public struct GivenAnswers: Sendable {
  /// ``Occurrence/id``.
  public let occurrence: String
  /// ``Questionnaire/url``.
  public let questionnaire: String
  /// ``QuestionnaireFile/id`` in the version of the study under which it was begun; nil: not known.
  public let file: String?
  public let sheet: AnswerSheet
  /// True when nothing of it is changed any more.
  public let isCompleted: Bool
  /// Questionnaire as it was asked, which may be one of a former version of the study; nil: the study's present one.
  public let outline: Outline?

  public init(
    occurrence: String, questionnaire: String, sheet: AnswerSheet, isCompleted: Bool,
    outline: Outline? = nil, file: String? = nil
  ) {
    (self.occurrence, self.questionnaire, self.file) = (occurrence, questionnaire, file)
    (self.sheet, self.isCompleted, self.outline) = (sheet, isCompleted, outline)
  }

  /// Questionnaire with which the answers are read; nil where there is no such one.
  public func outline(in content: StudyContent) -> Outline? {
    outline ?? content.outline(url: questionnaire)
  }
}

/// Everything that somebody has answered in a study, as its rules see it.
struct StudyAnswers {
  /// By question: the answer given last, hidden ones left out.
  let values: [String: AnswerValue]
  /// Answers by occurrence and questionnaire.
  private let given: [Place: GivenAnswers]

  struct Place: Hashable {
    let occurrence: String
    let questionnaire: String
  }

  init(_ all: [GivenAnswers], _ content: StudyContent) {
    given = Dictionary(
      all.map { (Place(occurrence: $0.occurrence, questionnaire: content.url(of: $0)), $0) }
    ) { former, next in
      // Begun twice at one occurrence, under two URLs: what is complete is not asked again.
      former.isCompleted && !next.isCompleted ? former : next
    }
    var latest: [String: AnswerSheet.Answer] = [:]
    for answers in all {
      guard let outline = answers.outline(in: content) else { continue }
      for (key, answer) in Display(outline, answers.sheet).submitted
      where latest[key.item].map({ $0.answered <= answer.answered }) ?? true {
        latest[key.item] = answer
      }
    }
    values = latest.mapValues(\.value)
  }

  subscript(occurrence: String, outline: Outline) -> GivenAnswers? {
    given[Place(occurrence: occurrence, questionnaire: outline.questionnaire.url)]
  }
}
