import Glibc
import Testing

@testable import HearingDSP

/// What canceller and howl guard do where nothing comes back: an ear that is closed tightly.
@Suite("Feedback canceller: nothing comes back") struct NoFeedbackTests {
  struct Trial: Sendable, CustomStringConvertible {
    var sound: FeedbackSound
    var shift: Double
    var gain: Double
    var description: String { "\(sound), shift \(shift) Hz, \(gain) dB" }
  }

  static let trials =
    [20.0, 30].flatMap { gain in
      [
        Trial(sound: .speech, shift: 0, gain: gain), Trial(sound: .noise, shift: 0, gain: gain),
        Trial(sound: .music, shift: AddedStableGainTests.shift, gain: gain),
      ]
    } + [Trial(sound: .music, shift: 0, gain: 20)]

  @Test(
    "every second leaves within 0.5 dB and nothing is taken for a path: speech and noise, music with a shift or at 20 dB",
    arguments: trials)
  func unchanged(_ trial: Trial) throws {
    let second = AddedStableGainTests.second
    let sound = trial.sound.samples(10 * second)
    var with = try ClosedLoop(
      gain: trial.gain, feedback: ClosedLoop.control(shift: trial.shift), path: [0], limit: 118)
    var without = try ClosedLoop(
      gain: trial.gain,
      feedback: ClosedLoop.control(cancelling: false, shift: trial.shift, notching: false), path: [0],
      limit: 118)
    let (found, expected) = (with.run(sound[...]), without.run(sound[...]))
    var worst = 0.0
    for start in stride(from: 0, to: 10 * second, by: second) {
      let range = start..<start + second
      worst = max(
        worst, abs(Measure.level(of: found[range]) - Measure.level(of: expected[range])))
    }
    let estimate = SyntheticPath.frequencies.map { SyntheticPath.magnitude(with.estimate, at: $0) }
    let greatest = 20 * log10(estimate.max() ?? 0)
    #expect(worst < 0.5)
    // Taken for a path, the estimate leaves the loop 3 dB below one; without a shift a held note is taken for more.
    if trial.sound != .music || trial.shift > 0 { #expect(greatest + trial.gain < -3) }
    #expect(with.rig.chain.meters.left.howls == 0)
    #expect(with.rig.chain.meters.left.feedbackResets == 0)
  }

  @Test(
    "melodies of beeps, of a flute and of a struck string near the limit are not taken for howls",
    arguments: Melody.allCases, [65.0, 80])
  func tones(_ melody: Melody, _ level: Double) throws {
    let sound = melody.samples(20 * AddedStableGainTests.second, level: level)
    var loop = try ClosedLoop(gain: 25, feedback: ClosedLoop.control(), path: [0], limit: 105)
    let output = loop.run(sound[...])
    #expect(Measure.isFinite(output))
    if melody == .string {
      #expect(loop.rig.chain.meters.left.howls == 0)
    } else {
      // Why no program turns the notch on: a note that ends while it is tested falls as a howl does.
      withKnownIssue("notes with an abrupt end are taken for howls", isIntermittent: true) {
        #expect(loop.rig.chain.meters.left.howls == 0)
      }
    }
  }

  /// Notes of 50 to 400 ms with 0 to 200 ms between them, 700 to 4000 Hz.
  enum Melody: CaseIterable {
    case beeps
    case flute
    case string

    func samples(_ count: Int, level: Double) -> [Float] {
      var random = Seeded(11)
      var sound = Signal.noise(peak: Float(Signal.amplitude(25)), count: count)
      let (rate, peak) = (44_100.0, Signal.amplitude(level))
      var start = 0
      while start < count {
        let frequency = 700 * pow(4000.0 / 700, Double.random(in: 0...1, using: &random))
        let length = Double.random(in: 0.05...0.4, using: &random)
        let rest = Double.random(in: 0...0.2, using: &random)
        let partials = self == .beeps ? [1.0] : [1, 0.4, 0.15, 0.05]
        for n in start..<min(count, start + Int(length * rate)) {
          let t = Double(n - start) / rate
          let ends = min(1, t / 0.02, (length - t) / 0.02)
          let shape =
            switch self {
            case .beeps: min(1, t / 0.005, (length - t) / 0.005)
            case .flute: ends * (1 + 0.1 * sin(2 * .pi * 5 * t))
            case .string: min(1, t / 0.003) * exp(-t / 0.15)
            }
          for (index, strength) in partials.enumerated() {
            sound[n] += Float(peak * shape * strength * sin(2 * .pi * frequency * Double(index + 1) * t))
          }
        }
        start += Int((length + rest) * rate)
      }
      return sound
    }
  }
}
