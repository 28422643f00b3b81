import Almanac
import Base
import Instruments
import Questionnaires
import Testing

@testable import Studies

@Suite("Answers that follow from others") struct DerivedTests {
  static func times(_ texts: String...) -> [String: AnswerValue] {
    Dictionary(uniqueKeysWithValues: zip(["a", "b", "c", "d"], texts.map { .time(Samples.time($0)) }))
  }

  @Test("a body of 180 cm and 81 kg has 25 kg/m²; without height, or with none, nothing follows")
  func bodyMass() {
    let derived = DerivedAnswer("bmi", .bodyMassIndex, of: ["height", "weight"])
    #expect(derived.value(["height": .number(180), "weight": .number(81)]) == .number(25))
    #expect(derived.value(["weight": .number(81)]) == nil)
    #expect(derived.value(["height": .number(0), "weight": .number(81)]) == nil)
    #expect(derived.value(["height": .yes(true), "weight": .number(81)]) == nil)
  }

  @Test(
    "the middle of the night is later by the difference of the middles, over midnight too, and to the nearer side of the clock"
  )
  func middle() {
    let derived = DerivedAnswer("shift", .midSleepDifference, of: ["a", "b", "c", "d"])
    // 23:00–07:00 has 03:00, 01:00–10:00 has 05:30.
    #expect(derived.value(Self.times("23:00", "07:00", "01:00", "10:00")) == .number(150))
    #expect(derived.value(Self.times("22:00", "06:00", "22:00", "06:00")) == .number(0))
    // 08:00–16:00 has noon; 23:00–07:00 has 03:00, nine hours before it or fifteen after.
    #expect(derived.value(Self.times("08:00", "16:00", "23:00", "07:00")) == .number(-540))
    #expect(derived.value(["a": .time(.noon)]) == nil)
  }

  /// Six of eight hours are 75 %, from which on PSQI's component of efficiency is 1 (Buysse et al. 1989).
  @Test(
    "hours in bed are those of the clock from going to bed to getting up, over midnight too, and PSQI's efficiency follows from them",
    arguments: [("23:00", "07:00"), ("01:00", "09:00")])
  func hoursInBed(bed: String, up: String) throws {
    var study = Samples.full()
    study.derived = [DerivedAnswer("in-bed", .hoursInBed, of: ["a", "b"])]
    let answers = Self.times(bed, up).merging(["psqi.hours-asleep": .number(6)]) { $1 }
    #expect(study.completed(answers)["in-bed"] == .number(8))
    let entry = StudyInstrument(
      "psqi", questionnaire: "sleep", items: ["hours-in-bed": .question("in-bed")])
    let items = entry.itemAnswers(study.completed(answers), questions: [:])
    #expect(try Instrument.psqi.score(items).parts["efficiency"] == .value(1))
    #expect(study.derived[0].value(["a": .number(23), "b": .number(7)]) == nil)
  }

  @Test(
    "STOP-BANG asks nothing that is known: sex, age and body mass come from other answers, and what is missing gives a range"
  )
  func stopBang() throws {
    let entry = StudyInstrument(
      "stop-bang", questionnaire: "breathing",
      items: [
        "snoring": .question("snores"), "observed": .question("pauses"),
        "gender": .conditions([Condition("sex", .equal, .choice("male"))], .all),
        "age": .conditions([Condition("age", .greater, .number(50))], .all),
        "bmi": .conditions([Condition("bmi", .greater, .number(35))], .all),
      ])
    var study = Samples.full()
    study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["height", "weight"])]
    let instrument = try #require(entry.instrument)
    var answers: [String: AnswerValue] = [
      "snores": .yes(true), "pauses": .dontKnow, "sex": .choice("male"), "age": .number(51),
    ]
    // Two of eight are known to be yes with sex and age three; tired, observed, pressure, neck and body mass are open.
    var score = try instrument.score(entry.itemAnswers(study.completed(answers), questions: [:]))
    #expect(score.outcome == .range(3...8))
    answers.merge(
      [
        "height": .number(180), "weight": .number(81), "stop-bang.tired": .yes(false),
        "pauses": .yes(false),
        "stop-bang.pressure": .yes(false), "stop-bang.neck": .yes(false),
      ], uniquingKeysWith: { $1 })
    score = try instrument.score(entry.itemAnswers(study.completed(answers), questions: [:]))
    #expect(score.outcome == .value(3))
  }

  @Test(
    "a question of the eligibility alone can be no part of a derived answer or of a score, for its answers are not kept"
  )
  func eligibility() throws {
    let use = BundleUse(on: CalendarDate(year: 2026, month: 3, day: 22)!)
    func findings(_ change: (inout SoundStudy) -> Void) throws -> [String] {
      var sound = SoundStudy()
      change(&sound)
      return try StudyCheck(use).findings(in: sound.bundle()).map(\.description)
    }
    let words =
      "\"age\" is asked for the eligibility alone, whose answers are not kept; ask it in a task or a module"
    let derived = { (sound: inout SoundStudy) in
      sound.study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["log.quality", "age"])]
      sound.study.dictionary.append(DictionaryEntry("bmi", item: "bmi", text: Samples.both("BMI")))
    }
    #expect(try findings(derived) == ["error: study.json, derived[0].of: \(words)"])
    #expect(
      try findings { $0.study.instruments[1].items = ["1": .question("age")] }
        .contains("error: study.json, instruments[1].items: \(words)"))
    // Asked again in a task it is kept; and what decides the eligibility alone needs nothing kept.
    #expect(
      try findings {
        derived(&$0)
        $0.study.tasks[0].work = .questionnaire("eligibility")
        $0.study.gateways = []
        $0.study.modules.removeLast(2)
      }.allSatisfy { !$0.contains("whose answers are not kept") })
    #expect(
      try findings {
        derived(&$0)
        $0.study.derived[0].questions = ["age", "age"]
        $0.study.eligibility.exclusion = [
          .init("heavy", Samples.both("Heavy"), when: [Condition("bmi", .greater, .number(40))])
        ]
      }.allSatisfy { !$0.contains("whose answers are not kept") })
  }
}
