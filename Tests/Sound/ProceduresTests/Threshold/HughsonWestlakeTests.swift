import Acoustics
import CommonTesting
import Testing

@testable import Procedures

@Suite("Hughson–Westlake") struct HughsonWestlakeTests {
  private static let limits = HearingLevel(-10)...HearingLevel(120)

  /// Levels of the tones for given answers.
  private func levels(
    _ answers: [Bool], from start: Double = 30, hasFirstRules: Bool = false
  ) -> [Double] {
    var search = HughsonWestlake(
      start: HearingLevel(start), limits: Self.limits, hasFirstRules: hasFirstRules)
    return answers.map { answer in
      defer { search.answer(isHeard: answer) }
      return search.next?.decibels ?? .nan
    }
  }

  @Test("up until the first response, then down 10 dB after a response and up 5 dB after none")
  func steps() {
    #expect(
      levels([false, false, true, true, false, false, true]) == [30, 50, 60, 50, 40, 45, 50])
  }

  @Test(
    "before the first response it rises by 20 dB to 50 dB HL at most, by 10 dB to 80, and by 5 dB above",
    arguments: [
      (30.0, [30.0, 50, 60, 70, 80, 85, 90, 95, 100, 105]), (-10, [-10, 10, 30, 50, 60]),
      (20, [20, 40, 50, 60]), (45, [45, 55, 65, 75, 80, 85]), (90, [90, 95, 100]),
    ] as [(Double, [Double])])
  func rises(start: Double, expected: [Double]) {
    #expect(levels(Array(repeating: false, count: expected.count), from: start) == expected)
  }

  @Test("a record of the first rules has steps of 20 dB up to the loudest tone")
  func firstRules() {
    #expect(
      levels(Array(repeating: false, count: 6), hasFirstRules: true) == [30, 50, 70, 90, 110, 120])
  }

  @Test("two responses in ascents at a level make the threshold; descents do not count")
  func twoOfThree() {
    var search = HughsonWestlake(limits: Self.limits)
    // 30 heard, 20 heard, 10 not, 15 not, 20 heard (first ascent), 10 not, 15 not, 20 heard (second).
    for answer in [true, true, false, false, true, false, false] { search.answer(isHeard: answer) }
    #expect(search.outcome == nil && search.next == HearingLevel(20))
    search.answer(isHeard: true)
    #expect(search.outcome == .threshold(HearingLevel(20)) && search.next == nil && search.toneCount == 8)
    search.answer(isHeard: true)
    #expect(search.toneCount == 8)
  }

  /// The simulation of docs/sources.md, Hughson–Westlake: 100,000 runs each, thresholds from 0 to 80 dB HL.
  @Test(
    "four simulated listeners get the reference's bias and deviation within 0.2 dB and its tones within 0.3",
    arguments: [
      (spread: 2.0, error: 0.01, tones: 10.2, bias: 2.62, deviation: 1.97), (4, 0.01, 11.8, 2.59, 2.85),
      (4, 0.05, 12.7, 2.46, 3.24), (6, 0.02, 13.2, 2.27, 3.73),
    ])
  func reference(spread: Double, error: Double, tones: Double, bias: Double, deviation: Double) {
    let model = ListenerModel(spread: spread, guesses: error, lapses: error)
    let found = SearchStatistics(model, runs: 6000, seed: 1) { HughsonWestlake(limits: Self.limits) }
    #expect(abs(SearchStatistics.mean(found.errors) - bias) <= 0.2)
    #expect(abs(SearchStatistics.deviation(found.errors) - deviation) <= 0.2)
    #expect(abs(SearchStatistics.mean(found.tones) - tones) <= 0.3)
    #expect(Double(found.failures) <= 0.001 * 6000)
  }

  /// 30, 40 three times; 30, 50, 60, 70, 80, 85, 90 three times; the same to 85, then by 5 dB to 115, 120 three times.
  @Test(
    "who never responds ends at the ceiling with no response, and no tone is louder",
    arguments: [(40.0, 4), (90, 9), (120, 15)])
  func silent(ceiling: Double, count: Int) {
    var search = HughsonWestlake(limits: HearingLevel(-10)...HearingLevel(ceiling))
    while let level = search.next {
      #expect(level.decibels <= ceiling)
      search.answer(isHeard: false)
    }
    #expect(search.outcome == .noResponse(upTo: HearingLevel(ceiling)) && search.toneCount == count)
  }

  @Test("who always responds ends at the softest tone")
  func always() {
    var search = HughsonWestlake(limits: Self.limits)
    while search.next != nil { search.answer(isHeard: true) }
    #expect(search.outcome == .atFloor(HearingLevel(-10)) && search.toneCount == 7)
  }

  @Test("whatever is answered, it ends, and stays within its limits")
  func anything() {
    var random = SeededGenerator(7)
    for _ in 0..<2000 {
      let bottom = Double.random(in: -10...40, using: &random)
      let limits = HearingLevel(bottom)...HearingLevel(bottom + Double.random(in: 0...100, using: &random))
      var search = HughsonWestlake(limits: limits)
      while let level = search.next {
        #expect(limits.contains(level))
        search.answer(isHeard: Bool.random(using: &random))
      }
      #expect(search.outcome != nil && search.toneCount <= 42)
    }
  }
}
