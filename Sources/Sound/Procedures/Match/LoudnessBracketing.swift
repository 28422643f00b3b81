import Acoustics
import Base

/// A loudness match by bracketing: the listener calls a tone softer than their tinnitus, louder or as loud; the tone comes up from below
/// in one run and down from above in the next, in steps that are halved whenever the answer turns.
///
/// A listener who is led up to a loudness stops below it, one who is led down above it. A trial is the mean of a run of each kind, in which this hysteresis
/// cancels; the spread of trials is that of such means. The first run comes from below, beginning 5 dB above the threshold; every other begins
/// as far from the last match as a random source says, so that nobody finds it by counting.
///
/// - Threads: any.
struct LoudnessBracketing: Sendable, Hashable, Codable {
  /// The tone beside the tinnitus.
  enum Answer: String, Sendable, Hashable, Codable {
    case softer, equal, louder
  }

  let range: MatchRange
  /// Trials in all, each of two runs.
  let trialCount: Int
  /// Ends of runs so far, dB HL: from below and from above by turns.
  private(set) var ends: [Double] = []
  /// Answers of the run under way.
  private(set) var answerCount = 0
  /// Runs that ended at their first tone.
  private var unturned = 0
  /// Level that sounds, dB HL.
  private var level: Double
  /// Level at which the run under way began, dB HL.
  private var start: Double
  private var step = firstStep
  private var last: Answer?
  private var hasRepeatedLimit = false
  private var random: SeededNumbers

  /// First step of a run, and the step after whose turn it ends, dB: 8, 4, 2, 1. Own choices: the first is not much above a hearing
  /// test's 5, so that a run from below does not end far above.
  private static let (firstStep, lastStep) = (8.0, 1.0)
  /// Beginning of the first run above the threshold, dB SL (as ``LoudnessAdjustment``).
  private static let firstSensation = 5.0
  /// Distance of a run's beginning from the last end, dB. Own choice: more than a step, and little to turn back.
  private static let distance = 8.0...12.0

  /// - Parameter seed: Of the distances at which runs begin.
  init(_ range: MatchRange, trialCount: Int = 3, seed: UInt64) {
    (self.range, self.trialCount) = (range, LoudnessPlan.held(trialCount))
    random = SeededNumbers(seed: seed)
    start = range.held(range.threshold.decibels + Self.firstSensation)
    level = start
  }

  /// Level of the tone to be compared; nil: finished.
  var next: HearingLevel? { isFinished ? nil : HearingLevel(range.held(level)) }

  var isFinished: Bool { ends.count >= 2 * trialCount }

  /// True while the tone comes up from below.
  var isFromBelow: Bool { ends.count.isMultiple(of: 2) }

  /// Begins the run once more, after an interruption.
  mutating func repeatRun() { begin(at: start) }

  /// Takes the answer to the tone of ``next``.
  mutating func answer(_ answer: Answer) {
    guard !isFinished else { return }
    answerCount += 1
    if answer == .equal { return end(at: level) }
    let hasTurned = last.map { $0 != answer } ?? false
    if hasTurned {
      // The loudness lies between this tone and the one before.
      guard step > Self.lastStep else {
        return end(at: level + (answer == .softer ? step : -step) / 2)
      }
      step /= 2
    }
    last = answer
    let wanted = range.held(level + (answer == .softer ? step : -step))
    if wanted != level {
      hasRepeatedLimit = false
    } else if hasRepeatedLimit {
      // Asked beyond what may sound twice in a row.
      return end(at: level)
    } else {
      hasRepeatedLimit = true
    }
    level = wanted
  }

  private mutating func end(at match: Double) {
    ends.append(range.held(match))
    if answerCount == 1 { unturned += 1 }
    let away = Double.random(in: Self.distance, using: &random)
    let (below, above) = (range.held(ends[ends.count - 1] - away), range.held(ends[ends.count - 1] + away))
    start = isFromBelow ? below : above
    begin(at: start)
  }

  private mutating func begin(at level: Double) {
    (self.level, step, last, answerCount, hasRepeatedLimit) = (level, Self.firstStep, nil, 0, false)
  }

  /// Half the distance of runs from above and from below, dB, on average; nil until all trials are done.
  var hysteresis: Double? {
    guard isFinished, !pairs.isEmpty else { return nil }
    return pairs.reduce(0) { $0 + ($1.above - $1.below) / 2 } / Double(pairs.count)
  }

  /// Nil until all trials are done.
  var result: LoudnessMatchResult? {
    guard isFinished, !pairs.isEmpty else { return nil }
    return LoudnessMatchResult(
      matches: pairs.map { ($0.below + $0.above) / 2 }, range: range,
      isAtLimit: ends.contains { $0 >= range.ceiling.decibels || $0 <= range.floor.decibels },
      isNotTurned: 2 * unturned > ends.count)
  }

  private var pairs: [(below: Double, above: Double)] {
    stride(from: 0, to: ends.count - 1, by: 2).map { (ends[$0], ends[$0 + 1]) }
  }
}
