import Almanac
import Questionnaires
import Testing

@testable import Studies

/// Defects that are planted into a sound study, one at a time.
extension StudyCheckTests {
  /// A defect, and the line that says it.
  struct Defect: Sendable, CustomTestStringConvertible {
    let kind: StudyFinding.Kind
    let line: String
    let plant: @Sendable (inout SoundStudy) -> Void

    init(_ kind: StudyFinding.Kind, _ line: String, _ plant: @escaping @Sendable (inout SoundStudy) -> Void)
    {
      (self.kind, self.line, self.plant) = (kind, line, plant)
    }

    var testDescription: String { line }
  }

  static func schedule(_ times: Recurrence.Times) -> StudySchedule {
    StudySchedule(days: 10, .recurring(Recurrence(times: times)))
  }

  static func window(_ opens: String, _ closes: String) -> LocalWindow {
    LocalWindow(Samples.time(opens), Samples.time(closes))
  }

  static func item(_ id: String, when conditions: [Condition] = [], isRequired: Bool = false) -> Item {
    Item(id, Samples.both(id), .yesNo, isRequired: isRequired, when: conditions)
  }

  static let defects: [Defect] =
    questionnaireDefects + nameDefects + timeDefects + measurementDefects + licenceDefects

  static let questionnaireDefects: [Defect] = [
    Defect(.unreachable, "error: questionnaires/log.json, log.why: no answers lead to it") {
      $0.questionnaires["log"]?.items[1].conditions.append(Condition("log.quality", .greater, .number(8)))
    },
    Defect(
      .requiredButHidden,
      "error: questionnaires/log.json, log.why: it must be answered, and no answers lead to it"
    ) {
      $0.questionnaires["log"]?.items[1].conditions.append(Condition("log.quality", .greater, .number(8)))
      $0.questionnaires["log"]?.items[1].isRequired = true
    },
    Defect(
      .structure,
      "error: questionnaires/habits.json, habits.coffee: whether \"habits.coffee\" is shown depends on itself"
    ) {
      $0.questionnaires["habits"]?.items = [
        item("habits.coffee", when: [Condition("habits.tea", .equal, .yes(true))]),
        item("habits.tea", when: [Condition("habits.coffee", .equal, .yes(true))]),
      ]
      $0.study.dictionary.append(DictionaryEntry("habits_tea", item: "habits.tea"))
    },
    Defect(.condition, "error: questionnaires/log.json, log.why: the number 11 is never an answer") {
      $0.questionnaires["log"]?.items[1].conditions = [Condition("log.quality", .notEqual, .number(11))]
    },
    Defect(.question, "error: questionnaires/log.json, log.quality: its numbers end before they begin") {
      $0.questionnaires["log"]?.items[0].kind = .scale(NumberRange(10, 1, step: 1))
    },
    Defect(.untranslated, "error: questionnaires/habits.json, habits.coffee: \"Coffee?\" has no text in de")
    {
      $0.questionnaires["habits"]?.items[0].text = "Coffee?"
    },
    Defect(
      .repeated,
      "error: questionnaires/habits.json, age: questionnaires/eligibility.json has an item of the same id"
    ) {
      $0.questionnaires["habits"]?.items.append(item("age"))
    },
    Defect(
      .repeated,
      "error: questionnaires/habits.json, url: questionnaires/log.json has the same url urn:example:log"
    ) {
      $0.questionnaires["habits"]?.url = "urn:example:log"
    },
  ]
}
