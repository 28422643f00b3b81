import Glibc
import Testing

@testable import HearingDSP

/// Nine synthetic paths of three lengths, each with speech, music and noise, in a closed loop with the real chain.
///
/// The path is scaled so that its greatest |F| is −25 dB; without cancelling a flat gain of 25 dB is then the most that
/// is stable at every phase.
@Suite("Feedback canceller: stable gain") struct AddedStableGainTests {
  struct Trial: Sendable, CustomStringConvertible {
    var path: Int
    var sound: FeedbackSound
    var shift: Double
    var description: String { "path \(path), \(sound), shift \(shift) Hz" }
  }

  static let trials = [0.0, 15].flatMap { shift in
    FeedbackSound.allCases.flatMap { sound in
      SyntheticPath.all.indices.map { Trial(path: $0, sound: sound, shift: shift) }
    }
  }
  /// Samples of a second in whole blocks.
  static let second = 44_100 / 64 * 64

  @Test(
    "15 dB more gain than without are stable, and the estimate itself is worth 15 dB", arguments: trials)
  func addedGain(_ trial: Trial) throws {
    let path = SyntheticPath.all[trial.path].scaled(-25)
    let sound = trial.sound.samples(14 * Self.second)
    let control = ClosedLoop.control(shift: trial.shift)
    var loop = try ClosedLoop(gain: 19, feedback: control, path: path, limit: 118)
    _ = loop.run(sound[0..<3 * Self.second])
    for (index, gain) in [24.0, 30, 36, 42, 45].enumerated() {
      try loop.set(gain: gain, feedback: control, limit: 118, transition: 0.5)
      _ = loop.run(sound[(3 + index) * Self.second..<(4 + index) * Self.second])
    }
    let settled = loop.run(sound[8 * Self.second..<10 * Self.second])
    var added: [Double] = []
    for index in 10..<14 {
      _ = loop.run(sound[index * Self.second..<(index + 1) * Self.second])
      added.append(loop.addedStableGain())
    }
    let output = loop.run(sound[8 * Self.second..<10 * Self.second])
    // Stable: what comes out is the source with 45 dB, as without a path, where the limiter takes the peaks too.
    var open = try ClosedLoop(
      gain: 45, feedback: ClosedLoop.control(cancelling: false, notching: false), path: [0], limit: 118)
    let whole = open.run(sound[8 * Self.second..<10 * Self.second])
    let gained = 45 + Measure.level(of: output[...]) - Measure.level(of: whole[...])
    #expect(Measure.isFinite(settled))
    // Why no program turns the canceller on yet: music gains 13.7 to 16.5 dB, and now and then speech or noise comes out
    // up to 5 dB louder than it should.
    withKnownIssue("the canceller does not hold every loop", isIntermittent: true) {
      #expect(added.sorted()[1] >= 15)
      #expect(abs(gained - 45) < 3)
    }
  }

  /// At gains far above, several frequencies howl at once and share the limiter's peak, 2 to 5 dB below its level.
  @Test(
    "without cancelling, 3 dB above the stable gain howl at the limit, 1 dB below is stable",
    arguments: [0, 4, 8])
  func howls(_ index: Int) throws {
    let path = SyntheticPath.all[index].scaled(-25)
    let sound = FeedbackSound.noise.samples(3 * Self.second)
    let control = ClosedLoop.control(cancelling: false, notching: false)
    var unstable = try ClosedLoop(gain: 28, feedback: control, path: path, limit: 118)
    let howl = unstable.run(sound[...])
    #expect(Measure.level(of: howl[(2 * Self.second)...]) > 114)
    var stable = try ClosedLoop(gain: 24, feedback: control, path: path, limit: 118)
    let whole = stable.run(sound[...])
    // 65 dB SPL and 24 dB; near the edge what comes back adds a little.
    #expect(abs(Measure.level(of: whole[(2 * Self.second)...]) - 89) < 2)
  }
}
