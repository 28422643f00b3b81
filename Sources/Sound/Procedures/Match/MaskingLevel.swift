import Acoustics

/// A search for the minimum masking level: noise rises from its own threshold until the tinnitus is just not heard any more, several times.
///
/// - Threads: any.
struct MaskingLevelSearch: Sendable, Hashable, Codable {
  /// Threshold of the noise in this ear, the loudest that may sound, dB HL.
  let range: MatchRange
  /// Level of the noise, dB HL; nil: finished.
  private(set) var next: HearingLevel?
  /// Levels at which the tinnitus vanished, one of each rise, dB HL.
  private(set) var ends: [Double] = []
  /// Rises in which it was heard through the loudest noise.
  private(set) var unmasked = 0
  /// Highest level at which it had vanished in the first noise of a rise, so that it may vanish below, dB HL.
  private var highestFirst: Double?
  /// True while the first noise of a rise sounds.
  private var isFirst = true

  /// Rises in all; own choice, as many as trials of a match.
  static let rises = 3
  /// First and later steps, dB (1 to 2 dB: from memory).
  private static let steps = (first: 2.0, later: 1.0)
  /// Distance below the last end at which the next rise begins, dB. Own choice.
  private static let fall = 6.0

  /// - Parameter range: With the threshold of the noise itself.
  init(_ range: MatchRange) {
    self.range = range
    next = range.threshold
  }

  /// Takes the answer to the noise of ``next``.
  mutating func answer(isTinnitusHeard: Bool) {
    guard let level = next?.decibels else { return }
    if isTinnitusHeard {
      guard level < range.ceiling.decibels else { return end(unmasked: true) }
      isFirst = false
      next = HearingLevel(range.held(level + (ends.isEmpty ? Self.steps.first : Self.steps.later)))
    } else {
      ends.append(level)
      if isFirst { highestFirst = max(highestFirst ?? level, level) }
      end(unmasked: false)
    }
  }

  private mutating func end(unmasked isUnmasked: Bool) {
    if isUnmasked { unmasked += 1 }
    isFirst = true
    guard ends.count + unmasked < Self.rises else { return next = nil }
    let start = (ends.last ?? range.ceiling.decibels) - Self.fall
    next = HearingLevel(max(range.held(start), range.threshold.decibels))
  }

  /// Minimum masking level, dB HL: the median of the rises, of which one in which the tinnitus was heard to the end counts as above every
  /// level. Nil before the end, and where no noise that may sound masks the tinnitus.
  var level: HearingLevel? {
    guard next == nil else { return nil }
    let all = ends + Array(repeating: Double.infinity, count: unmasked)
    let median = LoudnessMatchResult(matches: all, range: range).level
    return median.decibels.isFinite ? median : nil
  }

  /// True where ``level`` is an upper bound, for a rise that ended there or above did so at its first noise, which proves nothing
  /// of softer ones.
  var isLevelOrBelow: Bool {
    guard let level, let highestFirst else { return false }
    return level.decibels <= highestFirst
  }

  /// ``level`` above the noise's threshold, dB SL.
  var sensationLevel: SensationLevel? { level.map { SensationLevel($0 - range.threshold) } }
}
