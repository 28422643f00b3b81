import Questionnaires

@testable import Studies

/// Names that lead nowhere or come twice, and texts that are missing.
extension StudyCheckTests {
  static let nameDefects: [Defect] = [
    Defect(.file, "error: study.json, questionnaires[2].file: there is no questionnaires/habits.json") {
      $0.questionnaires["habits"] = nil
    },
    Defect(.file, "warning: texts/en/more.md: study.json does not name it") {
      $0.texts["texts/en/more.md"] = "More"
    },
    Defect(.file, "error: study.json, texts[0].files.de: there is no texts/de/about.md") {
      $0.texts["texts/de/about.md"] = nil
    },
    Defect(.untranslated, "error: texts/de/about.md: the file is empty") {
      $0.texts["texts/de/about.md"] = " \n"
    },
    Defect(.untranslated, "error: study.json, texts[0].files.de: \"about\" has no file in de") {
      $0.study.texts[0].files["de"] = nil
    },
    Defect(.untranslated, "error: study.json, modules[0]: \"Habits\" has no text in de") {
      $0.study.modules[0].title = "Habits"
    },
    Defect(.incomplete, "error: study.json, institution: it is missing") { $0.study.institution = nil },
    Defect(.incomplete, "error: study.json, filling: it is missing, and gateways call for modules") {
      $0.study.filling = nil
    },
    Defect(.incomplete, "error: study.json, help-text: it is missing, and a criterion shows it") {
      $0.study.eligibility.inclusion[0].showsHelp = true
      $0.study.helpText = nil
    },
    // Also of a study with PHQ-9, which shows the page by itself.
    Defect(
      .safety,
      "warning: study.json, help-text: the page is shown after every exclusion, because no criterion states \"shows-help\""
    ) {
      $0.study.eligibility.exclusion = [
        .init("old", Samples.both("Old"), when: [Condition("age", .greater, .number(80))])
      ]
    },
    Defect(.repeated, "error: study.json, tasks[1]: \"log\" is given twice") {
      $0.study.tasks[1].id = "log"
    },
    Defect(.reference, "error: study.json, modules[0].pillar: there is no pillar \"food\"") {
      $0.study.modules[0].pillar = "food"
    },
    Defect(.reference, "error: study.json, days[0].modules[1]: there is no module \"tea\"") {
      $0.study.days[0].modules.append("tea")
    },
    Defect(.reference, "error: study.json, gateways[0].modules[1]: there is no module \"tea\"") {
      $0.study.gateways[0] = Gateway(
        "poor", when: $0.study.gateways[0].conditions, modules: ["phq-9", "tea"])
    },
    Defect(.reference, "error: study.json, gateways[0].enableWhen[0]: there is no question \"mood\"") {
      $0.study.gateways[0] = Gateway(
        "poor", when: [Condition("mood", .equal, .number(1))], modules: ["phq-9"])
    },
    Defect(
      .unreachable,
      "error: study.json, gateways[0].enableWhen[0]: \"phq-8.1\" is not asked of everybody before it decides"
    ) {
      $0.study.gateways[0] = Gateway(
        "poor", when: [Condition("phq-8.1", .equal, .choice("1"))], modules: ["phq-9"])
    },
    Defect(
      .unreachable,
      "error: study.json, gateways[0].enableWhen[0]: \"age\" is not asked of everybody before it decides; ask it in a daily task or in a day's own modules; answers to the eligibility are not kept"
    ) {
      $0.study.gateways[0] = Gateway(
        "poor", when: [Condition("age", .greaterOrEqual, .number(60))], modules: ["phq-9"])
    },
    Defect(
      .unreachable,
      "error: study.json, eligibility.inclusion[0].enableWhen[0]: \"log.quality\" is not asked of everybody before it decides; ask it in the questionnaire of the eligibility"
    ) {
      $0.study.eligibility = Eligibility(
        "eligibility",
        inclusion: [
          .init(
            "adult", Samples.both("Adult"), when: [Condition("log.quality", .greaterOrEqual, .number(3))])
        ])
    },
    Defect(
      .condition,
      "error: study.json, gateways[0].enableWhen[0]: no answer to \"log.quality\" is <= the number 0"
    ) {
      $0.study.gateways[0] = Gateway(
        "poor", when: [Condition("log.quality", .lessOrEqual, .number(0))], modules: ["phq-9"])
    },
    Defect(
      .reference, "error: study.json, instruments[0].items: there is no question \"phq-9.4\" for item 4"
    ) {
      $0.questionnaires["phq-9"]?.items.remove(at: 3)
      $0.study.dictionary.removeAll { $0.item == "phq-9.4" }
    },
    Defect(.reference, "error: study.json, derived[0].of[1]: \"log.why\" is no question for a number") {
      $0.study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["age", "log.why"])]
    },
    Defect(
      .dictionary, "error: study.json, derived[0]: \"bmi\" has no column with a text in the dictionary"
    ) {
      $0.study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["age", "age"])]
    },
    Defect(.unreachable, "warning: study.json, modules[0]: no day and no gateway asks \"habits\"") {
      $0.study.days[0].modules = []
      $0.study.days[0].minutes = 1
    },
  ]
}
