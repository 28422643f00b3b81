import Almanac
import Base
import Instruments
import Questionnaires
import Testing

@testable import Studies

/// The fifteen days with an instrument that a site may have licensed.
@Suite("The fifteen days with a licensed instrument") struct LicensedDaysTests {
  /// - Parameter text: True when the site has brought its text; here stand-in words.
  static func bundle(
    text hasText: Bool, _ licence: SiteLicence?, _ change: (inout Study) -> Void = { _ in }
  ) throws -> StudyBundle {
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
    change(&study)
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
    let course = FifteenDays.modules(StudyEdition(bundle, FifteenDays.use), Self.insomnia)
    #expect(course.modules(on: 6).map(\.id) == ["insomnia-more"])
  }

  @Test(
    "with text and licence it is asked, and all ten gateways still find their days; after the licence's last day it is not"
  )
  func with() throws {
    let bundle = try Self.bundle(text: true, Self.licence)
    #expect(try StudyCheck(FifteenDays.use).findings(in: bundle).isEmpty)
    let edition = StudyEdition(bundle, FifteenDays.use)
    #expect(FifteenDays.modules(edition, Self.insomnia).modules(on: 6).map(\.id) == ["isi"])
    let course = FifteenDays.modules(edition, FifteenDays.loud)
    #expect(course.plan.overflow.isEmpty && (6...15).allSatisfy { course.minutes(on: $0) <= 12 + 1e-9 })
    let later = BundleUse(on: try #require(CalendarDate("2028-01-01")))
    #expect(
      StudyEdition(bundle, later).leftOut["isi"]?.obstacle == .expired(try #require(Self.licence.expires)))
  }

  /// Somebody's fifteen days from 2026-03-22 on, in UTC, from 04:00 to 04:00, with trouble sleeping on day 1 and
  /// a licence up to 28 March, day 7.
  static func course() throws -> (course: Course, trouble: GivenAnswers) {
    let first = try #require(CalendarDate("2026-03-22"))
    let bundle = try Self.bundle(text: true, SoundStudy.licence(until: "2026-03-28"))
    let content = try StudyContent(StudyEdition(bundle, BundleUse(on: first)))
    var sheet = AnswerSheet()
    sheet.set(
      .yes(true), for: AnswerKey("sleep-quality.insomnia"),
      at: try #require(Instant("2026-03-22T09:00:00Z")))
    return (
      Course(content, from: first, seed: 1, in: ZoneHistory(try ZoneFolder().zone("UTC"))),
      GivenAnswers(
        occurrence: "day/2026-03-22/1",
        questionnaire: "urn:auricle:questionnaire:fifteen-days:sleep-quality", sheet: sheet,
        isCompleted: true)
    )
  }

  @Test(
    "behind its licence's last day our own module takes its place, also in the window that opened before",
    arguments: [
      ("2026-03-27T12:00:00Z", 6, "isi"), ("2026-03-28T23:59:59Z", 7, "isi"),
      ("2026-03-29T00:00:00Z", 7, "insomnia-more"), ("2026-03-29T04:00:00Z", 8, "insomnia-more"),
      ("2026-04-06T03:59:59Z", 15, "insomnia-more"),
    ])
  func ended(moment: String, day: Int, module: String) throws {
    let (course, trouble) = try Self.course()
    let due = course.due([trouble], on: 6...15, at: try #require(Instant(moment)))
      .filter { $0.task.id == "day" }
    #expect(due.map(\.day) == [day] && due.flatMap(\.parts).map(\.module?.id) == [module])
  }

  @Test("one that somebody has begun before its licence ended stays, and nothing takes its place")
  func begunBefore() throws {
    let (course, trouble) = try Self.course()
    var sheet = AnswerSheet()
    sheet.set(
      .choice("2"), for: AnswerKey("isi.1"), at: try #require(Instant("2026-03-28T22:00:00Z")))
    let begun = GivenAnswers(
      occurrence: "day/2026-03-28/1", questionnaire: "urn:example:isi", sheet: sheet, isCompleted: false)
    for moment in ["2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T12:00:00Z"] {
      let due = course.due([trouble, begun], on: 6...15, at: try #require(Instant(moment)))
        .filter { $0.task.id == "day" }
      #expect(due.map(\.day) == [7] && due.flatMap(\.parts).map(\.module?.id) == ["isi"], "\(moment)")
    }
  }

  @Test(
    "a task asks an instrument up to its licence's last day; what was begun goes on, and what closed on that day at the latest stays due"
  )
  func task() throws {
    var sound = SoundStudy()
    sound.add("isi", licence: SoundStudy.licence(until: "2026-03-24"), hasText: true)
    sound.study.tasks.append(
      StudyTask(
        "ask", .questionnaire("isi"), sound.study.tasks[0].schedule, minutes: 2, dataType: "answers"))
    let course = try AdministrationTests.course(sound)
    func days(_ given: [GivenAnswers], at moment: String) throws -> [Int] {
      course.due(given, on: 1...6, at: try #require(Instant(moment))).filter { $0.task.id == "ask" }
        .map(\.day)
    }
    // 24 March is day 3.
    #expect(try days([], at: "2026-03-24T12:00:00Z") == [1, 2, 3])
    #expect(try days([], at: "2026-03-25T01:00:00Z") == [1, 2])
    // The window of day 3 closed at 04:00 of 25 March, when nobody was asked: nobody has missed it.
    #expect(try days([], at: "2026-03-26T12:00:00Z") == [1, 2])
    let answers = AdministrationTests.given("isi", on: 24, at: 1_774_350_000, [("isi.1", .number(2))])
    let begun = GivenAnswers(
      occurrence: "ask/2026-03-24/1", questionnaire: answers.questionnaire, sheet: answers.sheet,
      isCompleted: false)
    #expect(try days([begun], at: "2026-03-25T01:00:00Z") == [1, 2, 3])
    #expect(try days([begun], at: "2026-03-26T12:00:00Z") == [1, 2, 3])
  }

  /// The same course with ISI among the modules of some days, which nobody's answers call for.
  ///
  /// - Parameter end: Last day of its licence.
  private static func course(
    naming modules: [String] = ["isi"], on days: [Int], until end: String = "2026-03-28"
  ) throws -> Course {
    let first = try #require(CalendarDate("2026-03-22"))
    let bundle = try Self.bundle(text: true, SoundStudy.licence(until: end)) { study in
      study.gateways = []
      study.days = days.map {
        StudyDay($0, Samples.both("D"), Samples.both("D"), minutes: 3, modules: modules)
      }
    }
    let content = try StudyContent(StudyEdition(bundle, BundleUse(on: first)))
    return Course(content, from: first, seed: 1, in: ZoneHistory(try ZoneFolder().zone("UTC")))
  }

  /// Completed answers at the modules of a date.
  private static func answered(_ item: String, of url: String, on date: String) throws -> GivenAnswers {
    var sheet = AnswerSheet()
    sheet.set(.choice("2"), for: AnswerKey(item), at: try #require(Instant("\(date)T12:00:00Z")))
    return GivenAnswers(occurrence: "day/\(date)/1", questionnaire: url, sheet: sheet, isCompleted: true)
  }

  /// Modules of a day as they are due at a moment: id, and true where it is done.
  private static func modules(
    _ course: Course, _ given: [GivenAnswers], on day: Int, at moment: String
  ) throws -> [String] {
    course.due(given, on: day...day, at: try #require(Instant(moment))).filter { $0.task.id == "day" }
      .flatMap(\.parts).map { "\($0.module?.id ?? "none")\($0.isDone ? ", done" : "")" }
  }

  private static let substituteURL = "urn:auricle:questionnaire:fifteen-days:insomnia-more"

  @Test(
    "a day's own module is asked by the licence of that day, also of somebody who was asked it on an earlier one"
  )
  func again() throws {
    let course = try Self.course(on: [1, 15])
    let given = try Self.answered("isi.1", of: "urn:example:isi", on: "2026-03-22")
    // Day 15 is 5 April, eight days behind the licence's last one.
    for (answers, first) in [([given], "isi, done"), ([], "isi")] as [([GivenAnswers], String)] {
      #expect(try Self.modules(course, answers, on: 15, at: "2026-04-05T12:00:00Z") == ["insomnia-more"])
      #expect(try Self.modules(course, answers, on: 1, at: "2026-04-05T12:00:00Z") == [first])
    }
    let begun = try Self.answered("isi.1", of: "urn:example:isi", on: "2026-04-05")
    #expect(
      try Self.modules(course, [given, begun], on: 15, at: "2026-04-05T12:00:00Z") == ["isi, done"])
  }

  @Test(
    "a substitute that was answered after midnight stays what was asked, and counts as done when the window has closed"
  )
  func substituteKept() throws {
    let course = try Self.course(on: [7])
    let given = try Self.answered("insomnia-more.begin", of: Self.substituteURL, on: "2026-03-28")
    for moment in ["2026-03-29T00:30:00Z", "2026-03-29T04:00:00Z", "2026-04-06T12:00:00Z"] {
      #expect(try Self.modules(course, [given], on: 7, at: moment) == ["insomnia-more, done"], "\(moment)")
      // The instrument that could be asked last was missed.
      #expect(try Self.modules(course, [], on: 7, at: moment) == ["insomnia-more"], "\(moment)")
    }
    #expect(try Self.modules(course, [], on: 7, at: "2026-03-28T23:59:59Z") == ["isi"])
    let isi = try Self.answered("isi.1", of: "urn:example:isi", on: "2026-03-28")
    #expect(try Self.modules(course, [isi], on: 7, at: "2026-04-06T12:00:00Z") == ["isi, done"])
  }

  @Test("a substitute that was answered stays also where a later edition has a licence for that day")
  func renewed() throws {
    let given = try Self.answered("insomnia-more.begin", of: Self.substituteURL, on: "2026-03-28")
    let course = try Self.course(on: [7], until: "2027-12-31")
    #expect(
      try Self.modules(course, [given], on: 7, at: "2026-03-28T18:00:00Z") == ["insomnia-more, done"])
    // On a day that names both the one is no answer to the other.
    let both = try Self.course(naming: ["isi", "insomnia-more"], on: [7], until: "2027-12-31")
    #expect(
      try Self.modules(both, [given], on: 7, at: "2026-03-28T18:00:00Z") == ["isi", "insomnia-more, done"])
  }

  @Test("a substitute that somebody has begun stays when the gateway closes")
  func begun() throws {
    let edition = StudyEdition(try Self.bundle(text: false, nil), FifteenDays.use)
    let course = FifteenDays.modules(edition, FifteenDays.quiet, begun: ["insomnia-more": 8], today: 9)
    #expect(course.plan.days == [8: ["insomnia-more"]])
  }
}
