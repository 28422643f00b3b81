import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Feedback canceller: abrupt change of the path") struct PathChangeTests {
  @Test(
    "stable again within a second at 15 dB above the stable gain, and never above the limit",
    arguments: FeedbackSound.allCases, [(0, 8), (7, 1), (3, 5)])
  func change(_ sound: FeedbackSound, _ paths: (Int, Int)) throws {
    let second = AddedStableGainTests.second
    let limit = 116.0
    let samples = sound.samples(11 * second)
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
    let late = output[second...]
    let gained = Measure.level(of: late) - Measure.level(of: samples[8 * second..<11 * second])
    #expect(Double(Measure.peak(output)) <= pow(10, (limit - 120) / 20) * 1.000_001)
    #expect(abs(gained - 40) < 3)
  }
}
