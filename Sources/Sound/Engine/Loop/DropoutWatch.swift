/// Notices drop-outs that come so often that the sound stays below its full level: each one begins again from silence.
///
/// - Threads: `audio`; allocates nothing.
public struct DropoutWatch: BitwiseCopyable, Sendable {
  /// Reason for people, a clause.
  public static let reason =
    "the sound device drops out again and again: ask for a longer period or more periods in the configuration, under [device]"

  /// Time below the full level after which that is told, and at it after which it ceases to be, s. Own choice: several of the
  /// usual rises.
  static let patience = 3.0
  /// Drop-outs in that time: a long rise after one or two of them is as it should be. Own choice.
  static let fewest = 3

  /// True while the sound is kept down by drop-outs.
  public private(set) var isKeptDown = false
  /// Time below the full level, and at it, in a row, s.
  private var (below, full) = (0.0, 0.0)
  private var dropouts = 0

  /// Nothing has dropped out.
  init() {}

  /// Counts a drop-out.
  mutating func note() { dropouts += 1 }

  /// Forgets everything: no sound is wanted.
  mutating func forget() { self = DropoutWatch() }

  /// Counts a block of sound that is wanted.
  ///
  /// - Parameters:
  ///   - time: Its length, s.
  ///   - isRising: True below the full level.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func count(_ time: Double, isRising: Bool) {
    if isRising {
      (below, full) = (below + time, 0)
      if below > Self.patience, dropouts >= Self.fewest { isKeptDown = true }
    } else {
      (below, full, dropouts) = (0, full + time, 0)
      if full > Self.patience { isKeptDown = false }
    }
  }
}
