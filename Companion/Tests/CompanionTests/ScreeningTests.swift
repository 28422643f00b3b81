import Almanac
import Questionnaires
import Studies
import Testing

@testable import Companion

@Suite("Questions before a study") struct ScreeningTests {
  /// The site's study, for people of age who are in no crisis, after which the help page comes, and do not work at night.
  ///
  /// - Parameter change: Of its criteria and questions.
  private static func bundle(_ change: (inout SiteStudy) -> Void) throws -> StudyBundle {
    var study = SiteStudy()
    study.study.questionnaires.append(QuestionnaireFile("eligibility", file: "eligibility.json"))
    study.items["eligibility"] = [
      Item("age", "How old are you?", .number(NumberRange(0, 120, step: 1)), isRequired: true),
      Item("crisis", "Are you in a crisis?", .yesNo, isRequired: true),
      Item("night", "Do you work at night?", .yesNo, isRequired: true),
    ]
    study.study.eligibility = Eligibility(
      "eligibility",
      inclusion: [
        .init("adult", "You are of age.", when: [Condition("age", .greaterOrEqual, .number(18))])
      ],
      exclusion: [
        .init(
          "crisis", "You need help at once.", when: [Condition("crisis", .equal, .yes(true))],
          showsHelp: true),
        .init("night", "You work at night.", when: [Condition("night", .equal, .yes(true))]),
      ])
    change(&study)
    return try study.bundle()
  }

  private static func outcome(
    of lines: [String], _ change: (inout SiteStudy) -> Void = { _ in }
  ) throws -> Screening.Outcome? {
    let surroundings = Surroundings(
      now: { Instant(seconds: 1_774_771_200) }, zone: "UTC", zones: ZoneFolder(), language: "en",
      newID: { "id" })
    return try Screening(surroundings, person: Script(lines)).ask(bundle(change))
  }

  @Test(
    "each criterion that speaks against it is told, one that has to be true as such; the help page comes after the criteria that state it alone",
    arguments: [
      (["40", "no", "no", ""], [], false),
      (["40", "yes", "no", ""], ["You need help at once."], true),
      (["7", "no", "no", ""], ["This has to be true: You are of age."], false),
      (["40", "no", "yes", ""], ["You work at night."], false),
      (
        ["7", "yes", "yes", ""],
        ["This has to be true: You are of age.", "You need help at once.", "You work at night."], true
      ),
      // A mistyped last answer is corrected before it decides.
      (["40", "no", "yes", "<", "no", ""], [], false),
    ] as [([String], [String], Bool)])
  func criteria(lines: [String], against: [String], showsHelp: Bool) throws {
    let outcome = try #require(try Self.outcome(of: lines))
    #expect(outcome.against == against && outcome.showsHelp == showsHelp)
  }

  @Test(
    "of a study in which no criterion states after which the page comes, it comes after each exclusion, and after no other criterion",
    arguments: [
      (["40", "no", "no", ""], false), (["40", "yes", "no", ""], true), (["40", "no", "yes", ""], true),
      (["7", "no", "no", ""], false), (["7", "yes", "no", ""], true),
    ] as [([String], Bool)])
  func unstated(lines: [String], showsHelp: Bool) throws {
    let found = try Self.outcome(of: lines) { $0.study.eligibility.exclusion[0].showsHelp = nil }
    let outcome = try #require(found)
    #expect(outcome.showsHelp == showsHelp)
  }

  @Test("where one states that it does not show the page, none shows it that states nothing")
  func statedFalse() throws {
    let found = try Self.outcome(of: ["40", "yes", "yes", ""]) {
      $0.study.eligibility.exclusion[0].showsHelp = false
    }
    let outcome = try #require(found)
    #expect(outcome.against.count == 2 && !outcome.showsHelp)
  }

  @Test(
    "whoever leaves the question of a crisis out is shown the page, also where something different is told; the question of another criterion brings none",
    arguments: [
      (["40", "-", "no", ""], ["not answered: crisis"], true),
      (["7", "-", "no", ""], ["This has to be true: You are of age."], true),
      (["40", "no", "-", ""], ["not answered: night"], false),
    ] as [([String], [String], Bool)])
  func leftOut(lines: [String], against: [String], showsHelp: Bool) throws {
    let found = try Self.outcome(of: lines) { study in
      study.items["eligibility"] = study.items["eligibility"]?.map { item in
        var item = item
        item.isRequired = false
        return item
      }
    }
    let outcome = try #require(found)
    #expect(outcome.against == against && outcome.showsHelp == showsHelp)
  }

  @Test("whoever stops before the end, or does not go on from it, decides nothing", arguments: [1, 3])
  func stopped(count: Int) throws {
    let outcome = try Self.outcome(of: Array(["40", "no", "no"].prefix(count)))
    #expect(outcome == nil)
  }
}
