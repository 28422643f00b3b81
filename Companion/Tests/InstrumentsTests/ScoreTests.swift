import Base
import Testing

@testable import Instruments

@Suite("Scores") struct ScoreTests {
  static func outcome(_ instrument: Instrument, _ values: [String: Double]) throws -> Score.Outcome {
    try instrument.score(ItemAnswers(values)).outcome
  }
  static func numbered(_ values: [Double]) -> [String: Double] {
    Dictionary(uniqueKeysWithValues: values.enumerated().map { ("\($0.offset + 1)", $0.element) })
  }
  /// Near enough for values that are given to three digits.
  static func isNear(_ outcome: Score.Outcome, _ expected: Double) -> Bool {
    outcome.value.map { abs($0 - expected) < 0.0005 } ?? false
  }

  // Expected scores: worked out by hand from the rule of each instrument, whose publication its `source` names.

  @Test("BASDAI of 5, 6, 3, 4, 7, 5 is 4.8, active")
  func basdai() throws {
    let score = try Instrument.basdai.score(ItemAnswers(Self.numbered([5, 6, 3, 4, 7, 5])))
    #expect(Self.isNear(score.outcome, 4.8) && score.band?.label == "active")
  }

  @Test("ASDAS by CRP 10 is 3.104, by CRP 0.3 that of 2, 2.352, by ESR 20 2.917")
  func asdas() throws {
    var values: [String: Double] = ["back": 5, "stiffness": 4, "global": 6, "peripheral": 3]
    func with(_ name: String, _ value: Double) -> [String: Double] { values.merging([name: value]) { $1 } }
    #expect(Self.isNear(try Self.outcome(.asdasCRP, with("crp", 10)), 3.104))
    #expect(Self.isNear(try Self.outcome(.asdasCRP, with("crp", 0.3)), 2.352))
    #expect(Self.isNear(try Self.outcome(.asdasESR, with("esr", 20)), 2.917))
    values["back"] = nil
    #expect(try Self.outcome(.asdasCRP, with("crp", 10)) == .absent("item back not answered"))
  }

  /// ln 501 is 6.2166 and ln 3 1.0986; the root of 200 is 14.1421.
  @Test("ASDAS of tens ends with CRP 500 at 7.219 and begins at 0.636; with ESR 200 it ends at 7.614")
  func asdasEnds() throws {
    func with(_ answer: Double, _ name: String, _ value: Double) -> [String: Double] {
      let codes = ["back", "stiffness", "global", "peripheral"]
      return Dictionary(uniqueKeysWithValues: codes.map { ($0, answer) }).merging([name: value]) { $1 }
    }
    let (crp, esr) = (Instrument.asdasCRP, Instrument.asdasESR)
    #expect(Self.isNear(try Self.outcome(crp, with(10, "crp", 500)), 7.219))
    #expect(Self.isNear(try Self.outcome(esr, with(10, "esr", 200)), 7.614))
    // Of at most 2 mg/L the term is that of 2.
    for level in [0.0, 1, 2] {
      #expect(Self.isNear(try Self.outcome(crp, with(0, "crp", level)), 0.636))
    }
    #expect(abs(crp.range.lowerBound - 0.636) < 0.0005 && abs(crp.range.upperBound - 7.219) < 0.0005)
    #expect(esr.range.lowerBound == 0 && abs(esr.range.upperBound - 7.614) < 0.0005)
  }

  @Test("FOSQ-10 with part means 3, 4, 2, none, 3 is 15, impaired")
  func fosq() throws {
    let values: [String: Double] = [
      "productivity.1": 3, "productivity.2": 3, "activity.1": 4, "activity.2": 4, "activity.3": 4,
      "vigilance.1": 2, "vigilance.2": 2,
      "vigilance.3": 2, "intimacy.1": 3,
    ]
    let score = try Instrument.fosq10.score(ItemAnswers(values))
    #expect(score.outcome == .value(15) && score.band?.label == "impaired")
    #expect(score.parts["social"] == .absent("item social.1 not answered"))
  }

  @Test("DBAS-16 of fours is 4, above 3.8; 3.8 itself is not above")
  func dbas() throws {
    let score = try Instrument.dbas16.score(ItemAnswers(Self.numbered(Array(repeating: 4, count: 16))))
    #expect(score.outcome == .value(4) && score.band?.label == "above 3.8")
    #expect(Instrument.dbas16.band(3.8)?.label == "usual")
    #expect(try Self.outcome(.dbas16, Self.numbered(Array(repeating: 4, count: 13))).value == nil)
    #expect(try Self.outcome(.dbas16, Self.numbered(Array(repeating: 4, count: 14))) == .value(4))
  }

