public import Acoustics
import Glibc

/// Range in which a match may sound, of one ear at one frequency.
///
/// - Threads: any.
public struct MatchRange: Sendable, Hashable, Codable {
  /// The ear's threshold there, dB HL.
  public let threshold: HearingLevel
  /// dB HL; nothing sounds louder.
  public let ceiling: HearingLevel
  /// dB HL; the softest tone, so that one who matches at silence is seen to.
  public let floor: HearingLevel

  /// Loudest that a match may be, in the coupler. Own choice, for safety.
  public static let greatestLevel = SoundPressureLevel(85)
  /// Furthest that a match may lie above the threshold. Own choice, for safety.
  static let greatestSensation = SensationLevel(60)

  /// - Parameters:
  ///   - threshold: dB HL, through the same earphone.
  ///   - reference: Of 0 dB HL there, dB SPL.
  ///   - limit: Loudest that the aid may be, dB SPL.
  ///   - softest: Softest tone that the device resolves, dB HL: below it a match would be one of sounds that rounding makes, or of silence.
  /// - Returns: Nil where the ceiling lies below the threshold: the match cannot be made safely.
  public init?(
    threshold: HearingLevel, reference: SoundPressureLevel, limit: SoundPressureLevel,
    softest: HearingLevel = HearingLevel(-.infinity)
  ) {
    let loudest = HearingLevel(min(Self.greatestLevel, limit) - reference)
    let ceiling = min(loudest, threshold + Self.greatestSensation.decibels)
    guard ceiling >= threshold else { return nil }
    (self.threshold, self.ceiling) = (threshold, ceiling)
    floor = min(ceiling, max(min(threshold - 10, Audiogram.levels.lowerBound), softest))
  }

  func held(_ level: Double) -> Double { min(max(level, floor.decibels), ceiling.decibels) }
}

/// Reservations about the threshold that a match goes by: levels above it are no exact ones.
///
/// - Threads: any.
public struct ThresholdReservation: Sendable, Hashable, Codable {
  /// True: the softest tone of the hearing test was heard. The threshold lies there or below, and levels above it are lower bounds.
  public let isOrBelow: Bool
  /// True: a doubt of the hearing test is about it.
  public let isInDoubt: Bool

  /// - Returns: Nil where neither is so.
  public init?(isOrBelow: Bool, isInDoubt: Bool) {
    guard isOrBelow || isInDoubt else { return nil }
    (self.isOrBelow, self.isInDoubt) = (isOrBelow, isInDoubt)
  }
}

/// A match by adjustment: the listener turns a tone up and down until it is as loud as their tinnitus, in several trials.
///
/// The first trial begins 5 dB above the threshold; each other one as far from the last match as from the softest tone, up or down by turns,
/// so that nobody finds it by counting.
///
/// - Threads: any.
public struct LoudnessAdjustment: Sendable, Hashable, Codable {
  let range: MatchRange
  /// Trials in all.
  let trialCount: Int
  /// Matches so far, dB HL.
  private(set) var matches: [Double] = []
  /// Level that sounds, dB HL.
  private(set) var level: Double
  /// Keys of the trial under way.
  private(set) var keyCount = 0
  /// Trials whose tone was taken as it began.
  private var unturned = 0

  /// Steps of the keys, dB (the tinnitus study, docs/sources.md).
  public static let steps = [1.0, 5]
  /// Beginning of the first trial above the threshold, dB SL (the tinnitus study).
  private static let firstSensation = 5.0
  /// Distance of a trial's beginning from the last match, dB. Own choice: more than a step, and little to turn back.
  private static let distance = 8.0
  /// Range of matches above which they are called scattered, dB (the tinnitus study).
  static let greatestRange = 10.0

  init(_ range: MatchRange, trialCount: Int = 3) {
    (self.range, self.trialCount) = (range, LoudnessPlan.held(trialCount))
    level = range.held(range.threshold.decibels + Self.firstSensation)
  }

  var isFinished: Bool { matches.count >= trialCount }

  /// Turns the tone.
  ///
  /// - Parameter change: dB, one of ±``steps``; anything else, and all after the end, changes nothing.
  mutating func turn(_ change: Double) {
    guard !isFinished, Self.steps.contains(abs(change)) else { return }
    keyCount += 1
    level = range.held(level + change)
  }

  /// The tone is as loud as the tinnitus.
  mutating func accept() {
    guard !isFinished else { return }
    matches.append(level)
    if keyCount == 0 { unturned += 1 }
    repeatTrial()
  }

  /// Begins the trial, once more after an interruption.
  mutating func repeatTrial() {
    keyCount = 0
    guard let last = matches.last else {
      return level = range.held(range.threshold.decibels + Self.firstSensation)
    }
    let away = matches.count.isMultiple(of: 2) ? Self.distance : -Self.distance
    // Where the range ends the other way is taken: a trial that begins at the last match proves nothing.
    let start = range.held(last + away)
    level = abs(start - last) < Self.steps[0] ? range.held(last - away) : start
  }

  /// Nil until all trials are done.
  var result: LoudnessMatchResult? {
    guard isFinished else { return nil }
    return LoudnessMatchResult(matches: matches, range: range, isNotTurned: 2 * unturned > matches.count)
  }
}

/// Outcome of a loudness match.
///
/// - Threads: any.
struct LoudnessMatchResult: Sendable, Hashable, Codable {
  /// Each trial's, dB HL.
  let matches: [Double]
  let threshold: HearingLevel
  /// True where a match lies at the end of what may be played: the true one may lie beyond.
  let isAtLimit: Bool
  /// True where most trials, or runs of which they were made, ended at their first tone: they prove nothing.
  let isNotTurned: Bool

  /// - Parameters:
  ///   - isAtLimit: True where something that the matches were made from lies at an end already.
  ///   - isNotTurned: True where most of that ended at its first tone.
  init(matches: [Double], range: MatchRange, isAtLimit: Bool = false, isNotTurned: Bool = false) {
    (self.matches, threshold, self.isNotTurned) = (matches, range.threshold, isNotTurned)
    self.isAtLimit =
      isAtLimit || matches.contains { $0 >= range.ceiling.decibels || $0 <= range.floor.decibels }
  }

  /// Median of the trials, dB HL.
  var level: HearingLevel {
    let sorted = matches.sorted()
    let middle = sorted.count / 2
    return HearingLevel(
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle])
  }

  /// The same above the threshold, dB SL.
  var sensationLevel: SensationLevel { SensationLevel(level - threshold) }

  /// Standard deviation of the trials, dB; nil of one trial. Without bias for normal errors: the root of the sample's variance is too
  /// small by c₄(n), 0.886 of three trials (Holtzman 1950, from memory).
  var deviation: Double? {
    guard matches.count > 1 else { return nil }
    let count = Double(matches.count)
    let mean = matches.reduce(0, +) / count
    let squares = matches.reduce(0.0) { sum, match in
      let deviation = match - mean
      return sum + deviation * deviation
    }
    let gammas: Double = lgamma(count / 2) - lgamma((count - 1) / 2)
    let c4 = (2 / (count - 1)).squareRoot() * exp(gammas)
    return (squares / (count - 1)).squareRoot() / c4
  }

  /// True where the trials lie further apart than ``LoudnessAdjustment/greatestRange``.
  var isScattered: Bool {
    (matches.max() ?? 0) - (matches.min() ?? 0) > LoudnessAdjustment.greatestRange
  }
}
