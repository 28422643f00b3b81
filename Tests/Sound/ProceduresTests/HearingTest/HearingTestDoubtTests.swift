import Acoustics
import Testing

@testable import Procedures

@Suite("Doubts of a hearing test") struct HearingTestDoubtTests {
  private static let limits = HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90))

  /// A test of 1000 Hz in one ear by somebody who hears from 20 dB HL on, or always presses.
  private func shortTest(
    isPressing: Bool, rules: Int? = HearingTestPlan.presentRules, seed: UInt64
  ) throws -> (silences: Int, result: HearingTestResult) {
    let limits = try #require(Self.limits)
    var plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.right], frequencies: [1000],
      limits: Binaural(both: [1000: limits]))
    plan.rules = rules
    var test = HearingTest(plan, seed: seed)
    while let trial = test.next {
      let isHeard = trial.level.map { $0 >= HearingLevel(20) } ?? false
      test.answer(isHeard || isPressing ? .heard(after: 0.4) : .notHeard)
    }
    return (test.record.count { $0.trial.level == nil }, try #require(HearingTestResult(test)))
  }

  @Test(
    "a short test has two silences at least, so that who always presses is told each time, and whoever leaves them alone is not"
  )
  func shortTests() throws {
    var unnoticed = 0
    for seed in 0..<200 as Range<UInt64> {
      let (silences, honest) = try shortTest(isPressing: false, seed: seed)
      #expect(silences >= 2 && honest.doubts.isEmpty)
      #expect(HearingTestSummary(honest).thresholds.allSatisfy { $0.isInDoubt == false })
      let (answered, always) = try shortTest(isPressing: true, seed: seed)
      #expect(answered >= 2 && always.doubts == [.falseAlarms(answered, of: answered)])
      #expect(HearingTestSummary(always).thresholds.allSatisfy { $0.isInDoubt == true })
      // By the rules of before a test of eleven tones had none in one of four.
      let (former, result) = try shortTest(isPressing: true, rules: 2, seed: seed)
      if former < 2 { unnoticed += 1 }
      #expect(result.doubts.isEmpty == (former < 3))
      #expect(HearingTestSummary(result).thresholds.allSatisfy { $0.isInDoubt == nil })
    }
    #expect(unnoticed > 20)
  }

  @Test("a silence behind the last tone that is interrupted is asked for again, and is no silence")
  func interruptedSilence() throws {
    let limits = try #require(Self.limits)
    let plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.right], frequencies: [1000],
      limits: Binaural(both: [1000: limits]))
    for seed in 0..<20 as Range<UInt64> {
      var test = HearingTest(plan, seed: seed)
      // Each trial is interrupted once.
      var number = 0
      while let trial = test.next, test.record.count < 500 {
        if trial.number > number {
          number = trial.number + 1
          test.answer(.interrupted)
          #expect(test.next?.level == trial.level)
        } else {
          test.answer(.notHeard)
        }
      }
      #expect(test.record.count { $0.trial.level == nil && $0.response != .interrupted } >= 2)
      #expect(test.next == nil && HearingTestResult(test)?.doubts == [.noResponse(.right)])
    }
  }

  @Test(
    "one or two frequencies that were not heard beside tones more than 40 dB softer are a doubt; a loss that goes on, or rises, is not",
    arguments: [
      ([(1000, 20), (2000, 30), (3000, 45), (4000, .infinity), (6000, 45)], [4000]),
      // 40 dB are not more than 40.
      ([(1000, 20), (2000, 30), (3000, 45), (4000, .infinity), (6000, 50)], []),
      ([(1000, 20), (3000, 30), (4000, .infinity), (6000, .infinity), (8000, 20)], [4000, 6000]),
      // At the end of what was tested the two nearest on the other side count.
      ([(1000, 20), (3000, 30), (4000, 20), (6000, .infinity), (8000, .infinity)], [6000, 8000]),
      ([(1000, 20), (3000, 60), (4000, 20), (6000, .infinity), (8000, .infinity)], []),
      ([(500, .infinity), (1000, 20)], []),
      // Three go on as a loss does, and what lies further away than an octave tells nothing.
      ([(2000, 20), (3000, 20), (4000, .infinity), (6000, .infinity), (8000, .infinity)], []),
      ([(500, 20), (2000, .infinity), (8000, 20)], []),
    ] as [([(Double, Double)], [Double])])
  func unheardBetween(thresholds: [(Double, Double)], expected: [Double]) throws {
    let limits = try #require(Self.limits)
    for rules in [HearingTestPlan.presentRules, 2] {
      var plan = HearingTestPlan(
        method: .hughsonWestlake, ears: [.right], frequencies: thresholds.map(\.0),
        limits: Binaural(both: Dictionary(uniqueKeysWithValues: thresholds.map { ($0.0, limits) })),
        catchShare: 0)
      plan.rules = rules
      var test = HearingTest(plan, seed: 1)
      while let trial = test.next {
        let level = try #require(trial.level).decibels
        let threshold = try #require(thresholds.first { $0.0 == trial.frequency }).1
        test.answer(level >= threshold ? .heard(after: 0.4) : .notHeard)
      }
      let result = try #require(HearingTestResult(test))
      let isDoubted = !expected.isEmpty && rules == HearingTestPlan.presentRules
      let doubts: [HearingTestResult.Doubt] = isDoubted ? [.unheardBetween(.right, expected)] : []
      #expect(result.doubts == doubts)
      guard isDoubted else { continue }
      let words = expected.map { String(Int($0)) }.joined(separator: ", ")
      #expect(
        result.doubts.map(\.description) == [
          "The right ear heard nothing at \(words) Hz, and beside that tones more than 40 dB softer: was the plug in? Test there again."
        ])
      // It is about these alone.
      for found in HearingTestSummary(result).thresholds {
        #expect(found.isInDoubt == expected.contains(found.frequency))
        #expect((found.isUnheardInDoubt == true) == expected.contains(found.frequency))
      }
    }
  }
}
