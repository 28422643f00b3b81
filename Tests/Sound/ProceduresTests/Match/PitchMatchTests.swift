import CommonTesting
import Glibc
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
    while let pair = task.next {
      let isOctave = abs(pair.upper / pair.lower - 2) < 1e-9 && task.comparisonCount >= 7
      let target = isOctave ? pitch : heard
      task.answer(isUpperCloser: abs(log2(pair.upper / target)) < abs(log2(pair.lower / target)))
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
}
