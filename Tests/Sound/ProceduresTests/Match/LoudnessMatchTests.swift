import Acoustics
import CommonTesting
import SimulatedListeners
import Testing

@testable import Procedures

@Suite("Loudness match") struct LoudnessMatchTests {
  /// Of a threshold with 10 dB between dB SPL and dB HL.
  private func range(
    threshold: Double = 10, limit: Double = 111, softest: Double = -.infinity
  ) throws -> MatchRange {
    try #require(
      MatchRange(
        threshold: HearingLevel(threshold), reference: SoundPressureLevel(10),
        limit: SoundPressureLevel(limit), softest: HearingLevel(softest)))
  }

  /// A matcher who turns the tone to their loudness in steps of 5 and 1 dB, and misses it by chance.
  private func match(
    _ loudness: Double, spread: Double, _ random: inout SeededGenerator, threshold: Double = 10
  ) throws -> LoudnessMatchResult {
    var task = LoudnessAdjustment(try range(threshold: threshold))
    var matcher = LoudnessMatcher(loudness: loudness, spread: spread)
    while !task.isFinished {
      if let change = matcher.turn(from: task.level, &random) { task.turn(change) } else { task.accept() }
    }
    return try #require(task.result)
  }

  @Test("a match of 40 dB HL over a threshold of 10 dB HL is 30 dB SL")
  func sensation() throws {
    var random = SeededGenerator(1)
    let result = try match(40, spread: 0, &random)
    #expect(result.level == HearingLevel(40) && result.sensationLevel == SensationLevel(30))
    #expect(!result.isScattered && !result.isAtLimit)
  }

  @Test("without noise the error is 1 dB at most, whatever the loudness")
  func noiseless() throws {
    var random = SeededGenerator(2)
    for loudness in stride(from: 0.0, through: 60, by: 0.7) {
      #expect(abs(try match(loudness, spread: 0, &random).level.decibels - loudness) <= 1)
    }
  }

  /// Steps of 1 dB add an error of their own, evenly within half a step: 1/12 dB².
  @Test("the reported deviation is the true one within a tenth, on average", arguments: [1.0, 3, 6])
  func deviation(spread: Double) throws {
    var random = SeededGenerator(3)
    let reported = try (0..<1000).map { _ in try #require(try match(35, spread: spread, &random).deviation)
    }
    let mean = reported.reduce(0, +) / 1000
    #expect(abs(mean / (spread * spread + 1.0 / 12).squareRoot() - 1) <= 0.1)
  }

  @Test(
    "the first trial begins 5 dB above the threshold, the others away from the last match, up and down by turns"
  )
  func beginnings() throws {
    var task = LoudnessAdjustment(try range())
    #expect(task.level == 15)
    task.turn(5)
    task.accept()
    #expect(task.level == 12)
    task.turn(1)
    task.repeatTrial()
    #expect(task.level == 12)
    task.accept()
    #expect(task.level == 20)
  }

  @Test(
    "most trials that are taken as they began prove nothing, which is told; the first one alone may be as loud",
    arguments: [
      ([0, 0, 0], true), ([0, 0, 1], true), ([0, 1, 1], false), ([0, 3], false), ([0], true), ([2], false),
    ] as [([Int], Bool)])
  func notTurned(turns: [Int], isNotTurned: Bool) throws {
    var task = LoudnessAdjustment(try range(), trialCount: turns.count)
    for count in turns {
      for _ in 0..<count { task.turn(-1) }
      task.accept()
    }
    #expect(try #require(task.result).isNotTurned == isNotTurned)
  }

  @Test("whoever turns the tone to their loudness is never told that they did not")
  func turned() throws {
    var random = SeededGenerator(4)
    for loudness in stride(from: 0.0, through: 60, by: 1.3) {
      let result = try match(loudness, spread: 1, &random)
      #expect(!result.isNotTurned)
    }
  }

  @Test(
    "nothing sounds softer than the lower one of −10 dB HL and 10 dB below the threshold, nor than the device resolves"
  )
  func floors() throws {
    #expect(try range(threshold: 10).floor == HearingLevel(-10))
    #expect(try range(threshold: -5).floor == HearingLevel(-15))
    #expect(try range(threshold: 10, softest: -20).floor == HearingLevel(-10))
    #expect(try range(threshold: 10, softest: 7.5).floor == HearingLevel(7.5))
    // Never above the loudest.
    #expect(try range(threshold: 10, softest: 200).floor == HearingLevel(70))
    var task = LoudnessAdjustment(try range(threshold: 10, softest: 7.5), trialCount: 1)
    for _ in 0..<100 { task.turn(-5) }
    #expect(task.level == 7.5)
    task.accept()
    #expect(task.result?.isAtLimit == true)
  }

  @Test(
    "nothing sounds above 85 dB SPL, 60 dB over the threshold or the aid's limit; keys beyond do nothing")
  func ceilings() throws {
    #expect(try range(threshold: 10).ceiling == HearingLevel(70))
    #expect(try range(threshold: 40).ceiling == HearingLevel(75))
    #expect(try range(threshold: 40, limit: 70).ceiling == HearingLevel(60))
    #expect(
      MatchRange(
        threshold: HearingLevel(76), reference: SoundPressureLevel(10), limit: SoundPressureLevel(111))
        == nil)
    var task = LoudnessAdjustment(try range())
    for _ in 0..<100 { task.turn(5) }
    #expect(task.level == 70)
    task.turn(7)
    task.turn(.nan)
    #expect(task.level == 70)
    task.accept()
    task.accept()
    task.accept()
    #expect(task.result?.isAtLimit == true)
  }
}
