import Almanac
import Base
import Instruments
import Questionnaires
import Testing

@testable import Studies

@Suite("A site's table of scores in a bundle") struct ScoreTableFileTests {
  static let file = "instruments/table.json"

  static func sound(
    table: String?, licence: SiteLicence? = LicensedDaysTests.licence, _ text: String? = nil
  ) throws -> StudyBundle {
    var sound = SoundStudy()
    sound.add("promis-cognitive-4", licence: licence, hasText: true)
    sound.study.instruments[2].table = table
    var files = sound.files
    if let text { files[file] = Array(text.utf8) }
    return try StudyBundle(BundleContent(files))
  }

  /// Stand-in scores.
  static func text(_ instrument: String = "promis-cognitive-4", from least: Int = 4) -> String {
    let rows = (least...20).map { "{\"sum\": \($0), \"score\": \(Double($0) * 2.5)}" }
    return "{\"instrument\": \"\(instrument)\", \"scores\": [\(rows.joined(separator: ", "))]}"
  }

  static func findings(_ bundle: StudyBundle) throws -> [String] {
    let use = BundleUse(on: try #require(CalendarDate("2026-03-22")))
    return try StudyCheck(use).findings(in: bundle).map(\.description)
  }

  static func score(_ bundle: StudyBundle) throws -> Score.Outcome? {
    let content = try StudyContent(StudyEdition(bundle, BundleUse(on: CalendarDate("2026-03-22")!)))
    let zone = try ZoneFolder().zone("UTC")
    let course = Course(
      content, from: try #require(CalendarDate("2026-03-22")), seed: 1, in: ZoneHistory(zone))
    let outline = try #require(content.outlines["promis-cognitive-4"])
    var sheet = AnswerSheet()
    for item in outline.questionnaire.allItems {
      sheet.set(.number(4), for: AnswerKey(item.id), at: Instant(seconds: 5), took: nil)
    }
    let given = GivenAnswers(
      occurrence: "day/2026-03-22/1", questionnaire: outline.questionnaire.url, sheet: sheet,
      isCompleted: true)
    return course.scores([given]).last?.score.outcome
  }

  @Test("with licence, text and table it is scored: four answers of 4 are the row of 16")
  func whole() throws {
    let bundle = try Self.sound(table: Self.file, Self.text())
    #expect(try Self.findings(bundle).isEmpty)
    #expect(try Self.score(bundle) == .value(40))
  }

  @Test("without a table it is asked, the researcher is warned, and its score is absent with the reason")
  func without() throws {
    let bundle = try Self.sound(table: nil)
    #expect(
      try Self.findings(bundle) == [
        "warning: study.json, instruments[2]: PROMIS Cognitive Function, short form of 4 items is asked and has no score, because its table is not in the bundle; put the site's licensed table there, and name it as \"table\""
      ])
    #expect(
      try Self.score(bundle)
        == .absent("the site's table of scores is not there; the sum of the answers is no score"))
  }

  @Test("without a licence its module is left out, table or not")
  func unlicensed() throws {
    let bundle = try Self.sound(table: Self.file, licence: nil, Self.text())
    #expect(try Self.findings(bundle).contains { $0.contains("its makers' permission is needed") })
  }

  @Test(
    "a table that is named and not there, of another instrument, cut short or no JSON is an error with file and place"
  )
  func wrong() throws {
    func first(_ bundle: StudyBundle) throws -> String? { try Self.findings(bundle).first }
    #expect(
      try first(Self.sound(table: Self.file))
        == "error: study.json, instruments[2].table: there is no instruments/table.json; add the site's licensed table, or correct the path"
    )
    #expect(
      try first(Self.sound(table: Self.file, Self.text("promis-cognitive-8")))?
        .hasPrefix("error: instruments/table.json, instrument: found \"promis-cognitive-8\"") == true)
    #expect(
      try first(Self.sound(table: Self.file, Self.text(from: 5)))
        == "error: instruments/table.json, scores[0]: found the sum 5; expected 4; copy the makers' table again"
    )
    #expect(
      try first(Self.sound(table: Self.file, "{"))?.hasPrefix("error: instruments/table.json, line 1")
        == true)
    #expect(
      try first(
        Self.sound(table: Self.file, #"{"instrument": "promis-cognitive-4", "scores": [{"sum": 4}]}"#))?
        .hasPrefix("error: instruments/table.json, scores[0].score") == true)
    // A table that none needs.
    var sound = SoundStudy()
    sound.study.instruments[0].table = Self.file
    var files = sound.files
    files[Self.file] = Array(Self.text("phq-9").utf8)
    #expect(
      try first(StudyBundle(BundleContent(files)))
        == "error: instruments/table.json, scores: found a table of PHQ-9; expected none: its sum is its score; copy the makers' table again"
    )
  }
}
