import Almanac
import Base
import Questionnaires
import Testing

@testable import Studies

@Suite("Gateways") struct GatewayTests {
  static let gateways = [
    Gateway("poor-sleep", when: [Condition("quality", .lessOrEqual, .number(5))], modules: ["sleep"]),
    Gateway(
      "insomnia", when: [Condition("insomnia", .equal, .yes(true))], modules: ["insomnia", "habits"]),
    Gateway(
      "apnoea", when: [Condition("snoring", .equal, .yes(true)), Condition("pauses", .equal, .yes(true))],
      modules: ["apnoea"]),
    Gateway(
      "shift", when: [Condition("work", .equal, .yes(true)), Condition("nights", .greater, .number(0))],
      .all, modules: ["timing", "habits"]),
  ]

  static func modules(_ answers: [String: AnswerValue], begun: Set<String> = []) -> [String] {
    states(answers, begun: begun).modules
  }

  /// For one answer to each question.
  static func states(_ answers: [String: AnswerValue], begun: Set<String> = []) -> GatewayStates {
    GatewayStates(gateways, answers: answers.mapValues { [$0] }, begun: begun)
  }

  @Test(
    "quality 5 opens poor sleep, 6 does not, and no answer does not",
    arguments: [5, 6, 1] as [Double])
  func boundary(quality: Double) {
    #expect(Self.modules(["quality": .number(quality)]) == (quality <= 5 ? ["sleep"] : []))
    #expect(Self.modules([:]) == [])
  }

  @Test("either of two answers opens apnoea; shift work needs both; a module that two call for comes once")
  func anyAll() {
    #expect(Self.modules(["pauses": .yes(true)]) == ["apnoea"])
    #expect(Self.modules(["work": .yes(true), "nights": .number(0)]) == [])
    #expect(
      Self.modules(["work": .yes(true), "nights": .number(2), "insomnia": .yes(true)]) == [
        "insomnia", "habits", "timing",
      ])
  }

  @Test(
    "an answer that is changed back takes back a module that nobody has begun, and leaves one that somebody has"
  )
  func changedBack() {
    #expect(Self.modules(["insomnia": .yes(false)]) == [])
    let states = Self.states(["insomnia": .yes(false)], begun: ["habits"])
    #expect(states.modules == ["habits"])
    #expect(
      states.open == [
        .init(gateway: "insomnia", version: 1, question: nil, answer: nil),
        .init(gateway: "shift", version: 1, question: nil, answer: nil),
      ])
  }

  static let medicines = [
    Gateway("thinner", when: [Condition("medicine", .equal, .choice("thinner"))], modules: ["blood"]),
    Gateway("no-aspirin", when: [Condition("medicine", .notEqual, .choice("aspirin"))], modules: ["pain"]),
  ]

  @Test(
    "of several answers to a question one is enough for =, whichever was given last, and != holds where none is equal",
    arguments: [
      (["thinner"], ["thinner", "no-aspirin"]), (["aspirin"], []), (["aspirin", "thinner"], ["thinner"]),
      (["thinner", "aspirin"], ["thinner"]), (["zinc", "iron"], ["no-aspirin"]),
    ] as [([String], [String])])
  func repeated(codes: [String], open: [String]) {
    let states = GatewayStates(Self.medicines, answers: ["medicine": codes.map { .choice($0) }])
    #expect(states.open.map(\.gateway) == open)
    // The answer that opens it is told, not another one.
    #expect(
      states.open.filter { $0.gateway == "thinner" }.allSatisfy { $0.answer == .choice("thinner") })
  }

  @Test(
    "a medicine in any repetition of a group calls for its module; one of an earlier day does not, once the log names others",
    arguments: [
      ([["thinner"]], true), ([["aspirin"]], false), ([["thinner", "aspirin"]], true),
      ([["aspirin", "thinner"]], true), ([["thinner", "aspirin"], ["aspirin", "zinc"]], false),
      ([["aspirin"], ["zinc", "thinner", "aspirin"]], true),
    ] as [([[String]], Bool)])
  func course(days: [[String]], isCalledFor: Bool) throws {
    var sound = SoundStudy()
    let options = ["thinner", "aspirin", "zinc"].map { Option($0, Samples.both($0)) }
    sound.questionnaires["log"]?.items.append(
      Item(
        "log.medicines", Samples.both("Medicines"), .group(repeats: 5),
        items: [Item("log.medicine", Samples.both("Which?"), .single(options, other: false))]))
    sound.study.dictionary.append(DictionaryEntry("log_medicine", item: "log.medicine"))
    sound.study.gateways = [
      Gateway("thinner", when: [Condition("log.medicine", .equal, .choice("thinner"))], modules: ["phq-9"])
    ]
    #expect(try StudyCheckTests.findings(sound).map(\.description) == [])
    let given = days.enumerated().map { day, codes in
      var sheet = AnswerSheet()
      sheet.repeatGroup(AnswerKey("log.medicines"), codes.count)
      for (number, code) in codes.enumerated() {
        let moment = Instant(seconds: 86_400 * day + number)
        sheet.set(.choice(code), for: AnswerKey("log.medicine", [number]), at: moment)
      }
      return GivenAnswers(
        occurrence: "log/2026-03-\(22 + day)/1", questionnaire: "urn:example:log", sheet: sheet,
        isCompleted: true)
    }
    let course = try AdministrationTests.course(sound)
    for answers in [given, given.reversed()] {
      let modules = course.modules(answers, today: 3)
      #expect(modules.modules(on: 3).map(\.id) == (isCalledFor ? ["phq-9"] : []))
    }
  }

  @Test(
    "1,000 drawn sequences of answers: the state is that of the last answers alone, in whatever order they came"
  )
  func replay() {
    for seed in 0..<1_000 as Range<UInt64> {
      var numbers = SeededNumbers(seed: seed)
      var answers: [String: AnswerValue] = [:]
      var log: [(String, AnswerValue)] = []
      for _ in 0..<Int.random(in: 1...20, using: &numbers) {
        let question =
          ["quality", "insomnia", "snoring", "pauses", "work", "nights"].randomElement(using: &numbers)
          ?? ""
        let value: AnswerValue =
          ["quality", "nights"].contains(question)
          ? .number(Double(Int.random(in: 0...10, using: &numbers))) : .yes(Bool.random(using: &numbers))
        answers[question] = value
        log.append((question, value))
      }
      var again: [String: AnswerValue] = [:]
      var last = Self.states(again)
      for (question, value) in log {
        again[question] = value
        last = Self.states(again)
      }
      #expect(last == Self.states(answers))
      // By the rules as sentences, without the engine's values.
      func yes(_ question: String) -> Bool { answers[question] == .yes(true) }
      func number(_ question: String) -> Double? {
        if case .number(let number)? = answers[question] { number } else { nil }
      }
      let expected = [
        number("quality").map { $0 <= 5 } ?? false ? "poor-sleep" : nil, yes("insomnia") ? "insomnia" : nil,
        yes("snoring") || yes("pauses") ? "apnoea" : nil,
        yes("work") && (number("nights") ?? 0) > 0 ? "shift" : nil,
      ].compactMap(\.self)
      #expect(last.open.map(\.gateway) == expected)
    }
  }
}

