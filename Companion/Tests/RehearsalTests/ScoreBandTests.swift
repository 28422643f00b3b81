import Almanac
import Base
import Exchange
import Instruments
import Questionnaires
import Studies
import Testing

/// Scores of MEDAS, whose 14 items each count one point: its sum has a band from its first answer on.
@Suite("Bands in a data set") struct ScoreBandTests {
  private static let day = CalendarDate(year: 2026, month: 3, day: 29)!
  private static let moment = Instant("2026-03-29T08:00:00Z")!
  private static let items = Instrument.medas.items.map(\.code)

  /// A study of one day whose only questionnaire asks each item by a number.
  private static func content() throws -> StudyContent {
    var study = Study(id: "urn:test:b", version: "1", kind: .own, languages: ["en"], title: "B")
    study.dataTypes = [DataType("answers", "A", isRequired: true)]
    study.questionnaires = [QuestionnaireFile("diet", file: "diet.json")]
    let sources = items.map { ($0, StudyInstrument.Source.question("q\($0)")) }
    study.instruments = [
      StudyInstrument("medas", questionnaire: "diet", items: Dictionary(uniqueKeysWithValues: sources))
    ]
    let window = LocalWindow(LocalTime("04:00")!, LocalTime("04:00")!)
    let daily = StudySchedule(days: 1, .recurring(Recurrence(times: .windows([window]))))
    study.tasks = [
      StudyTask("diet", .questionnaire("diet"), daily, minutes: 1, dataType: "answers")
    ]
    let questions = items.map { Item("q\($0)", "Q", .number(NumberRange())) }
    let sheet = Questionnaire(url: "urn:diet", version: "1", title: "Q", items: questions)
    let files = [
      Study.file: Array(study.json.minified.utf8), "diet.json": Array(sheet.fhir.minified.utf8),
    ]
    return try StudyContent(StudyEdition(StudyBundle(BundleContent(files)), BundleUse(on: day)))
  }

  /// The row of the whole score, where the first items are answered with 0.
  private static func row(answered: Int, isCompleted: Bool) throws -> Substring? {
    let content = try content()
    var sheet = AnswerSheet()
    for item in items.prefix(answered) { sheet.set(.number(0), for: AnswerKey("q\(item)"), at: moment) }
    let response = DataSet.GivenResponse(
      id: "r",
      given: GivenAnswers(
        occurrence: "diet/2026-03-29/1", questionnaire: "urn:diet", sheet: sheet, isCompleted: isCompleted),
      zone: "UTC", begun: moment, completed: isCompleted ? moment : nil)
    let zones = ZoneHistory(try ZoneFolder().zone("UTC"))
    let person = DataSet.Participant(
      code: "P1", course: Course(content, from: day, seed: 1, in: zones, giving: nil), ended: nil,
      ending: nil, responses: [response], consents: [], measurements: [], measuredKinds: [:])
    let files = DataSet(content, [person], made: moment, everything: false).files
    return files.first { $0.name == "scores.csv" }?.text.split(separator: "\r\n").dropFirst().first
  }

  @Test(
    "the band of a score stands beside a completed questionnaire or all its items, and not beside some first answers",
    arguments: [(14, true, "low"), (12, true, "low"), (14, false, "low"), (1, false, "")])
  func band(answered: Int, isCompleted: Bool, band: String) throws {
    let row = try #require(try Self.row(answered: answered, isCompleted: isCompleted))
    // 14 items of 0 or 1 point, of which none counts: the sum is 0, and 0 to 5 points are low (Schröder et al. 2011).
    #expect(row.hasSuffix(",medas,1,,0,,,\(band),,\(answered),\(isCompleted)"), "\(row)")
  }
}
