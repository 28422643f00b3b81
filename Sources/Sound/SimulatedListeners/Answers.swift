import Acoustics
import Base
import Glibc
import Procedures

/// Answers of a simulated person to the steps of any procedure that detects, adjusts or compares, with the time that each takes.
struct Answers {
  let model: ListenerModel
  var loudness: LoudnessMatcher
  let pitch: PitchMatcher
  /// dB HL of an ear at a frequency, Hz.
  var thresholds: @Sendable (Ear, Double) -> Double = { _, _ in 0 }
  private var comparisons = 0

  /// s from a tone to a key: a person's time to react, 0.3 s, and some time to decide. Own choices.
  private static let (reaction, decision) = (0.4, 0.8)
  /// Time for which a tone's key is waited for after its end, s (docs/procedures.md).
  private static let patience = 1.0

  init(model: ListenerModel, loudness: LoudnessMatcher, pitch: PitchMatcher) {
    (self.model, self.loudness, self.pitch) = (model, loudness, pitch)
  }

  /// - Returns: The answer, and the time of sounds and answer, s.
  mutating func answer(_ step: ProcedureStep, _ random: inout SeededNumbers) -> (ProcedureAnswer, Double) {
    let gaps = step.cues.reduce(0) { $0 + $1.gap }
    let sounds = step.cues.reduce(0) { $0 + ($1.stimulus?.duration ?? HearingTest.toneLength) }
    switch step.question {
    case .detection:
      let isHeard = hears(step.cues.last?.stimulus, &random)
      // The sound goes on to its end; the wait behind it does not.
      return (
        isHeard ? .heard(after: Self.reaction) : .notHeard, gaps + sounds + (isHeard ? 0 : Self.patience)
      )
    case .adjustment:
      guard let level = step.cues.first?.stimulus?.level.decibels else { return (.interrupted, gaps) }
      let turn = loudness.turn(from: level, &random)
      // Heard to its end before the next key.
      return (turn.map { .turn($0) } ?? .accept, gaps + sounds + Self.decision)
    case .comparison:
      let tones = step.cues.compactMap { $0.stimulus?.frequency }
      guard tones.count == 2, let lower = tones.min(), let upper = tones.max() else {
        return (.interrupted, gaps)
      }
      let isUpper = pitch.isUpperCloser(lower, upper, after: comparisons)
      comparisons += 1
      return ((tones[0] == upper) == isUpper ? .first : .second, gaps + sounds + Self.decision)
    default: return (.ended, gaps + sounds)
    }
  }

  private func hears(_ tone: Stimulus?, _ random: inout SeededNumbers) -> Bool {
    let threshold = tone.map { thresholds($0.ear, $0.frequency) } ?? 0
    var listener = SimulatedListener(threshold: threshold, model: model, random: random)
    defer { random = listener.random }
    return listener.hears(tone?.level)
  }
}

extension SimulatedMatcher {
  static func octaves(_ frequency: Double) -> Double { log2(frequency / 1000) }
  static func power(of octaves: Double) -> Double { exp2(octaves) }
}