  @Test("FSS with the sum 36 is 4, positive; TFI with 18 answers has no score, with 19 it has")
  func means() throws {
    let fss = try Instrument.fss.score(ItemAnswers(Self.numbered(Array(repeating: 4, count: 9))))
    #expect(fss.outcome == .value(4) && fss.band?.label == "4 and above")
    #expect(try Self.outcome(.tfi, Self.numbered(Array(repeating: 5, count: 18))).value == nil)
    #expect(try Self.outcome(.tfi, Self.numbered(Array(repeating: 5, count: 19))) == .value(50))
  }

  @Test("THI of twelve times 4 and three times 2 is 54, moderate; its parts add up to it")
  func thi() throws {
    let values =
      Array(repeating: 4.0, count: 12) + Array(repeating: 2, count: 3) + Array(repeating: 0, count: 10)
    let score = try Instrument.thi.score(ItemAnswers(Self.numbered(values)))
    #expect(score.outcome == .value(54) && score.band?.label == "moderate")
    #expect(score.parts.values.compactMap(\.value).reduce(0, +) == 54)
    // Greatest of each part: 11, 9 and 5 items of 4.
    let full = try Instrument.thi.score(ItemAnswers(Self.numbered(Array(repeating: 4, count: 25))))
    #expect(full.parts == ["functional": .value(44), "emotional": .value(36), "catastrophic": .value(20)])
  }

