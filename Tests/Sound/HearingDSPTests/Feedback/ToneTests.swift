import CommonTesting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Feedback canceller: tones") struct ToneTests {
  /// Strongest component outside ± 4 Hz of the expected ones, dB relative to the strongest expected one; Hann-squared
  /// window over 2 s, looked at every 0.5 Hz near the tones by correlation and by the level of the rest as a whole.
  static func sideTones(_ output: ArraySlice<Float>, expected: [Double]) -> Double {
    let count = output.count
    let windowed = output.enumerated().map { index, x in
      let w = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(count))
      return Float(w * w) * x
    }
    let main = expected.map { Measure.level(of: windowed[...], at: $0) }.max() ?? 0
    var side = -300.0
    for f in expected {
      for offset in stride(from: -240.0, through: 240, by: 3) where abs(offset) > 5 {
        let candidate = f + offset
        if candidate > 60, expected.allSatisfy({ abs($0 - candidate) > 5 }) {
          side = max(side, Measure.level(of: windowed[...], at: candidate))
        }
      }
    }
    for f in stride(from: 300.0, through: 12_000, by: 43) where expected.allSatisfy({ abs($0 - f) > 5 }) {
      side = max(side, Measure.level(of: windowed[...], at: f))
    }
    return side - main
  }

  static let frequencies: [Double] = [250, 500, 1000, 2000, 3000, 4000, 6000, 8000]

  @Test("a pure tone after speech has no side tones above −25 dB", arguments: cases(frequencies))
  func tone(_ frequency: Double) throws { try run([(frequency, 65)], shift: 0) }

  @Test(
    "a note of a flute after speech has no side tones above −25 dB",
    arguments: cases([440.0, 587, 880, 1175]))
  func flute(_ frequency: Double) throws {
    try run([(frequency, 65), (2 * frequency, 57), (3 * frequency, 49), (4 * frequency, 39)], shift: 0)
  }

  @Test(
    "with a shift of 8 Hz a note of a flute after speech has no side tones above −25 dB",
    arguments: cases([440.0, 587, 880, 1175]))
  func shiftedFlute(_ frequency: Double) throws {
    let partials = [(frequency, 65.0), (2 * frequency, 57), (3 * frequency, 49), (4 * frequency, 39)]
    try run(partials, shift: AddedStableGainTests.shift)
  }

  @Test(
    "with a shift of 15 Hz a tone after speech has no side tones above −25 dB but its shifted copies",
    arguments: cases(frequencies.dropFirst(2)))
  func shifted(_ frequency: Double) throws { try run([(frequency, 65)], shift: 15) }

  private func run(_ partials: [(Double, Double)], shift: Double) throws {
    let second = AddedStableGainTests.second
    let control = ClosedLoop.control(shift: shift)
    // Three dB below the stable gain.
    var loop = try ClosedLoop(
      gain: 22, feedback: control, path: SyntheticPath.all[4].scaled(-25), limit: 118)
    _ = loop.run(FeedbackSound.speech.samples(3 * second)[...])
    var sound = Signal.noise(peak: Float(Signal.amplitude(25)), count: 6 * second)
    for (f, level) in partials {
      let tone = Signal.tone(f, level: level, count: sound.count)
      for n in sound.indices { sound[n] += tone[n] }
    }
    let output = loop.run(sound[...])
    // A tone that goes round the loop once more is shifted once more.
    let expected = partials.flatMap { f, _ in
      shift > 0 ? [f, f + shift, f + 2 * shift, f + 3 * shift] : [f]
    }
    let side = Self.sideTones(output[(4 * second)...], expected: expected)
    #expect(side <= -25)
  }
}
