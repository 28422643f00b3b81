import Base
import Instruments
import Questionnaires
import Testing

@testable import Studies

/// The fifteen days with an instrument that a site may have licensed.
@Suite("The fifteen days with a licensed instrument") struct LicensedDaysTests {
  /// - Parameter text: True when the site has brought its text; here stand-in words.
  static func bundle(text hasText: Bool, _ licence: SiteLicence?) throws -> StudyBundle {
    let ours = try FifteenDays.bundle()
    var (study, files) = (ours.study, ours.content.files)
    study.questionnaires.append(QuestionnaireFile("isi", file: "instruments/isi.json"))
    study.instruments.append(StudyInstrument("isi", questionnaire: "isi", licence: licence))
    study.modules.append(
      StudyModule(
        "isi", Samples.both("ISI"), questionnaire: "isi", pillar: "sleep-quality", .expansion, minutes: 1.8,
        priority: 1,
        substitute: "insomnia-more"))
    study.gateways[0] = Gateway("insomnia", when: study.gateways[0].conditions, modules: ["isi"])
    study.dictionary += (1...7).map { DictionaryEntry("isi_\($0)", item: "isi.\($0)") }
    if hasText {
      let options = (0...4).map { Option("\($0)", Samples.both("\($0)"), points: Double($0)) }
      let items = (1...7).map {
        Item("isi.\($0)", Samples.both("stand-in \($0)"), .single(options, other: false))
      }
      files["instruments/isi.json"] = Array(SoundStudy.questionnaire("isi", items).fhir.minified.utf8)
    }
    files[Study.file] = study.bytes
    return try StudyBundle(BundleContent(files))
  }

  static let licence = SiteLicence(holder: "A University", number: "7", expires: CalendarDate("2027-12-31"))
  static let insomnia = FifteenDays.quiet.merging(["sleep-quality.insomnia": .yes(true)]) { $1 }

  @Test(
    "without the site's text our own module takes its place, the researcher is warned, and days 6 to 15 are never blank"
  )
  func without() throws {
    let bundle = try Self.bundle(text: false, nil)
    let findings = try StudyCheck(FifteenDays.use).findings(in: bundle)
    #expect(
      findings.map(\.description) == [
        "warning: study.json, instruments[4]: Insomnia Severity Index is not asked, because its text is not in the bundle: insomnia-more takes its place; put the site's licensed text there as a FHIR questionnaire"
      ])
    let course = DayModules(StudyEdition(bundle, FifteenDays.use), answers: Self.insomnia)
    #expect(course.modules(on: 6).map(\.id) == ["insomnia-more"])
  }

  @Test(
    "with text and licence it is asked, and all ten gateways still find their days; after the licence's last day it is not"
  )
  func with() throws {
    let bundle = try Self.bundle(text: true, Self.licence)
    #expect(try StudyCheck(FifteenDays.use).findings(in: bundle).isEmpty)
    let edition = StudyEdition(bundle, FifteenDays.use)
    #expect(DayModules(edition, answers: Self.insomnia).modules(on: 6).map(\.id) == ["isi"])
    let course = DayModules(edition, answers: FifteenDays.loud)
    #expect(course.plan.overflow.isEmpty && (6...15).allSatisfy { course.minutes(on: $0) <= 12 + 1e-9 })
    let later = BundleUse(on: try #require(CalendarDate("2028-01-01")))
    #expect(
      StudyEdition(bundle, later).leftOut["isi"]?.obstacle == .expired(try #require(Self.licence.expires)))
  }

  @Test("a substitute that somebody has begun stays when the gateway closes")
  func begun() throws {
    let edition = StudyEdition(try Self.bundle(text: false, nil), FifteenDays.use)
    let course = DayModules(edition, answers: FifteenDays.quiet, begun: ["insomnia-more": 8], today: 9)
    #expect(course.plan.days == [8: ["insomnia-more"]])
  }
}
