import Almanac
import Base
import Questionnaires

@testable import Studies

/// Studies of tests.
enum Samples {
  static func both(_ text: String) -> LocalizedText { LocalizedText(text, ["de": "\(text) (de)"]) }

  static func time(_ text: String) -> LocalTime {
    guard let time = LocalTime(text) else { preconditionFailure("a time") }
    return time
  }

  /// One of each rule that a schedule can have.
  static let schedules: [StudySchedule] = [
    StudySchedule(
      days: 15, .recurring(Recurrence(times: .windows([LocalWindow(time("04:00"), time("04:00"))])))),
    StudySchedule(
      from: 2, days: 7,
      .recurring(
        Recurrence(
          days: .weekdays([.monday, .sunday]), times: .at([time("09:00"), time("21:30:15")], openFor: 3600))
      )
    ),
    StudySchedule(
      from: 3, days: 5,
      .recurring(
        Recurrence(
          days: .numbered([0, 2, 4]),
          times: .drawn(4, within: LocalWindow(time("09:00"), time("21:00")), apart: 1800, openFor: 900)))),
    StudySchedule(days: 15, .interval(seconds: 28_800, from: time("08:00"), openFor: 1800)),
    StudySchedule(days: 15, .after("waking", delay: 600, openFor: 7200)),
  ]

  /// Everything that a study can have.
  static func full() -> Study {
    var study = Study(
      id: "urn:example:full", version: "1.2.0", kind: .site, languages: ["en", "de"], title: both("Title"))
    study.purpose = both("Purpose")
    study.institution = "A University"
    study.investigator = Person("Ada", email: "ada@example.org")
    study.contact = Contact(Person("Ben", email: "ben@example.org", phone: "+49 30 1"), answersWithin: 24)
    study.eligibility = Eligibility(
      "eligibility",
      inclusion: [
        Eligibility.Criterion(
          "adult", both("Adult"), when: [Condition("age", .greaterOrEqual, .number(18))], showsHelp: false)
      ],
      exclusion: [
        Eligibility.Criterion(
          "ill", both("Ill"),
          when: [Condition("fever", .equal, .yes(true)), Condition("flu", .equal, .dontKnow)], .any,
          showsHelp: true)
      ])
    study.commitment = Commitment(text: both("Twelve minutes a day"), minutesPerDay: 12)
    (study.dayCount, study.minimumCompliance) = (15, 0.8)
    study.dataTypes = [
      DataType("answers", both("Answers"), isRequired: true), DataType("sound", both("Sound")),
    ]
    study.questionnaires = [
      QuestionnaireFile("eligibility", file: "questionnaires/eligibility.json"),
      QuestionnaireFile("log", file: "questionnaires/log.json"),
    ]
    study.derived = [
      DerivedAnswer("bmi", .bodyMassIndex, of: ["height", "weight"]),
      DerivedAnswer("shift", .midSleepDifference, of: ["bed", "up", "free-bed", "free-up"]),
      DerivedAnswer("in-bed", .hoursInBed, of: ["bed", "up"]),
    ]
    study.instruments = [
      StudyInstrument("phq-8", questionnaire: "log"),
      StudyInstrument(
        "isi", questionnaire: "log",
        items: [
          "1": .question("log.first"), "2": .conditions([Condition("age", .greater, .number(50))], .all),
        ],
        licence: SiteLicence(holder: "A University", number: "7", expires: CalendarDate("2027-12-31")),
        table: "instruments/scores.json"),
    ]
    study.texts = [StudyText("help", files: ["en": "texts/en/help.md", "de": "texts/de/help.md"])]
    study.helpText = "help"
    study.tasks = schedules.enumerated().map { number, schedule in
      let works: [StudyTask.Work] = [
        .questionnaire("log"), .modulesOfDay,
        .measurement(TaskKind.loudnessMatch.key, settings: ["frequency-hz": 1000, "trials": 3]),
      ]
      return StudyTask(
        "task\(number)", works[number % 3], schedule, minutes: 2.5, dataType: "answers",
        pillar: number == 0 ? "sleep" : nil, isAfterQuestions: number == 2)
    }
    study.pillars = [Pillar("sleep", both("Sleep"), colour: "#2e5c8a")]
    study.modules = [
      StudyModule(
        "m", both("Module"), questionnaire: "log", pillar: "sleep", .gateway, minutes: 3, priority: 1,
        substitute: "n"),
      StudyModule(
        "n", both("Other"), questionnaire: "log", pillar: "sleep", .expansion, minutes: 3.5, priority: 2),
    ]
    study.days = [StudyDay(1, both("First"), both("Summary"), minutes: 12, modules: ["m"])]
    study.gateways = [
      Gateway(
        "poor-sleep",
        when: [
          Condition("quality", .lessOrEqual, .number(5)), Condition("work", .equal, .choice("night")),
        ],
        modules: ["n"], version: 2),
      Gateway("late", when: [Condition("bed", .greater, .time(time("01:00")))], modules: ["n"]),
    ]
    study.filling = Filling(6...15, mostMinutes: 12, title: both("Chosen"), summary: both("Summary"))
    study.dictionary = [
      DictionaryEntry("log_first", item: "log.first", text: both("First")), DictionaryEntry("a", item: "b"),
    ]
    return study
  }
}
