import Almanac
import Base
import Exchange
import Questionnaires
import Studies

/// A study of ten days, 22 to 31 March 2026, with a log from 09:00 to 10:00, of which tests change one thing.
struct TenDays {
  static let first = CalendarDate(year: 2026, month: 3, day: 22)!
  static let questionnaires = ["log", "room", "more", "rest", "long"]

  var study: Study

  init(_ change: (inout Study) -> Void = { _ in }) {
    study = Study(id: "urn:test:c", version: "1", kind: .own, languages: ["en"], title: "C")
    study.dayCount = 10
    study.dataTypes = [DataType("answers", "A", isRequired: true), DataType("sound", "S")]
    study.questionnaires = Self.questionnaires.map { QuestionnaireFile($0, file: "\($0).json") }
    study.tasks = [Self.task("log", "09:00", "10:00")]
    change(&study)
  }

  static func daily(_ opens: String, _ closes: String) -> StudySchedule {
    let window = LocalWindow(LocalTime(opens)!, LocalTime(closes)!)
    return StudySchedule(days: 10, .recurring(Recurrence(times: .windows([window]))))
  }

  static func task(_ id: String, _ opens: String, _ closes: String, kind: String = "answers") -> StudyTask {
    StudyTask(id, .questionnaire(id), daily(opens, closes), minutes: 1, dataType: kind)
  }

  func content() throws -> StudyContent {
    var files = [Study.file: Array(study.json.minified.utf8)]
    for id in Self.questionnaires {
      let questionnaire = Questionnaire(
        url: "urn:\(id)", version: "1", title: "Q", items: [Item("\(id).a", "A", .yesNo)])
      files[id + ".json"] = Array(questionnaire.fhir.minified.utf8)
    }
    return try StudyContent(StudyEdition(StudyBundle(BundleContent(files)), BundleUse(on: Self.first)))
  }

  /// A moment of a day of the study, UTC.
  static func moment(_ day: Int, _ time: String) -> Instant {
    Instant("2026-03-\(21 + day)T\(time):00Z")!
  }

  /// A questionnaire that was answered at an occurrence of a day, with yes to its question.
  static func given(
    _ id: String, _ task: String, on day: Int, _ time: String, isCompleted: Bool = true
  ) -> GivenAnswers {
    var sheet = AnswerSheet()
    sheet.set(.yes(true), for: AnswerKey("\(id).a"), at: moment(day, time))
    return GivenAnswers(
      occurrence: "\(task)/2026-03-\(21 + day)/1", questionnaire: "urn:\(id)", sheet: sheet,
      isCompleted: isCompleted)
  }

  /// Compliance of one person at a moment of a day.
  ///
  /// - Parameter closes: End of the window in which everything given was begun.
  func compliance(
    on day: Int, at time: String = "12:00", in zone: String = "UTC", begun: Instant? = nil,
    former: [FormerVersion] = [], ticks: [DataSet.GivenConsent.Tick] = [], giving kinds: Set<String>? = nil,
    _ given: [GivenAnswers] = [], closes: Instant? = nil
  ) throws -> Compliance {
    let zones = ZoneHistory(try ZoneFolder().zone(zone))
    let consent = DataSet.GivenConsent(
      number: 1, version: "1", versionHash: "h", text: "t", language: "en", ticks: ticks)
    let responses = given.map { answers in
      DataSet.GivenResponse(
        id: answers.occurrence + answers.questionnaire, given: answers, zone: zone,
        begun: Self.moment(1, "00:00"), completed: nil, closes: closes)
    }
    let person = DataSet.Participant(
      code: "P1", course: Course(try content(), from: Self.first, seed: 1, in: zones, giving: kinds),
      ended: nil, ending: nil, responses: responses, consents: ticks.isEmpty ? [] : [consent], begun: begun,
      former: former)
    return Compliance(person, at: Self.moment(day, time))
  }

  static func tick(_ kind: String, _ isGiven: Bool, _ day: Int, _ time: String) -> DataSet.GivenConsent.Tick
  {
    .init(kind: kind, isGiven: isGiven, since: moment(day, time), zone: "UTC")
  }
}