  @Test(
    "STOP-BANG with two symptoms, male, body mass unknown, the rest no: 3 to 4, and high risk by the rule already"
  )
  func stopBang() throws {
    let known: [String: Double] = [
      "snoring": 1, "tired": 1, "observed": 0, "pressure": 0, "age": 0, "neck": 0, "gender": 1,
    ]
    let score = try Instrument.stopBang.score(ItemAnswers(known))
    #expect(
      score.outcome == .range(3...4) && score.band == nil && score.parts["high risk by rule"] == .value(1))
    let without = try Instrument.stopBang.score(ItemAnswers(known.merging(["gender": 0]) { $1 }))
    #expect(without.parts["high risk by rule"] == .range(0...1))
    let complete = try Instrument.stopBang.score(
      ItemAnswers(known.merging(["gender": 0, "bmi": 0]) { $1 }))
    #expect(complete.outcome == .value(2) && complete.parts["high risk by rule"] == .value(0))
  }

  @Test("PHQ-9 of 4 with the ninth item 1 is in the lowest band: help does not go by the score")
  func selfHarm() throws {
    var values = Self.numbered([1, 1, 1, 0, 0, 0, 0, 0, 1])
    #expect(try Instrument.phq9.score(ItemAnswers(values)).band?.label == "minimal")
    #expect(
      Instrument.phq9.items.contains { $0.code == Instrument.selfHarmItem }
        && !Instrument.phq8.items.contains { $0.code == Instrument.selfHarmItem })
    // Two missing count as the mean of the other seven, 4/7 each: 36/7, rounded 5.
    values = Self.numbered([1, 1, 1, 0, 0, 0, 1])
    #expect(try Self.outcome(.phq9, values) == .value(5))
    values["7"] = nil
    #expect(try Self.outcome(.phq9, values) == .absent("items 7, 8, 9 not answered"))
  }

  @Test("MEQ 58 is intermediate, 59 moderate morning")
  func meq() {
    #expect(
      Instrument.meq.band(58)?.label == "intermediate"
        && Instrument.meq.band(59)?.label == "moderate morning")
  }

  @Test(
    "PSQI: six hours asleep of eight in bed are 75 %, component 1; the worst night is 21, and a missing item leaves its component out"
  )
  func psqi() throws {
    var values: [String: Double] = ["hours-asleep": 6, "hours-in-bed": 8]
    #expect(try Instrument.psqi.score(ItemAnswers(values)).parts["efficiency"] == .value(1))
    #expect(try Self.outcome(.psqi, values).value == nil)
    for item in Instrument.psqi.items { if case .whole = item.values { values[item.code] = 3 } }
    values.merge(["minutes-to-sleep": 90, "hours-asleep": 3, "hours-in-bed": 10]) { $1 }
    let worst = try Instrument.psqi.score(ItemAnswers(values))
    #expect(worst.outcome == .value(21) && worst.band?.label == "poor")
    values["disturbance.4"] = nil
    #expect(try Self.outcome(.psqi, values) == .absent("no component disturbance"))
  }

  /// University of Pittsburgh, "PSQI: Form Administration Instructions, References, and Scoring": DURAT and DISTB.
  @Test(
    "PSQI: exactly seven, six and five hours belong to the better component, and another reason that is missing counts 0",
    arguments: [
      (24.0, 0.0), (7, 0), ((7.0).nextDown, 1), (6, 1), ((6.0).nextDown, 2), (5, 2), ((5.0).nextDown, 3),
      (0, 3),
    ] as [(Double, Double)])
  func psqiRules(hours: Double, component: Double) throws {
    #expect(Instrument.psqi.version == 2)
    var values = ["hours-asleep": hours]
    for number in 1...8 { values["disturbance.\(number)"] = 0 }
    var parts = try Instrument.psqi.score(ItemAnswers(values)).parts
    #expect(parts["duration"] == .value(component) && parts["disturbance"] == .value(0))
    // 8 · 1 + 1 = 9 are 1, one more is 2.
    for number in 1...8 { values["disturbance.\(number)"] = 1 }
    for (other, disturbance) in [(nil, 1.0), (1, 1), (2, 2)] as [(Double?, Double)] {
      values["disturbance.9"] = other
      parts = try Instrument.psqi.score(ItemAnswers(values)).parts
      #expect(parts["disturbance"] == .value(disturbance))
    }
  }

  @Test("Berlin: a category that is not decided gives a range, one that is decided whatever comes does not")
  func berlin() throws {
    var values: [String: Double] = ["snoring.5": 2, "sleepiness.6": 1, "pressure": 0]
    #expect(try Self.outcome(.berlin, values) == .range(1...3))
    values.merge(["sleepiness.7": 0, "sleepiness.8": 0, "bmi": 30]) { $1 }
    #expect(try Self.outcome(.berlin, values) == .value(1))
    values["bmi"] = 30.1
    #expect(try Instrument.berlin.score(ItemAnswers(values)).band?.label == "high risk")
  }

  /// Netzer et al. 1999, from memory: items 2 to 4 follow "If you snore".
  @Test("Berlin: of somebody who does not snore the items about snoring count 0 where they are not given")
  func berlinWithoutSnoring() throws {
    #expect(Instrument.berlin.version == 2)
    var values: [String: Double] = [
      "snoring.5": 0, "sleepiness.6": 0, "sleepiness.7": 0, "sleepiness.8": 0, "pressure": 0, "bmi": 22,
    ]
    // Nobody knows whether they snore: 4 points are open.
    #expect(try Self.outcome(.berlin, values) == .range(0...1))
    values["snoring.1"] = 1
    #expect(try Self.outcome(.berlin, values) == .range(0...1))
    values["snoring.1"] = 0
    let score = try Instrument.berlin.score(ItemAnswers(values))
    #expect(score.outcome == .value(0) && score.band?.label == "low risk" && score.rules == 2)
    // Given ones count all the same, and the item that is put to everybody counts by itself.
    values.merge(["snoring.2": 1, "snoring.3": 1]) { $1 }
    #expect(try Self.outcome(.berlin, values) == .value(1))
    values.merge(["snoring.2": 0, "snoring.3": 0, "snoring.5": 2]) { $1 }
    #expect(try Self.outcome(.berlin, values) == .value(1))
  }

  @Test(
    "a value that an item has not, and an item that the instrument has not, are refused with what was expected"
  )
  func refused() throws {
    #expect { try Self.outcome(.phq9, ["1": 4]) } throws: {
      "\($0)" == "phq-9, item 1: found 4.0; expected a whole number from 0 to 3"
    }
    #expect { try Self.outcome(.thi, ["1": 3]) } throws: {
      "\($0)" == "thi, item 1: found 3.0; expected one of 0, 2, 4"
    }
    #expect { try Self.outcome(.phq8, ["9": 0]) } throws: {
      "\($0)" == "phq-8, item 9: found 0.0; expected an item of PHQ-8"
    }
    #expect(throws: InstrumentRefusal.self) { try Self.outcome(.tfi, ["1": .nan]) }
    #expect(throws: InstrumentRefusal.self) { try Self.outcome(.basdai, ["1": 10.5]) }
  }
}

@Suite("Properties of all instruments") struct InstrumentTests {
  /// Draws an answer of an item.
  static func value(_ values: InstrumentItem.Values, _ numbers: inout SeededNumbers) -> Double {
    switch values {
    case .whole(let range): Double(Int.random(in: range, using: &numbers))
    case .listed(let list): Double(list[Int.random(in: 0..<list.count, using: &numbers)])
    case .number(let range): Double.random(in: range, using: &numbers)
    }
  }

  /// Stand-in scores of an instrument whose sums need a licensed table: 20 for the least, a higher one for each.
  static func table(_ instrument: Instrument) throws -> ScoreTable? {
    guard let sums = instrument.tabulated else { return nil }
    return try ScoreTable(sums.map { .init($0, 20 + Double($0 - sums.lowerBound)) }, of: instrument)
  }

  static func full(_ instrument: Instrument, seed: UInt64) -> [String: Double] {
    var numbers = SeededNumbers(seed: seed)
    return Dictionary(uniqueKeysWithValues: instrument.items.map { ($0.code, value($0.values, &numbers)) })
  }

