/// The slow half of a compressor with two speeds: the level of the listening situation, which sets the gain
/// while nothing sudden happens.
///
/// The fast half takes over where the momentary level exceeds the average by more than ``threshold``, and
/// hands back when it has fallen to the average: a loud onset is held at once, and what follows a short one
/// keeps its gain. Two voltages of which the fast one acts 8 dB above the slow one: the dual front-end AGC of
/// Moore, Glasberg and Stone (1991, Br. J. Audiol. 25:171–182); the figures here from memory.
///
/// - Threads: `any`.
public struct SlowAverage: Sendable, Equatable {
  /// Attack time by the standard's step, s, as ``Dynamics/attack``; how long a situation must be louder to
  /// count as a louder one.
  public var attack: Double
  /// Release time by the standard's step, s, as ``Dynamics/release``; what a measurement by the standard finds
  /// as the release of the whole.
  public var release: Double
  /// How far the momentary level must exceed the average before the fast half begins to take over, dB; it has done
  /// so wholly ``blend`` above that.
  public var threshold: Double

  /// Attack times accepted, s: as fast as a syllable, and as slow as walking out of a room.
  public static let attackRange = 0.05...10.0
  /// Release times accepted, s.
  public static let releaseRange = 0.1...30.0
  /// Thresholds accepted, dB: speech peaks lie 12 dB above its average, and at 40 dB the fast half sleeps.
  public static let thresholdRange = 3.0...40.0
  /// Way from the average to the momentary level, dB above ``threshold``. Own choice: gain then moves no more
  /// than four times as fast as the level where the two hand over, and no step is heard.
  public static let blend = 4.0

  public init(attack: Double = 0.325, release: Double = 1, threshold: Double = 8) {
    self.attack = attack
    self.release = release
    self.threshold = threshold
  }

  /// Refuses times that are not slower than the fast half's, and what the chain cannot reach.
  func check(against fast: Dynamics) throws(ChainError) {
    try Self.check(attack, "average attack", Self.attackRange, least: fast.attack)
    try Self.check(release, "average release", Self.releaseRange, least: fast.release)
    guard Self.thresholdRange.contains(threshold) else {
      throw .effectOutOfRange(name: "average threshold", found: threshold, range: Self.thresholdRange)
    }
  }

  private static func check(
    _ time: Double, _ name: String, _ range: ClosedRange<Double>, least: Double
  ) throws(ChainError) {
    let allowed = min(max(least, range.lowerBound), range.upperBound)...range.upperBound
    guard allowed.contains(time) else { throw .timeOutOfRange(name: name, found: time, range: allowed) }
  }
}
