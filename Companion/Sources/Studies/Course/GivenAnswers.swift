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
  /// By question: all answers of the questionnaire with the one given last, which are several in a repeated
  /// group; hidden ones left out.
  let lists: [String: [AnswerValue]]
  /// Answers by occurrence and questionnaire.
  private let given: [Place: GivenAnswers]

  struct Place: Hashable {
    let occurrence: String
    let questionnaire: String
  }

  init(_ all: [GivenAnswers], _ content: StudyContent) {
    given = Dictionary(uniqueKeysWithValues: Self.counting(all, content).map { ($0.place, $0.given) })
    var (latest, lists): ([String: AnswerSheet.Answer], [String: [AnswerValue]]) = ([:], [:])
    for answers in all {
      guard let outline = answers.outline(in: content) else { continue }
      var (own, last): ([String: [AnswerValue]], Set<String>) = ([:], [])
      for (key, answer) in Display(outline, answers.sheet).submitted {
        own[key.item, default: []].append(answer.value)
        guard latest[key.item].map({ $0.answered <= answer.answered }) ?? true else { continue }
        latest[key.item] = answer
        last.insert(key.item)
      }
      for item in last { lists[item] = own[item] }
    }
    values = latest.mapValues(\.value)
    self.lists = lists
  }

  /// Of some answers those that count, in their order: one for each questionnaire of an occurrence, also where it
  /// was begun twice, under two URLs.
  static func counting(
    _ all: [GivenAnswers], _ content: StudyContent
  ) -> [(place: Place, given: GivenAnswers)] {
    var chosen: [Place: Int] = [:]
    for (number, given) in all.enumerated() {
      let place = Place(occurrence: given.occurrence, questionnaire: content.url(of: given))
      if let former = chosen[place], !given.replaces(all[former]) { continue }
      chosen[place] = number
    }
    return chosen.sorted { $0.value < $1.value }.map { ($0.key, all[$0.value]) }
  }

  subscript(occurrence: String, outline: Outline) -> GivenAnswers? {
    given[Place(occurrence: occurrence, questionnaire: outline.questionnaire.url)]
  }
}

extension GivenAnswers {
  /// True where these count in the place of others that were begun before at the same occurrence: what is
  /// complete is not asked again, and the more answers of two are not lost.
  fileprivate func replaces(_ former: GivenAnswers) -> Bool {
    guard isCompleted == former.isCompleted else { return isCompleted }
    return sheet.answers.count >= former.sheet.answers.count
  }
}
