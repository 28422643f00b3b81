import Almanac
import Base
import Questionnaires
import Testing

@testable import Studies

@Suite("The study file") struct StudyFileTests {
  static func again(_ study: Study) throws -> Study { try Study(study.bytes) }

  @Test(
    "a study with everything that it can have, and one with nothing, are the same after writing and reading"
  )
  func lossless() throws {
    let full = Samples.full()
    #expect(try Self.again(full) == full)
    let empty = Study(id: "urn:example:empty", version: "1", kind: .own, languages: ["en"], title: "Empty")
    #expect(try Self.again(empty) == empty)
  }

  @Test("1,000 drawn schedules, conditions and numbers are the same after writing and reading")
  func drawn() throws {
    for seed in 0..<1_000 as Range<UInt64> {
      var numbers = SeededNumbers(seed: seed)
      var study = Samples.full()
      func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
      func clock() -> LocalTime {
        LocalTime(hour: int(0...23), minute: int(0...59), second: int(0...1) * 30) ?? .noon
      }
      for index in study.tasks.indices {
        let first = int(1...10)
        let length = int(1...9999)
        let days: Recurrence.Days =
          switch int(0...2) {
          case 0: .every(int(1...30))
          case 1: .weekdays(Set((0...int(0...6)).map { Weekday.allCases[$0] }))
          default: .numbered((0...int(0...5)).map { $0 * int(1...3) })
          }
        let rule: Plan.Rule =
          switch int(0...4) {
          case 0: .interval(seconds: int(60...604_800), from: clock(), openFor: length)
          case 1: .after("e\(int(0...9))", delay: int(0...604_800), openFor: length)
          case 2: .recurring(Recurrence(days: days, times: .at([clock(), clock()], openFor: length)))
          case 3: .recurring(Recurrence(days: days, times: .windows([LocalWindow(clock(), clock())])))
          default:
            .recurring(
              Recurrence(
                days: days,
                times: .drawn(
                  int(1...9), within: LocalWindow(clock(), clock()), apart: int(0...86_400), openFor: length
                )))
          }
        study.tasks[index].schedule = StudySchedule(from: first, days: int(1...100), rule)
        study.tasks[index].minutes = Double(int(0...100)) / 10
      }
      let operands: [AnswerValue] = [
        .number(Double(int(-30...30)) / 10), .yes(int(0...1) == 1), .dontKnow, .choice("c"), .text("t"),
        .time(clock()),
      ]
      study.gateways = operands.enumerated().map { number, operand in
        Gateway(
          "g\(number)", when: [Condition("a", .equal, operand), Condition("b", .notEqual, operand)],
          int(0...1) == 0 ? .all : .any, modules: ["m"], version: int(1...9))
      }
      #expect(try Self.again(study) == study, "seed \(seed)")
    }
  }

