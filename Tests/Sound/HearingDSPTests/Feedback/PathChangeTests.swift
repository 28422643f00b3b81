import CommonTesting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Feedback canceller: abrupt change of the path") struct PathChangeTests {
  /// A loop with music is close to its edge and so amplifies how a transform rounds, which differs from process to process
  /// (``AddedStableGainTests``): one loop in some hundred kept 3.1 dB more than its gain. So of music the median of five noises counts.
  @Test(
    "stable again within a second at 15 dB above the stable gain, with music in the median of five noises, and never above the limit",
    arguments: cases(FeedbackSound.allCases), [(0, 8), (7, 1), (3, 5)])
  func change(_ sound: FeedbackSound, _ paths: (Int, Int)) throws {
    let gained = try (0..<(sound == .music ? 5 : 1)).map { try Self.gained(sound, paths, noise: $0) }
      .sorted()
    #expect(abs(gained[gained.count / 2] - 40) < 3, "\(gained)")
  }

  /// The tone is asked and comes from outside, before the path comes 6 dB above what the gain allows.
  @Test(
    "a howl that begins while the limiter holds a tone or a chord from outside is gone two seconds after that ends",
    arguments: [[1000.0], [3000], [523, 659, 784, 988]], [190, 780])
  func besideTone(_ tones: [Double], _ delay: Int) throws {
    let second = AddedStableGainTests.second
    let gain = 25.0
    var sound = Signal.noise(peak: Float(Signal.amplitude(25)), count: 9 * second)
    for f in tones {
      let tone = Signal.tone(f, level: 80, count: 5 * second)
      for n in tone.indices { sound[second + n] += tone[n] }
    }
    let quiet = SyntheticPath.all[0].scaled(-45)
    var loop = try ClosedLoop(
      gain: gain, feedback: ClosedLoop.control(delay: delay), path: quiet, limit: 98, delay: delay)
    let before = loop.run(sound[0..<4 * second])
    let next = SyntheticPath.all[8].scaled(6 - gain)
    loop.path = next + [Double](repeating: 0, count: max(0, loop.path.count - next.count))
    let after = loop.run(sound[(4 * second)...])
    #expect(Measure.isFinite(before) && Measure.isFinite(after))
    // The noise at its gain, as before the tone, and 3 dB for what the path adds.
    let own = Measure.level(of: before[(second / 2)..<second])
    #expect(Measure.level(of: after[(4 * second)...]) < own + 3)
  }

  /// Gain of the last three seconds, dB; the path changes one second before, at a gain of 40 dB.
  ///
  /// - Parameter noise: Seed of a noise with its peak at 0 dB SPL beside the sound, far below its floor; 0: none.
  private static func gained(_ sound: FeedbackSound, _ paths: (Int, Int), noise: Int) throws -> Double {
    let second = AddedStableGainTests.second
    let limit = 116.0
    var samples = sound.samples(11 * second)
    if noise > 0 {
      let more = Signal.noise(
        peak: Float(Signal.amplitude(0)), count: samples.count, seed: UInt64(100 + noise))
      samples = zip(samples, more).map { $0 + $1 }
    }
    // As the programs have it: with the notch, without a shift.
    let control = ClosedLoop.control()
    var loop = try ClosedLoop(
      gain: 22, feedback: control, path: SyntheticPath.all[paths.0].scaled(-25), limit: limit)
    _ = loop.run(samples[0..<3 * second])
    for (index, gain) in [27.0, 32, 36, 40].enumerated() {
      try loop.set(gain: gain, feedback: control, limit: limit, transition: 0.5)
      _ = loop.run(samples[(3 + index) * second..<(4 + index) * second])
    }
    let length = loop.path.count
    var next = SyntheticPath.all[paths.1].scaled(-25)
    next += [Double](repeating: 0, count: max(0, length - next.count))
    loop.path = next
    let output = loop.run(samples[7 * second..<11 * second])
    #expect(Double(Measure.peak(output)) <= pow(10, (limit - 120) / 20) * 1.000_001)
    return Measure.level(of: output[second...]) - Measure.level(of: samples[8 * second..<11 * second])
  }
}
