import Acoustics
import CommonTesting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// A loop whose delay is told by the devices as 190 frames, and the canceller's first tap with it.
@Suite("Feedback canceller: another delay") struct MovedDelayTests {
  static let second = AddedStableGainTests.second
  static let told = 190

  /// - Parameters: Delays of the loop and of the devices, frames.
  private static func control(_ loop: Int, devices: Int) -> FeedbackControl {
    var control = ClosedLoop.control(delay: loop)
    control.deviceDelay = Double(devices) / 44_100
    return control
  }

  /// A loop 7 dB beyond what is stable without, which has learned its path, 40 frames behind the first tap.
  private static func learned(_ path: [Double], _ sound: [Float]) throws -> ClosedLoop {
    let control = Self.control(told, devices: told)
    var loop = try ClosedLoop(
      gain: 19, feedback: control, path: path, limit: 118, delay: told + 40)
    _ = loop.run(sound[0..<3 * second])
    for (index, gain) in [24.0, 29, 32].enumerated() {
      try loop.set(gain: gain, feedback: control, limit: 118, transition: 0.5)
      _ = loop.run(sound[(3 + index) * second..<(4 + index) * second])
    }
    return loop
  }

  @Test("a measured delay begins the estimate anew, and the loop does not howl for it")
  func measured() throws {
    let sound = FeedbackSound.noise.samples(9 * Self.second)
    var loop = try Self.learned(SyntheticPath.all[0].scaled(-25), sound)
    let before = loop.estimate
    #expect(before.contains { $0 != 0 })
    try loop.set(gain: 32, feedback: Self.control(Self.told + 40, devices: Self.told), limit: 118)
    let after = loop.estimate
    #expect(after.allSatisfy { $0 == 0 })
    let output = loop.run(sound[6 * Self.second..<9 * Self.second])
    let quarter = Self.second / 4
    let levels = stride(from: 0, to: output.count - quarter, by: quarter).map {
      Measure.level(of: output[$0..<$0 + quarter])
    }
    // 65 and 32 dB. A path that is kept at the wrong taps makes the loop howl at the limit, 15 dB above.
    #expect(levels.allSatisfy { abs($0 - 97) < 4 }, "\(levels)")
  }

  @Test("where the devices tell so much more themselves, what was learned stays")
  func moved() throws {
    var loop = try Self.learned(
      SyntheticPath.all[0].scaled(-25), FeedbackSound.noise.samples(6 * Self.second))
    let before = loop.estimate
    for frames in [Self.told + 64, Self.told - 20, Self.told] {
      try loop.set(gain: 32, feedback: Self.control(frames, devices: frames), limit: 118)
      let after = loop.estimate
      #expect(after == before)
    }
    // And so does it where the delay is the same and only the gain another one.
    try loop.set(gain: 30, feedback: Self.control(Self.told, devices: Self.told), limit: 118)
    let after = loop.estimate
    #expect(after == before)
  }

  @Test("with a measured path the estimate begins with that, at its place behind the new delay")
  func measuredPath() throws {
    let path = SyntheticPath.all[0].scaled(-25)
    let measured = FeedbackPath(
      sampleRate: 44_100, delay: Double(Self.told + 40) / 44_100, response: path)
    let sound = FeedbackSound.noise.samples(Self.second)
    let next = Self.control(Self.told + 20, devices: Self.told)
    var loop = try ClosedLoop(
      gain: 20, feedback: Self.control(Self.told, devices: Self.told), path: path, measured: measured,
      delay: Self.told + 40)
    _ = loop.run(sound[...])
    try loop.set(gain: 20, feedback: next)
    let fresh = try ClosedLoop(
      gain: 20, feedback: next, path: path, measured: measured, delay: Self.told + 40)
    let (found, expected) = (loop.estimate, fresh.estimate)
    #expect(found == expected)
    #expect(found.contains { $0 != 0 })
  }

  @Test("a measured path that begins behind the last tap is as good as none")
  func beyond() throws {
    let chain = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    // 4.35 ms of taps, and 0.36 ms more that the interpolation reaches with its side lobes.
    for (onset, isKnown) in [
      (0.0, true), (0.001, true), (0.0042, true), (0.0044, false), (0.0045, false), (0.006, false),
    ] {
      let path = FeedbackPath(
        sampleRate: 44_100, delay: 0.004 + onset, response: SyntheticPath.all[0].scaled(-25))
      let prior = PathPrior(path, loopDelay: 0.004, geometry: chain)
      let found = prior.isKnown
      #expect(found == isKnown, "\(onset) s")
      let variance = prior.variance
      #expect((variance > 0) == isKnown, "\(onset) s")
    }
  }

  @Test(
    "a measured path that moves along with the devices' delay is the same but for rounding, and no new one")
  func rounding() throws {
    let chain = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var estimate = PathEstimate(FeedbackGeometry(chain))
    var found: [Bool] = []
    // 0.01 dB is −59 dB of the path.
    for (frames, level) in [(0, -25.0), (64, -25), (3, -25), (0, -24.99)] {
      let delay = (Double(Self.told + frames) + 0.3) / 44_100
      let path = FeedbackPath(
        sampleRate: 48_000, delay: delay + 0.000_1, response: SyntheticPath.all[0].scaled(level))
      found.append(estimate.retarget(to: PathPrior(path, loopDelay: delay, geometry: chain)))
    }
    #expect(found == [true, false, false, true])
  }
}