  @Test(
    "what is not understood is refused with file, place, what was found, what was expected, and what to do",
    arguments: [
      (
        #""schema":1"#, #""schema":2"#,
        "study.json, schema: found 2; expected at most 1; install a newer version of this program"
      ),
      (#""schema":1"#, #""schema":0"#, "study.json, schema: found nothing that is a schema; expected 1"),
      (
        #""kind":"site""#, #""kind":"clinic""#,
        #"study.json, kind: found "clinic"; expected one of own, site"#
      ),
      (
        #""kind":"site""#, #""kind":"site","colour":"red""#,
        "study.json, colour: found a member that is not understood"
      ),
      (
        #""id":"urn:example:full""#, #""id":"full""#,
        #"study.json, id: found "full"; expected a URL or URN"#
      ),
      (
        #""minimum-compliance":0.8"#, #""minimum-compliance":80"#,
        "minimum-compliance: found 80; expected a number from 0.0 to 1.0"
      ),
      (
        #""duration-days":15"#, #""duration-days":1.5"#, "duration-days: found 1.5; expected a whole number"
      ),
      (
        #""languages":["en","de"]"#, #""languages":["en","en"]"#,
        "languages: found 2 languages; expected at least one, each once"
      ),
      (
        #""title":{"en":"Title""#, #""title":{"fr":"Titre""#,
        "title.fr: found a member that is not understood; expected de, en"
      ),
      (#""title":{"en":"Title","#, #""title":{"#, "title.en: found nothing; expected a text"),
      (#""operator":"<=""#, #""operator":"≤""#, #"gateways[0].enableWhen[0].operator: found "≤""#),
      (
        #""answerInteger":5}"#, #""answerInteger":5,"note":"x"}"#,
        "gateways[0].enableWhen[0].note: found a member"
      ),
      (
        #""code":"dont-know""#, #""code":"Yes""#,
        #"eligibility.exclusion[0].enableWhen[1].answerCoding.code: found "Yes"; expected yes, no or dont-know"#
      ),
      (
        #""answerInteger":5}"#,
        #""answerCoding":{"system":"urn:auricle:answer","code":"dont_know"}}"#,
        #"gateways[0].enableWhen[0].answerCoding.code: found "dont_know"; expected yes, no or dont-know"#
      ),
      (
        #""enableBehavior":"any","modules""#, #""modules""#,
        "gateways[0].enableBehavior: found nothing beside 2 conditions"
      ),
      (
        #""modules-of-day":true"#, #""modules-of-day":true,"questionnaire":"log""#,
        "tasks[1]: found not exactly one work"
      ),
      (#""every":1"#, #""every":1,"numbered":[1]"#, "tasks[0].schedule: found 2 rules of days"),
      (
        #""every":1"#, #""every":1,"open-for-seconds":60"#,
        "tasks[0].schedule.open-for-seconds: found a rule beside windows"
      ),
      (
        #""numbered":[3,5,7]"#, #""numbered":[2,5,7]"#,
        "tasks[2].schedule.numbered[0]: found 2; expected a day from 3 to 4000"
      ),
      (
        #""opens":"04:00""#, #""opens":"4 am""#,
        #"tasks[0].schedule.windows[0].opens: found "4 am"; expected a time such as 09:30"#
      ),
      (
        #""expires":"2027-12-31""#, #""expires":"2027-02-30""#,
        #"instruments[1].licence.expires: found "2027-02-30""#
      ),
      (##""colour":"#2e5c8a""##, ##""colour":"blue""##, ##"pillars[0].colour: found "blue""##),
      (
        #""from":6,"to":15"#, #""from":6,"to":5"#,
        "filling.to: found 5; expected a whole number from 6 to 4000"
      ),
      (
        #""version":"1.2.0""#, #""version":"1.2.0","version":"2""#,
        #"study.json, line 1: found "version" given twice"#
      ),
      (#"{"schema""#, #"["schema""#, "study.json, line 1: found"),
    ])
  func refused(part: String, instead: String, message: String) throws {
    let text = String(decoding: Samples.full().bytes, as: UTF8.self)
    let cut = try #require(text.firstRange(of: part))
    let bytes = Array((text[..<cut.lowerBound] + instead + text[cut.upperBound...]).utf8)
    #expect { try Study(bytes) } throws: { "\($0)".contains(message) }
  }

  @Test(
    "an unknown code for yes, no or don't know of a kept study is read as before, as no, where people take part already, and as never an answer in a criterion of who may"
  )
  func keptCode() throws {
    let full = Samples.full()
    let text = String(decoding: full.bytes, as: UTF8.self)
      .replacing(#""code":"dont-know""#, with: #""code":"Yes""#)
      .replacing(
        #""answerInteger":5}"#,
        with: #""answerCoding":{"system":"urn:auricle:answer","code":"Yes"}}"#)
    let kept = try Study(Array(text.utf8), isKept: true)
    #expect(
      kept.eligibility.exclusion[0].conditions == [
        Condition("fever", .equal, .yes(true)), Condition("flu", .equal, .choice("Yes")),
      ])
    #expect(kept.gateways[0].conditions.first?.operand == .yes(false))
  }

  @Test(
    "bytes that are no JSON, no UTF-8 or nothing are refused",
    arguments: [[], [0xff], [0x7b], Array("null".utf8)])
  func noJSON(bytes: [UInt8]) {
    #expect(throws: BundleError.self) { try Study(bytes) }
  }

  @Test("a plan begins with the schedule's first day of the study, which is day 1 of whoever begins")
  func plan() throws {
    let begin = try #require(CalendarDate("2026-03-20"))
    let plan = try #require(Samples.schedules[2].plan(id: "p", beginning: begin, seed: 7))
    // Day 3 of a study that begins on the 20th is the 22nd.
    #expect("\(plan.firstDate)" == "2026-03-22" && plan.dayCount == 5 && plan.seed == 7)
    #expect(StudySchedule.day(of: plan.firstDate, beginning: begin) == 3)
  }

  @Test(
    "somebody is eligible by answers, or is not with the criterion, or the questions are named that decide")
  func eligibility() {
    let eligibility = Samples.full().eligibility
    #expect(eligibility.decision(by: [:]) == .undecided(["age", "fever", "flu"]))
    #expect(eligibility.decision(by: ["age": [.number(17)]]) == .ineligible(["adult"]))
    var answers: [String: [AnswerValue]] = ["age": [.number(18)], "fever": [.yes(false)]]
    #expect(eligibility.decision(by: answers) == .undecided(["flu"]))
    answers["flu"] = [.yes(false)]
    #expect(eligibility.decision(by: answers) == .eligible)
    #expect(eligibility.decision(by: ["age": [.number(18)], "flu": [.dontKnow]]) == .ineligible(["ill"]))
  }

  @Test(
    "a medicine in any repetition of a group keeps somebody out, whichever was named first or last, and one in a hidden repetition does not",
    arguments: [
      (["thinner"], 1, true), (["aspirin"], 1, false), (["aspirin", "thinner"], 2, true),
      (["thinner", "aspirin"], 2, true), (["aspirin", "zinc"], 2, false),
      (["aspirin", "thinner"], 1, false),
    ] as [([String], Int, Bool)])
  func repeated(codes: [String], repetitions: Int, isKeptOut: Bool) throws {
    var study = Study(id: "urn:test:e", version: "1", kind: .own, languages: ["en"], title: "E")
    study.eligibility = Eligibility(
      "q",
      inclusion: [.init("not", "None", when: [Condition("el.m", .notEqual, .choice("thinner"))])],
      exclusion: [.init("thinner", "Thinner", when: [Condition("el.m", .equal, .choice("thinner"))])])
    let options = ["thinner", "aspirin", "zinc"].map { Option($0, LocalizedText($0)) }
    let outline = try Outline(
      Questionnaire(
        url: "urn:q", version: "1", title: "Q",
        items: [
          Item(
            "el.group", "A medicine", .group(repeats: 4),
            items: [Item("el.m", "Which?", .single(options, other: false))])
        ]))
    var sheet = AnswerSheet()
    sheet.repeatGroup(AnswerKey("el.group"), repetitions)
    for (number, code) in codes.enumerated() {
      sheet.set(.choice(code), for: AnswerKey("el.m", [number]), at: Instant(seconds: number))
    }
    let decision = study.eligibility(by: Display(outline, sheet))
    #expect(decision == (isKeptOut ? .ineligible(["not", "thinner"]) : .eligible))
    #expect(study.showsHelp(by: Display(outline, sheet)) == isKeptOut)
  }

  /// Eligibility by "pregnant", which is asked of women alone, and by "smoker", which is not asked of children.
  static func hiding(_ relation: Condition.Relation, _ operand: AnswerValue) throws -> (Study, Outline) {
    var study = Study(id: "urn:test:e", version: "1", kind: .own, languages: ["en"], title: "E")
    study.eligibility = Eligibility(
      "q", inclusion: [.init("adult", "Adult", when: [Condition("smoker", .exists, .yes(true))])],
      exclusion: [.init("pregnant", "Pregnant", when: [Condition("pregnant", relation, operand)])])
    let items = [
      Item("woman", "Woman?", .yesNo), Item("child", "Child?", .yesNo),
      Item("pregnant", "Pregnant?", .yesNo, when: [Condition("woman", .equal, .yes(true))]),
      Item("smoker", "Smoker?", .yesNo, when: [Condition("child", .equal, .yes(false))]),
    ]
    return (study, try Outline(Questionnaire(url: "urn:q", version: "1", title: "Q", items: items)))
  }

  @Test(
    "a question that the others hide leaves nothing open: an exclusion by it does not hold, an inclusion by it is not met",
    arguments: [(.equal, .yes(true)), (.notEqual, .yes(false))] as [(Condition.Relation, AnswerValue)])
  func hidden(relation: Condition.Relation, operand: AnswerValue) throws {
    let (study, outline) = try Self.hiding(relation, operand)
    func decision(_ answers: [(String, Bool)]) -> Eligibility.Decision {
      var sheet = AnswerSheet()
      for (item, yes) in answers { sheet.set(.yes(yes), for: AnswerKey(item), at: Instant(seconds: 0)) }
      return study.eligibility(by: Display(outline, sheet))
    }
    let man = [("woman", false), ("child", false), ("smoker", false)]
    #expect(decision(man) == .eligible)
    // The answer from before, which is hidden now, decides nothing.
    #expect(decision(man + [("pregnant", true)]) == .eligible)
    let woman = [("woman", true), ("child", false), ("smoker", true)]
    #expect(decision(woman) == .undecided(["pregnant"]))
    #expect(decision(woman + [("pregnant", true)]) == .ineligible(["pregnant"]))
    #expect(decision(woman + [("pregnant", false)]) == .eligible)
    #expect(decision([("woman", false), ("child", true), ("smoker", true)]) == .ineligible(["adult"]))
  }

  @Test("an answer that follows from a hidden question is as hidden as the question")
  func hiddenDerived() throws {
    var (study, outline) = try Self.hiding(.equal, .yes(true))
    study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["smoker", "woman"])]
    study.eligibility.inclusion = [.init("heavy", "Heavy", when: [Condition("bmi", .greater, .number(30))])]
    study.eligibility.exclusion = []
    var sheet = AnswerSheet()
    #expect(study.eligibility(by: Display(outline, sheet)) == .ineligible(["heavy"]))
    for item in ["woman", "child"] { sheet.set(.yes(false), for: AnswerKey(item), at: Instant(seconds: 0)) }
    #expect(study.eligibility(by: Display(outline, sheet)) == .undecided(["bmi"]))
    outline = try Outline(Questionnaire(url: "urn:q", version: "2", title: "Q", items: []))
    #expect(study.eligibility(by: Display(outline, sheet)) == .undecided(["bmi"]))
  }
}
