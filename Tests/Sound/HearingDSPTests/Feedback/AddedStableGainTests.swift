import CommonTesting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Nine synthetic paths of three lengths, each with speech, music and noise, in a closed loop with the real chain.
///
/// The path is scaled so that its greatest |F| is −25 dB; without cancelling a flat gain of 25 dB is then the most that
/// is stable at every phase. The loop runs 16 dB above that.
@Suite("Feedback canceller: stable gain") struct AddedStableGainTests {
  struct Trial: Sendable, CustomStringConvertible {
    var path: Int
    var sound: FeedbackSound
    var description: String { "path \(path), \(sound)" }
  }

  static func trials(_ sounds: [FeedbackSound]) -> [Trial] {
    sounds.flatMap { sound in SyntheticPath.all.indices.map { Trial(path: $0, sound: sound) } }
  }
  /// Samples of a second in whole blocks.
  static let second = 44_100 / 64 * 64
  /// Shift, Hz; half of what ``FeedbackControl/frequencyShift`` is usually set to, 9 cents at 1.5 kHz.
  static let shift = 8.0
  /// Flat gain at the end, dB.
  static let gain = 41.0

  @Test(
    "speech and noise: 15 dB more gain than without are stable, with neither a shift nor a measured path",
    arguments: cases(trials([.speech, .noise])))
  func plain(_ trial: Trial) throws { try run(trial, shift: 0, isMeasured: false) }

  /// Noises of the microphone, seven unless AURICLE_FEEDBACK_NOISES says more, as `make trials` does.
  private static let noises = getenv("AURICLE_FEEDBACK_NOISES").flatMap { Int(String(cString: $0)) } ?? 7

  /// A loop with music is close to its edge and so amplifies how a transform rounds, which differs from process to process.
  /// One loop says little therefore: about one in eleven ends unstable, on whichever path.
  ///
  /// Three in four of all loops: with one in eleven unstable, fewer of 63 are so in two of ten thousand processes.
  @Test(
    "music: so are they on at least eight paths, in the median of seven noises, and in three of four loops")
  func plainMusic() throws {
    let paths = try SyntheticPath.all.indices.map { path in
      try (1...max(1, Self.noises)).map { noise in
        try outcome(Trial(path: path, sound: .music), shift: 0, isMeasured: false, noise: noise)
      }
    }
    let medians = paths.map { loops in
      Outcome(added: Self.median(loops.map(\.added)), gained: Self.median(loops.map(\.gained)))
    }
    let loops = paths.flatMap { $0 }
    let figures = """
      \(loops.count { $0.isStable }) of \(loops.count) loops stable, \(loops.count { $0.added < 15 }) below 15 dB; \
      least \(loops.map(\.added).min() ?? 0) dB, most sent out \(loops.map(\.gained).max() ?? 0) dB too much; \
      medians \(medians.map(\.added)) and \(medians.map(\.gained)) dB
      """
    if Self.noises > 7 { print(figures) }
    #expect(medians.count { $0.isStable } >= 8, "\(figures)")
    #expect(4 * loops.count { $0.isStable } >= 3 * loops.count, "\(figures)")
  }

  @Test(
    "speech, music and noise: so are they with a shift of 8 Hz, without a measured path",
    arguments: cases(trials(FeedbackSound.allCases)))
  func shifted(_ trial: Trial) throws { try run(trial, shift: Self.shift, isMeasured: false) }

  @Test(
    "speech, music and noise: so are they without a shift from a measured path 20 dB near the true one",
    arguments: cases(trials(FeedbackSound.allCases)))
  func measured(_ trial: Trial) throws { try run(trial, shift: 0, isMeasured: true) }

  /// How a loop ended.
  private struct Outcome {
    /// Least stable gain added in the last four seconds, dB.
    var added: Double
    /// Level of the output beside that without a path, dB. At 15 dB of room a loop's gain is 1 dB over one at its worst phase;
    /// what goes round may add 2 dB.
    var gained: Double
    /// What comes out is the source with its gain, as without a path, where the limiter takes the peaks too.
    var isStable: Bool { added >= 15 && abs(gained) < 2 }
  }

  private func run(_ trial: Trial, shift: Double, isMeasured: Bool) throws {
    let outcome = try outcome(trial, shift: shift, isMeasured: isMeasured)
    #expect(outcome.isStable, "\(outcome)")
  }

  /// - Parameter noise: Seed of a noise with its peak at 0 dB SPL beside the sound, far below its floor; nil for none.
  private func outcome(
    _ trial: Trial, shift: Double, isMeasured: Bool, noise: Int? = nil
  ) throws -> Outcome {
    let path = SyntheticPath.all[trial.path].scaled(-25)
    var sound = trial.sound.samples(14 * Self.second)
    if let noise {
      let more = Signal.noise(
        peak: Float(Signal.amplitude(0)), count: sound.count, seed: UInt64(100 + noise))
      sound = zip(sound, more).map { $0 + $1 }
    }
    let control = ClosedLoop.control(shift: shift)
    var loop = try ClosedLoop(
      gain: 19, feedback: control, path: path, limit: 118,
      measured: isMeasured ? Self.measurement(of: path, seed: trial.path) : nil)
    _ = loop.run(sound[0..<3 * Self.second])
    for (index, gain) in [24.0, 29, 34, 38, Self.gain].enumerated() {
      try loop.set(gain: gain, feedback: control, limit: 118, transition: 0.5)
      _ = loop.run(sound[(3 + index) * Self.second..<(4 + index) * Self.second])
    }
    var output = loop.run(sound[8 * Self.second..<10 * Self.second])
    var added: [Double] = []
    for index in 10..<14 {
      output += loop.run(sound[index * Self.second..<(index + 1) * Self.second])
      added.append(loop.addedStableGain())
    }
    let whole = try Self.open(trial.sound)
    return Outcome(added: added.min() ?? 0, gained: Measure.level(of: output[...]) - whole)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// Level of the output of the last six seconds without a path and a canceller, dB SPL.
  private static func open(_ sound: FeedbackSound) throws -> Double {
    let samples = sound.samples(14 * second)
    var loop = try ClosedLoop(
      gain: gain, feedback: ClosedLoop.control(cancelling: false, notching: false), path: [0], limit: 118)
    return Measure.level(of: loop.run(samples[8 * second..<14 * second])[...])
  }

  /// A path as a fitting finds it: another day's part of −20 dB beside it, and a few samples of silence before.
  private static func measurement(of path: [Double], seed: Int) -> FeedbackPath {
    let length = Double(path.count) / 44_100
    let error = SyntheticPath(length: length, seed: UInt64(600 + seed)).scaled(-45)
    let lead = 8
    let response =
      [Double](repeating: 0, count: lead)
      + path.indices.map { path[$0] + ($0 < error.count ? error[$0] : 0) }
    return FeedbackPath(
      sampleRate: 44_100, delay: Double(ClosedLoop.delay - lead) / 44_100, response: response)
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
