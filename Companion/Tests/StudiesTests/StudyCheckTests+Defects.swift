import Almanac
import Base
import Instruments
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

  static let timeDefects: [Defect] = [
    Defect(.unreachable, "error: study.json, tasks[0].schedule: it is never due") {
      $0.study.tasks[0].schedule = schedule(.windows([]))
    },
    Defect(.unreachable, "error: study.json, tasks[0].schedule: it is never due") {
      let times = Recurrence.Times.windows([window("04:00", "04:00")])
      $0.study.tasks[0].schedule.rule = .recurring(Recurrence(days: .numbered([10]), times: times))
    },
    Defect(
      .unreachable,
      "error: study.json, tasks[0].schedule: no program here raises \"waking\", so that it is never due; state"
    ) {
      $0.study.tasks[0].schedule = StudySchedule(days: 10, .after("waking", delay: 600, openFor: 7200))
    },
    Defect(
      .vanished, "error: study.json, tasks[0].schedule: number 1 of 2027-03-28 in Europe/Berlin has no time"
    ) {
      $0.study.tasks[0].schedule = schedule(.windows([window("02:00", "03:00")]))
    },
    Defect(
      .vanished, "error: study.json, tasks[0].schedule: number 1 of 2027-03-28 in Europe/Berlin has no time"
    ) {
      // Three of 20 minutes and two gaps of 30 need two hours, and that night has one.
      $0.study.tasks[0].schedule = StudySchedule(
        days: 10,
        .recurring(
          Recurrence(
            days: .every(1), times: .drawn(3, within: window("01:00", "03:00"), apart: 1800, openFor: 1200))
        ))
    },
    Defect(
      .overlap,
      "error: study.json, tasks[0].schedule: number 2 of 2027-03-28 in Europe/Berlin opens before the one before it closes"
    ) {
      // Two hours on the wall are one hour on that day.
      $0.study.tasks[0].schedule = schedule(
        .at([Samples.time("01:30"), Samples.time("03:30")], openFor: 7200))
    },
    Defect(.overlap, "error: study.json, tasks[0].schedule: number 2 of") {
      $0.study.tasks[0].schedule = schedule(.windows([window("09:00", "12:00"), window("11:59", "13:00")]))
    },
    Defect(.overlap, "error: study.json, tasks[0].schedule: number 2 of") {
      $0.study.tasks[0].schedule = StudySchedule(
        days: 10, .interval(seconds: 3600, from: .noon, openFor: 3601))
      $0.study.tasks[0].minutes = 0.1
    },
    Defect(.days, "error: study.json, tasks[0].schedule: it goes on to day 11 of a study of 10 days") {
      $0.study.tasks[0].schedule.firstDay = 2
    },
    Defect(.days, "error: study.json, days[0]: it is day 11 of a study of 10 days") {
      $0.study.days[0].number = 11
    },
    Defect(
      .days,
      "warning: study.json, days[0].minutes: people are told 3.0 minutes, and its tasks and modules take 2.0"
    ) {
      $0.study.days[0].minutes = 3
    },
    Defect(.days, "error: study.json, modules: \"phq-9\" takes 9.5 minutes, and a day has 9.0 left") {
      $0.study.modules[1].minutes = 9.5
    },
    Defect(.days, "warning: study.json, filling: when all gateways are open, phq-9 find no day") {
      $0.study.filling?.days = 2...2
      $0.study.modules[0].minutes = 7
      $0.study.days[0].minutes = 8
      $0.study.gateways.append(
        Gateway("more", when: [Condition("log.quality", .lessOrEqual, .number(2))], modules: ["more"]))
      $0.study.modules.append(
        StudyModule(
          "more", Samples.both("More"), questionnaire: "habits", pillar: "sleep", .expansion, minutes: 7,
          priority: 1))
    },
    Defect(.days, "error: study.json, filling.to: it is day 11 of a study of 10 days") {
      $0.study.filling?.days = 2...11
    },
    Defect(
      .measurement,
      "error: study.json, tasks[0].measurement: no program here measures reaction-time 1; name one of hearing-test 1, loudness-match 1, pitch-match 1"
    ) {
      $0.study.tasks[0].work = .measurement(TaskKind.Key("reaction-time", version: 1), settings: [:])
      $0.study.gateways = []
      $0.study.filling = nil
    },
    Defect(
      .safety,
      "error: study.json, instruments[0].items.9: the item on self-harm follows from conditions, which nobody watches"
    ) {
      $0.study.instruments[0].items["9"] = .conditions([Condition("phq-9.1", .equal, .choice("1"))], .all)
    },
    Defect(.measurement, "error: study.json, tasks[0].measurement.settings: quiet-windows is not stated") {
      $0.study.tasks[0].work = .measurement(TaskKind.loudnessMatch.key, settings: ["trials": 3])
    },
    Defect(.measurement, "error: study.json, tasks[0].measurement.settings.trials: 50.0 is out of range") {
      $0.study.tasks[0].work = .measurement(TaskKind.loudnessMatch.key, settings: ["trials": 50])
    },
    Defect(
      .measurement,
      "error: study.json, tasks[0].measurement.settings.colour: loudness-match 1 has no such setting"
    ) {
      $0.study.tasks[0].work = .measurement(TaskKind.loudnessMatch.key, settings: ["colour": 1])
    },
    Defect(
      .measurement,
      "warning: study.json, tasks[0].measurement.settings.quiet-windows: the aid's own command does not measure with 12: the task stays due there; state 5"
    ) {
      $0.study.tasks[0].work = .measurement(
        TaskKind.hearingTest.key,
        settings: ["bayesian": 1, "quiet-below-dba": 40, "quiet-windows": 12, "allows-relative-level": 0])
      $0.study.gateways = []
      $0.study.filling = nil
    },
  ]

  static let licenceDefects: [Defect] = [
    Defect(
      .licence,
      "warning: study.json, instruments[2]: Insomnia Severity Index is not asked, because its text is not in the bundle: its module is left out"
    ) {
      $0.add("isi", licence: nil, hasText: false)
    },
    Defect(
      .licence,
      "warning: study.json, instruments[2]: Insomnia Severity Index is not asked, because its makers' permission is needed, and the study names no licence: habits takes its place"
    ) {
      $0.add("isi", licence: nil, hasText: true, substitute: "habits")
    },
    Defect(
      .licence,
      "warning: study.json, instruments[2]: Insomnia Severity Index is not asked, because its licence ended on 2026-11-26"
    ) {
      $0.add(
        "isi", licence: SiteLicence(holder: "U", number: "7", expires: CalendarDate("2026-11-26")),
        hasText: true)
    },
    Defect(
      .licence,
      "error: study.json, instruments[2]: nonsense is not asked, because its rules are not known here"
    ) {
      $0.add("nonsense", licence: nil, hasText: true)
    },
    Defect(
      .licence,
      "error: study.json, instruments[2]: Insomnia Severity Index is not asked, because its makers' permission is needed, and the study names no licence: it is asked by a task"
    ) {
      $0.add("isi", licence: nil, hasText: true)
      $0.study.tasks[0].work = .questionnaire("isi")
    },
    Defect(
      .safety,
      "warning: study.json, instruments[0]: PHQ-9 is not asked, because it asks about self-harm, and the study has no contact who can be reached and answers within stated hours, or no help page: phq-8 takes its place"
    ) {
      $0.study.contact = nil
    },
    Defect(
      .safety, "error: study.json, instruments[0]: PHQ-9 is not asked, because it asks about self-harm"
    ) {
      $0.study.contact?.answersWithin = nil
      $0.study.modules[1].substitute = nil
    },
    Defect(
      .safety, "error: study.json, instruments[0]: PHQ-9 is not asked, because it asks about self-harm"
    ) {
      $0.study.helpText = nil
      $0.study.modules[1].substitute = nil
    },
    Defect(
      .dictionary,
      "error: questionnaires/habits.json, habits.coffee: its answers have no column in the dictionary"
    ) {
      $0.study.dictionary.removeAll { $0.item == "habits.coffee" }
    },
    Defect(.dictionary, "error: study.json, dictionary[0]: \"Age\" is no name of a column") {
      $0.study.dictionary[0].column = "Age"
    },
    Defect(.dictionary, "error: study.json, dictionary[21]: there is no question \"nothing\"") {
      $0.study.dictionary.append(DictionaryEntry("nothing", item: "nothing"))
    },
  ]

  static let defects = questionnaireDefects + nameDefects + timeDefects + licenceDefects
}