  @Test(
    "500 drawn sets of answers score within the range, in a band where there are any, and complete answers always score",
    arguments: Instrument.all.map(\.id))
  func range(id: String) throws {
    let instrument = try #require(Instrument.all.first { $0.id == id })
    for seed in 0..<500 as Range<UInt64> {
      let score = try instrument.score(
        ItemAnswers(Self.full(instrument, seed: seed)), by: Self.table(instrument))
      let value = try #require(score.outcome.value, "\(score.outcome)")
      // A sum of products of decimals is exact to the fifteenth digit.
      #expect(value >= instrument.range.lowerBound - 1e-9 && value <= instrument.range.upperBound + 1e-9)
      #expect(instrument.bands.isEmpty || score.band != nil)
      #expect(score.parts.values.allSatisfy { $0.value != nil })
    }
  }

  @Test(
    "the least and the greatest answers reach the ends of the range",
    arguments: Instrument.all.map(\.id).filter {
      // The ends of T scores are those of the site's table.
      !["psqi", "berlin", "stop-bang"].contains($0) && !$0.hasPrefix("promis")
    })
  func ends(id: String) throws {
    let instrument = try #require(Instrument.all.first { $0.id == id })
    for isGreatest in [false, true] {
      let answers = instrument.items.map { item -> (String, Double) in
        let ends: (Double, Double) =
          switch item.values {
          case .whole(let range): (Double(range.lowerBound), Double(range.upperBound))
          case .listed(let list): (Double(list.min() ?? 0), Double(list.max() ?? 0))
          case .number(let range): (range.lowerBound, range.upperBound)
          }
        return (item.code, isGreatest ? ends.1 : ends.0)
      }
      let value = try instrument.score(ItemAnswers(Dictionary(uniqueKeysWithValues: answers))).outcome.value
      #expect(value == (isGreatest ? instrument.range.upperBound : instrument.range.lowerBound))
    }
  }

  @Test(
    "a score never falls when an item that is not reversed rises, and never rises when one that is does",
    arguments: Instrument.all.map(\.id))
  func monotone(id: String) throws {
    let instrument = try #require(Instrument.all.first { $0.id == id })
    for seed in 0..<50 as Range<UInt64> {
      let answers = Self.full(instrument, seed: seed)
      let table = try Self.table(instrument)
      let before = try #require(try instrument.score(ItemAnswers(answers), by: table).outcome.value)
      var numbers = SeededNumbers(seed: seed &+ 1_000)
      for item in instrument.items {
        var changed = answers
        let value = Self.value(item.values, &numbers)
        changed[item.code] = value
        let after = try #require(try instrument.score(ItemAnswers(changed), by: table).outcome.value)
        let isHigher = value > answers[item.code] ?? 0
        #expect(
          item.isReversed == isHigher ? after <= before + 1e-9 : after >= before - 1e-9,
          "item \(item.code), seed \(seed)")
      }
    }
  }

  @Test("bands begin with the lowest score and rise; each score of the instrument has one")
  func bands() {
    for instrument in Instrument.all where !instrument.bands.isEmpty {
      #expect(instrument.bands[0].from <= instrument.range.lowerBound, "\(instrument.id)")
      #expect(zip(instrument.bands, instrument.bands.dropFirst()).allSatisfy { $0.from < $1.from })
      #expect(instrument.bands.allSatisfy { $0.from <= instrument.range.upperBound })
    }
    #expect(Set(Instrument.all.map(\.id)).count == 27)
  }

  @Test("the order of the items is irrelevant: answers are a set, and equal items may be exchanged")
  func order() throws {
    for instrument in [Instrument.phq9, .gad7, .isi, .ess, .fss, .miniTQ, .hhieS] {
      let answers = Self.full(instrument, seed: 3)
      let score = try instrument.score(ItemAnswers(answers)).outcome
      let exchanged = Dictionary(
        uniqueKeysWithValues: zip(
          answers.keys.sorted(), answers.keys.sorted().reversed().map { answers[$0] ?? 0 }))
      #expect(try instrument.score(ItemAnswers(exchanged)).outcome == score)
    }
  }

  @Test(
    "sentences are here of the five free instruments alone, one for each item, with their makers; the four answers are those published"
  )
  func texts() {
    #expect(Set(FreeText.items.keys) == Set(Instrument.all.filter { $0.licence.shipsText }.map(\.id)))
    for instrument in Instrument.all where instrument.licence.shipsText {
      #expect(FreeText.items[instrument.id]?.count == instrument.items.count)
      #expect(instrument.attribution.contains("Spitzer"))
    }
    #expect(
      FreeText.answers == ["Not at all", "Several days", "More than half the days", "Nearly every day"])
  }
}
