import Glibc
import Testing

@testable import HearingDSP

@Suite("Feedback canceller: stable gain") struct AddedStableGainTests {
  struct Trial: Sendable { var path: Int; var sound: FeedbackSound; var shift: Double }
  static let trials = [0.0, 15].flatMap { s in FeedbackSound.allCases.flatMap { k in (0..<9).map { Trial(path: $0, sound: k, shift: s) } } }

  @Test("explore", arguments: trials)
  func explore(_ t: Trial) throws {
    let path = SyntheticPath.all[t.path].scaled(-25)
    let second = 44_100 / 64 * 64
    let sound = t.sound.samples(14 * second)
    var loop = try ClosedLoop(gain: 19, feedback: ClosedLoop.control(shift: t.shift), path: path)
    _ = loop.run(sound[0..<3 * second])
    for (i, g) in [24.0, 29, 34, 39, 42].enumerated() {
      try loop.set(gain: g, feedback: ClosedLoop.control(shift: t.shift), transition: 0.5)
      _ = loop.run(sound[(3 + i) * second..<(4 + i) * second])
    }
    var asg: [Double] = []
    for i in 8..<14 { _ = loop.run(sound[i * second..<(i + 1) * second]); asg.append(loop.addedStableGain()) }
    let m = loop.rig.chain.meters.left
    print("ASG", t.sound, "shift", t.shift, "path", t.path, asg.map { Int($0.rounded()) }, "howls", m.howls, m.howlFrequency, "resets", m.feedbackResets, "limited", m.limitedFrames)
    print("   ", loop.rig.chain.feedbackWord)
  }
}
