import Questionnaires

/// A study with its questionnaires taken apart, as it runs.
///
/// - Threads: any.
public struct StudyContent: Sendable {
  /// Modules as they may be asked.
  public let edition: StudyEdition
  /// By ``QuestionnaireFile/id``.
  public let outlines: [String: Outline]
  /// Every question by its id, which is unique in the study.
  public let questions: [String: Item]

  /// - Throws: ``BundleError`` for a questionnaire that is asked and is not there, or cannot be shown.
  public init(_ edition: StudyEdition) throws(BundleError) {
    let study = edition.bundle.study
    // The text of an instrument that may not be asked may be missing.
    let needed = Set(
      study.tasks.compactMap { if case .questionnaire(let id) = $0.work { id } else { nil } }
        + edition.modules(study.modules.map(\.id)).map(\.questionnaire)
        + [study.eligibility.questionnaire].compactMap(\.self))
    var outlines: [String: Outline] = [:]
    for entry in study.questionnaires {
      guard let questionnaire = edition.bundle.questionnaires[entry.id] else {
        guard needed.contains(entry.id) else { continue }
        throw BundleError(
          entry.file, found: "no such file", expected: "a questionnaire", remedy: "see: auricle study check"
        )
      }
      do throws(Outline.Fault) { outlines[entry.id] = try Outline(questionnaire) } catch {
        throw BundleError(
          entry.file, found: "\(error)", expected: "a questionnaire that can be shown",
          remedy: "see: auricle study check")
      }
    }
    (self.edition, self.outlines) = (edition, outlines)
    questions = Dictionary(
      study.questionnaires.compactMap { outlines[$0.id] }.flatMap { outline in
        outline.questionnaire.allItems.map { ($0.id, $0) }
      }
    ) { first, _ in first }
  }

  public var study: Study { edition.bundle.study }

  /// The outline of a questionnaire's URL; nil for one that the study does not have.
  public func outline(url: String) -> Outline? { outlines.values.first { $0.questionnaire.url == url } }

  /// ``QuestionnaireFile/id`` of a questionnaire's URL; nil for one that the study does not have.
  public func file(url: String) -> String? { outlines.first { $0.value.questionnaire.url == url }?.key }

  /// URL of the questionnaire that some answers belong to, in this version of the study.
  ///
  /// It is the one under which they were begun, and otherwise that of the questionnaire with the same id, where
  /// it asks the same: editions that gave it another one were taken before they were refused.
  func url(of given: GivenAnswers) -> String {
    guard let file = given.file, outline(url: given.questionnaire) == nil, let present = outlines[file],
      let former = given.outline, former.asksMost(of: present.questionIDs)
    else { return given.questionnaire }
    return present.questionnaire.url
  }
}

extension Outline {
  /// Every question's id.
  fileprivate var questionIDs: Set<String> {
    Set(questionnaire.allItems.filter(\.kind.isQuestion).map(\.id))
  }

  /// True where it asks more than half of some questions: single ones may have been moved from questionnaire to
  /// questionnaire.
  func asksMost(of questions: Set<String>) -> Bool {
    let found = questions.count { item($0) != nil }
    return 2 * found > questions.count
  }
}
