/// Makes the sound of both ears, a hop at a time, from what the microphones heard.
///
/// Its sound reaches an ear only behind an ``OutputSafety``, by way of a ``LimitedPerformer``.
///
/// - Threads: built on `control`; everything here on `audio`, where it allocates, locks and throws nothing.
public protocol Performer: ~Copyable {
  /// Immutable object that control publishes to change the performer.
  associatedtype Setting: PerformerSetting

  /// Sizes of a block and of its hops.
  var geometry: ChainGeometry { get }

  /// True while it has sound to be heard; otherwise the loop keeps the output closed.
  var isPlaying: Bool { get }

  /// Writes its meters, where it has any.
  func read(into meters: inout ChainMeters)

  /// Moves to another setting.
  mutating func retarget(to setting: Setting)

  /// Makes one hop.
  ///
  /// - Parameters:
  ///   - leftInput: A block of the left microphone, full scale ± 1; the hop is `start ..< start + frames`.
  ///   - rightInput: Of the right one, or the same for a single microphone.
  ///   - leftOutput: The left ear's block; the hop's samples are written.
  ///   - rightOutput: The right ear's.
  /// - Returns: Limits on this hop beyond those of the output safety stage.
  mutating func process(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>,
    intoLeft leftOutput: inout MutableSpan<Float>, intoRight rightOutput: inout MutableSpan<Float>,
    from start: Int, frames: Int
  ) -> OutputRequest

  /// Processes the hop as it is played, after limiter, ramp and lowering.
  ///
  /// A report that is broken says that the hop was not finite: the performer forgets everything heard.
  mutating func processPlayed(
    left: borrowing MutableSpan<Float>, right: borrowing MutableSpan<Float>, from start: Int, frames: Int,
    played: OutputReport)

  /// Tells control what has ended with the block that was written; may write to an event counter, and is
  /// not part of a block's work.
  mutating func tell()

  /// Forgets everything heard, after a gap in the sound.
  mutating func restart()
}

extension Performer where Self: ~Copyable {
  /// Nothing ends.
  @inlinable public func tell() {}
}

/// A setting of a performer: immutable, and with the greatest output that goes with it.
public protocol PerformerSetting: AnyObject, Sendable {
  /// Greatest output of each ear.
  var limits: OutputLimits { get }
}
