import Acoustics
import CommonTesting
import Testing

@testable import Procedures

@Suite("Hughson–Westlake") struct HughsonWestlakeTests {
  private static let limits = HearingLevel(-10)...HearingLevel(120)

  /// Levels of the tones for given answers.
  private func levels(_ answers: [Bool], limits: ClosedRange<HearingLevel> = limits) -> [Double] {
    var search = HughsonWestlake(limits: limits)
    return answers.map { answer in
      defer { search.answer(isHeard: answer) }
      return search.next?.decibels ?? .nan
    }
  }

  @Test("up 20 dB until the first response, then down 10 dB after a response and up 5 dB after none")
  func steps() {
    #expect(
      levels([false, false, true, true, false, false, true]) == [30, 50, 70, 60, 50, 55, 60])
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

  /// The simulation of docs/sources.md, Hughson–Westlake: 3,000 runs each, thresholds from 0 to 80 dB HL.
  @Test(
    "four simulated listeners get the reference's bias and deviation within 0.2 dB and its tones within 0.3",
    arguments: [
      (spread: 2.0, error: 0.01, tones: 10.1, bias: 2.65, deviation: 1.95), (4, 0.01, 11.8, 2.68, 2.82),
      (4, 0.05, 12.5, 2.54, 3.13), (6, 0.02, 13.2, 2.38, 3.79),
    ])
  func reference(spread: Double, error: Double, tones: Double, bias: Double, deviation: Double) {
    let model = ListenerModel(spread: spread, guesses: error, lapses: error)
    let found = SearchStatistics(model, runs: 6000, seed: 1) { HughsonWestlake(limits: Self.limits) }
    #expect(abs(SearchStatistics.mean(found.errors) - bias) <= 0.2)
    #expect(abs(SearchStatistics.deviation(found.errors) - deviation) <= 0.2)
    #expect(abs(SearchStatistics.mean(found.tones) - tones) <= 0.3)
    #expect(Double(found.failures) <= 0.001 * 6000)
  }

  @Test(
    "who never responds ends at the ceiling with no response, and no tone is louder",
    arguments: [40.0, 90, 120])
  func silent(ceiling: Double) {
    var search = HughsonWestlake(limits: HearingLevel(-10)...HearingLevel(ceiling))
    while let level = search.next {
      #expect(level.decibels <= ceiling)
      search.answer(isHeard: false)
    }
    #expect(search.outcome == .noResponse(upTo: HearingLevel(ceiling)) && search.toneCount <= 9)
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