@Suite("Days") struct DayPlanTests {
  @Test("nothing called for, nothing planned")
  func empty() {
    let plan = DayPlan([], on: 6...15, most: 12, daily: 2)
    #expect(plan.days.isEmpty && plan.overflow.isEmpty)
  }

  @Test(
    "ten modules of four minutes beside a log of two: two a day, the first by priority on the first day")
  func tenGateways() {
    let modules = (0..<10).map { Module("m\($0)", minutes: 4, priority: 10 - $0) }
    let plan = DayPlan(modules, on: 6...15, most: 12, daily: 2)
    #expect(plan.overflow.isEmpty)
    #expect(plan.days[6] == ["m9", "m8"] && plan.days[10] == ["m1", "m0"] && plan.days[11] == nil)
  }

  @Test("what fits nowhere is told: a module longer than a day, and the last of more than all days hold")
  func overflow() {
    #expect(
      DayPlan([Module("long", minutes: 12.1, priority: 0)], on: 6...15, most: 12).overflow == ["long"])
    let many = (0..<12).map { Module("m\($0 < 10 ? "0" : "")\($0)", minutes: 11, priority: 0) }
    let plan = DayPlan(many, on: 6...15, most: 12)
    #expect(plan.overflow == ["m10", "m11"] && plan.days.count == 10)
  }

  @Test("minutes in tenths fill a day to its end: twelve times a minute in ten parts")
  func tenths() {
    let modules = (0..<120).map { Module("m\($0)", minutes: 0.1, priority: 0) }
    #expect(DayPlan(modules, on: 6...6, most: 12).overflow.isEmpty)
  }

  @Test("a begun module stays on its day, past days are not filled, and the others go round it")
  func begun() {
    let modules = [
      Module("a", minutes: 6, priority: 1), Module("b", minutes: 7, priority: 2),
      Module("c", minutes: 5, priority: 3),
    ]
    let plan = DayPlan(modules, on: 6...15, most: 12, begun: ["c": 7], today: 7)
    #expect(plan.days == [7: ["c", "a"], 8: ["b"]])
  }

  @Test(
    "1,000 drawn sets: each module once or in the overflow, no day longer than its minutes, and none in the overflow that a day had room for"
  )
  func drawn() {
    for seed in 0..<1_000 as Range<UInt64> {
      var numbers = SeededNumbers(seed: seed)
      let modules = (0..<Int.random(in: 0...30, using: &numbers)).map {
        Module(
          "m\($0)", minutes: Double(Int.random(in: 1...13, using: &numbers)),
          priority: Int.random(in: 0...3, using: &numbers))
      }
      let plan = DayPlan(modules, on: 6...15, most: 12, daily: 2)
      let placed = plan.days.values.flatMap(\.self)
      #expect((placed + plan.overflow).sorted() == modules.map(\.id).sorted())
      let minutes = Dictionary(uniqueKeysWithValues: modules.map { ($0.id, $0.minutes) })
      let lengths = (6...15).map { day in 2 + (plan.days[day] ?? []).compactMap { minutes[$0] }.reduce(0, +)
      }
      #expect(lengths.allSatisfy { $0 <= 12 })
      let longest = lengths.map { 12 - $0 }.max() ?? 0
      #expect(plan.overflow.allSatisfy { minutes[$0] ?? 0 > longest })
    }
  }
}
