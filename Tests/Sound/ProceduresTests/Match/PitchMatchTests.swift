import Acoustics
import CommonTesting
import Glibc
import SimulatedListeners
import Testing

@testable import Procedures

@Suite("Pitch match") struct PitchMatchTests {
  /// Answers by which tone is closer to the pitch, in octaves, with a share of confusions of octaves.
  private func match(
    _ pitch: Double, confusion: Double = 0, _ random: inout SeededGenerator
  ) -> PitchMatchResult? {
    var task = PitchMatch(range: 250...16_000)
    // Who confuses octaves hears the whole search an octave off; compared directly, most know it.
    let isConfused = Double.random(in: 0..<1, using: &random) < confusion
    let heard = isConfused ? (pitch > 8000 ? pitch / 2 : pitch * 2) : pitch
    let matcher = PitchMatcher(pitch: pitch, heard: heard)
    while let pair = task.next {
      task.answer(isUpperCloser: matcher.isUpperCloser(pair.lower, pair.upper, after: task.comparisonCount))
    }
    return task.result
  }

  @Test("without noise the median error is a twelfth of an octave at most, from 250 Hz to 16 kHz")
  func noiseless() throws {
    var random = SeededGenerator(1)
    var errors: [Double] = []
    for octave in stride(from: 0.0, through: 6, by: 0.01) {
      let pitch = 250 * exp2(octave)
      errors.append(abs(log2(try #require(match(pitch, &random)).frequency / pitch)))
    }
    errors.sort()
    #expect(errors[errors.count / 2] <= 1.0 / 12 && errors[errors.count - 1] <= 1.0 / 12)
  }

  @Test("an octave that was confused is found and told")
  func octaves() throws {
    var random = SeededGenerator(2)
    var caught = 0
    for _ in 0..<1000 {
      let pitch = 500 * exp2(Double.random(in: 0...4, using: &random))
      let result = try #require(match(pitch, confusion: 1, &random))
      if result.isOctaveConfused, abs(log2(result.frequency / pitch)) < 0.25 { caught += 1 }
    }
    #expect(caught >= 900)
  }

  @Test(
    "octaves confused upwards and downwards are caught in nine of ten matches, also by who hears one comparison of seven wrongly",
    arguments: [-1.0, 1])
  func confusedListeners(octave: Double) throws {
    var random = SeededGenerator(3)
    var (caught, right, runs) = (0, 0, 0)
    for _ in 0..<2000 {
      let pitch = 300 * exp2(Double.random(in: 0...5.5, using: &random))
      // Where the search would leave the range nothing can be confused.
      guard (260...15_500).contains(pitch * exp2(octave)) else { continue }
      runs += 1
      var task = PitchMatch(range: 250...16_000)
      let matcher = PitchMatcher(pitch: pitch, heard: pitch * exp2(octave))
      while let pair = task.next {
        // Tones an octave apart are those of the last part; of them 6 of 7 are heard as they are.
        let count = task.comparisonCount
        let isOctave = PitchMatcher.isOctave(pair.lower, pair.upper, after: count)
        let isWrong = isOctave && Int.random(in: 0..<7, using: &random) == 0
        task.answer(
          isUpperCloser: matcher.isUpperCloser(pair.lower, pair.upper, after: count) != isWrong)
      }
      let result = try #require(task.result)
      if result.isOctaveConfused { caught += 1 }
      if abs(log2(result.frequency / pitch)) < 0.25 { right += 1 }
    }
    #expect(runs > 1500)
    #expect(Double(caught) >= 0.9 * Double(runs))
    // Two of three right where each is with 6/7: 0.943; the octave on the other side is chosen by mistake in 0.06.
    #expect(Double(right) >= 0.85 * Double(runs))
  }

  /// Of a range of these ends, Hz.
  private func plan(_ lowest: Double, _ highest: Double) throws -> PitchPlan {
    let points = [lowest, highest].map {
      LevelCurve.Point(frequency: $0, level: HearingLevel(30), ceiling: HearingLevel(70))
    }
    return PitchPlan(ear: .left, curve: try #require(LevelCurve(points)))
  }

  @Test("a pitch beyond the range is told as at its end, and one a sixth of an octave from it is not")
  func edges() throws {
    let plan = try plan(500, 8000)
    // Half of the last interval from the end: less than a twelfth of an octave.
    for (pitch, isAtEdge) in [(12_000.0, true), (300, true), (2000, false), (500 * exp2(1.0 / 6), false)] {
      var task = PitchMatch(range: plan.curve.range)
      let matcher = PitchMatcher(pitch: pitch, heard: pitch)
      while let pair = task.next {
        task.answer(
          isUpperCloser: matcher.isUpperCloser(pair.lower, pair.upper, after: task.comparisonCount))
      }
      #expect(plan.isAtEdge(try #require(task.result)) == isAtEdge, "\(pitch) Hz")
    }
    // A twelfth of an octave is the bound.
    for (octaves, isAtEdge) in [(0.0, true), (0.083, true), (0.084, false), (3.916, false), (3.917, true)] {
      let frequency = 500 * exp2(octaves)
      let result = PitchMatchResult(
        frequency: frequency, comparedFrequency: 2000, isOctaveConfused: true)
      #expect(plan.isAtEdge(result) == isAtEdge)
      #expect(
        ProcedurePlan.pitch(plan).isPitchAtEdge(ProcedureResult(pitch: result)) == isAtEdge)
    }
    #expect(ProcedurePlan.pitch(plan).isPitchAtEdge(nil) == nil)
  }

  @Test(
    "octaves beyond the tones are named, for they were not compared; within they are compared three times each",
    arguments: [
      // Half of 700 Hz lies below 500, twice 6000 above 8000; a range of one octave has neither.
      (500.0, 8000.0, 2000.0, [], 6), (500, 8000, 6000, [.above], 3), (500, 8000, 700, [.below], 3),
      (2000, 4000, 2800, [.below, .above], 0),
    ] as [(Double, Double, Double, [PitchMatchResult.Octave], Int)])
  func uncomparedOctaves(
    lowest: Double, highest: Double, pitch: Double, expected: [PitchMatchResult.Octave], comparisons: Int
  ) throws {
    let plan = try plan(lowest, highest)
    var task = PitchMatch(range: plan.curve.range)
    let matcher = PitchMatcher(pitch: pitch, heard: pitch)
    var octaves = 0
    while let pair = task.next {
      if abs(log2(pair.upper / pair.lower) - 1) < 1e-9, task.comparisonCount > 3 { octaves += 1 }
      task.answer(
        isUpperCloser: matcher.isUpperCloser(pair.lower, pair.upper, after: task.comparisonCount))
    }
    let result = try #require(task.result)
    #expect(abs(log2(result.comparedFrequency / pitch)) <= 1.0 / 12)
    #expect(plan.uncomparedOctaves(result) == expected && octaves == comparisons)
    let whole = ProcedurePlan.pitch(plan)
    #expect(whole.uncomparedOctaves(ProcedureResult(pitch: result)) == expected)
    #expect(whole.uncomparedOctaves(nil) == nil)
  }

  @Test("a range of an octave is wide enough to search a pitch in, and one of a semitone less is not")
  func leastRange() throws {
    #expect(try plan(1500, 3000).isWideEnough)
    #expect(try !plan(1500, 3000 * exp2(-1.0 / 12)).isWideEnough)
    // Narrower than the search's last step, nothing would be asked.
    #expect(PitchMatch(range: 3000...3150).next == nil)
  }

  @Test("who knows the octave is not called confused, and the whole takes 13 comparisons at most")
  func steady() throws {
    var random = SeededGenerator(4)
    for octave in stride(from: 0.0, through: 6, by: 0.05) {
      let result = try #require(match(250 * exp2(octave), &random))
      #expect(!result.isOctaveConfused && result.frequency == result.comparedFrequency)
    }
    var task = PitchMatch(range: 250...16_000)
    while task.next != nil { task.answer(isUpperCloser: false) }
    // Six octaves to a twelfth: log2(72) rounded up; then three of the octave above alone.
    #expect(task.comparisonCount == 10)
  }
}
