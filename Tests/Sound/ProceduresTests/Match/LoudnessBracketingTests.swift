import Acoustics
import CommonTesting
import Glibc
import SimulatedListeners
import Testing

@testable import Procedures

@Suite("Loudness match by bracketing") struct LoudnessBracketingTests {
  private func range(threshold: Double = 10, limit: Double = 111) throws -> MatchRange {
    try #require(
      MatchRange(
        threshold: HearingLevel(threshold), reference: SoundPressureLevel(10),
        limit: SoundPressureLevel(limit)))
  }

  /// A matcher whose loudness differs from run to run by chance, and who stops short of it on the way.
  ///
  /// - Parameters:
  ///   - spread: Of the loudness of a run, dB.
  ///   - trialSpread: Of that of both runs of a trial, dB.
  ///   - hysteresis: By which they stop short, dB.
  ///   - equal: Half the range that is called equally loud, dB.
  private func match(
    _ loudness: Double, spread: Double = 0, trialSpread: Double = 0, hysteresis: Double = 0,
    equal: Double = 0,
    seed: UInt64, _ random: inout SeededGenerator
  ) throws -> LoudnessBracketing {
    var task = LoudnessBracketing(try range(), seed: seed)
    var (run, trial, wanted) = (-1, -1, loudness)
    var offset = 0.0
    while let level = task.next?.decibels {
      if task.ends.count / 2 != trial {
        trial = task.ends.count / 2
        offset = trialSpread * random.normal()
      }
      if task.ends.count != run {
        run = task.ends.count
        wanted =
          loudness + offset + spread * random.normal() + (task.isFromBelow ? -hysteresis : hysteresis)
      }
      task.answer(abs(level - wanted) < equal ? .equal : level < wanted ? .softer : .louder)
    }
    return task
  }

  @Test("without noise the error is 1 dB at most, whatever the loudness; hysteresis cancels, and is told")
  func noiseless() throws {
    var random = SeededGenerator(1)
    for (index, loudness) in stride(from: 0.0, through: 60, by: 0.7).enumerated() {
      for hysteresis in [0.0, 2, 4] {
        let task = try match(loudness, hysteresis: hysteresis, seed: UInt64(index), &random)
        let result = try #require(task.result)
        #expect(abs(result.level.decibels - loudness) <= 1)
        // Each run ends within half a step of 1 dB.
        #expect(abs(try #require(task.hysteresis) - hysteresis) <= 0.5)
        #expect(!result.isScattered && !result.isAtLimit)
      }
      // Who calls 2 dB to either side equal stops anywhere within.
      let equal = try #require(try match(loudness, equal: 2, seed: UInt64(index), &random).result)
      #expect(abs(equal.level.decibels - loudness) <= 2)
    }
  }

  @Test("a match of 40 dB HL over a threshold of 10 dB HL is 30 dB SL within half a step")
  func sensation() throws {
    var random = SeededGenerator(2)
    let result = try #require(try match(40, seed: 2, &random).result)
    #expect(abs(result.sensationLevel.decibels - 30) <= 0.5)
  }

  /// Each run ends in the middle of 1 dB: an error of its own, 1/12 dB², halved by the mean of two.
  @Test(
    "the reported deviation is the true one of a trial within a tenth, on average, as for the adjustment",
    arguments: [1.0, 3, 6])
  func deviation(spread: Double) throws {
    var random = SeededGenerator(3)
    var (trials, runs) = (0.0, 0.0)
    for seed in 0..<1000 as Range<UInt64> {
      // A loudness that changes between trials, and one that changes with every run, of which a trial is the mean of two.
      trials += try #require(try match(35, trialSpread: spread, seed: seed, &random).result?.deviation)
      runs += try #require(
        try match(35, spread: spread, hysteresis: 3, seed: seed, &random).result?.deviation)
    }
    let steps = 1.0 / 24
    #expect(abs(trials / 1000 / (spread * spread + steps).squareRoot() - 1) <= 0.1)
    #expect(abs(runs / 1000 / (spread * spread / 2 + steps).squareRoot() - 1) <= 0.1)
  }

  @Test(
    "it begins 5 dB above the threshold and comes from below; every other run begins away from the last end"
  )
  func beginnings() throws {
    for seed in 0..<200 as Range<UInt64> {
      var task = LoudnessBracketing(try range(), seed: seed)
      #expect(task.next == HearingLevel(15) && task.isFromBelow)
      var (run, beginnings) = (0, [Double]())
      while let level = task.next?.decibels {
        if task.ends.count != run {
          run = task.ends.count
          let away = level - task.ends[run - 1]
          #expect((8...12).contains(abs(away)) && (away < 0) == task.isFromBelow)
          beginnings.append(abs(away))
        }
        task.answer(level < 40.2 ? .softer : .louder)
      }
      #expect(beginnings.count == 5 && Set(beginnings).count == 5)
      task.answer(.louder)
      #expect(task.result?.matches.count == 3)
    }
  }

  @Test(
    "who calls the first tone of most runs as loud proves nothing, which is told; half of them are enough")
  func notTurned() throws {
    for (turned, isNotTurned) in [(0, true), (2, true), (3, false), (6, false)] {
      var task = LoudnessBracketing(try range(), seed: 1)
      while task.next != nil {
        let isTurned = task.ends.count < turned && task.answerCount == 0
        task.answer(isTurned ? .louder : .equal)
      }
      #expect(try #require(task.result).isNotTurned == isNotTurned, "\(turned)")
    }
    // Nor does one who ends at what may be played: these runs have several answers.
    var task = LoudnessBracketing(try range(), seed: 1)
    while task.next != nil { task.answer(.softer) }
    #expect(task.result?.isNotTurned == false)
  }

  @Test("a run that was interrupted begins anew where it began")
  func interrupted() throws {
    var task = LoudnessBracketing(try range(), seed: 1)
    task.answer(.equal)
    let start = try #require(task.next)
    task.answer(.louder)
    task.answer(.louder)
    #expect(task.next != start && task.answerCount == 2)
    task.repeatRun()
    #expect(task.next == start && task.answerCount == 0 && task.ends == [15])
  }

  @Test(
    "who always answers alike ends at the limit, which is told; whatever is answered, it ends and stays within"
  )
  func anything() throws {
    for limit in [111.0, 60] {
      let range = try range(limit: limit)
      for answer in [LoudnessBracketing.Answer.softer, .louder, .equal] {
        var task = LoudnessBracketing(range, seed: 1)
        var count = 0
        while let level = task.next, count < 300 {
          #expect(level <= range.ceiling && level >= range.floor)
          task.answer(answer)
          count += 1
        }
        #expect(task.result?.isAtLimit == (answer != .equal) && count < 300)
      }
      var random = SeededGenerator(4)
      for seed in 0..<500 as Range<UInt64> {
        var task = LoudnessBracketing(range, seed: seed)
        var count = 0
        while let level = task.next, count < 1000 {
          #expect(level <= range.ceiling && level >= range.floor)
          task.answer(Bool.random(using: &random) ? .softer : .louder)
          count += 1
        }
        #expect(task.isFinished)
      }
    }
  }
}
