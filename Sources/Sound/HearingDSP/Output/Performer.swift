/// Makes the sound of both ears, a hop at a time, from what the microphones heard.
///
/// Its sound reaches an ear only behind an ``OutputSafety``, by way of a ``LimitedPerformer``.
///
/// - Threads: built on `control`; everything here on `audio`, where it allocates, locks and throws nothing.
public protocol Performer: ~Copyable {
  /// What control publishes to change the performer, immutable.
  associatedtype Setting: PerformerSetting

  /// Sizes of a block and of its hops.
  var geometry: ChainGeometry { get }

  /// Whether it has sound to be heard; while it has none the loop keeps the output closed.
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

  /// Takes note of the hop as it is played, after limiter, ramp and lowering.
  ///
  /// A report that is broken says that the hop was not finite: the performer forgets everything heard.
  mutating func note(
    left: borrowing MutableSpan<Float>, right: borrowing MutableSpan<Float>, from start: Int, frames: Int,
    played: OutputReport)

  /// Forgets everything heard, after a gap in the sound.
  mutating func restart()
}

/// A setting of a performer: immutable, and with the greatest output that goes with it.
public protocol PerformerSetting: AnyObject, Sendable {
  /// Greatest output of each ear.
  var limits: OutputLimits { get }
}

/// What a performer asks of the output safety stage for one hop. It can only make the sound softer.
public struct OutputRequest: BitwiseCopyable, Sendable {
  /// Silences the hop at once; the sound then rises anew.
  public var isSilent = false
  /// Factor of each ear at the hop's ends, linear, 0...1, applied behind the limiter and the ramp.
  public var left = Factor()
  public var right = Factor()

  /// Nothing beyond the limits.
  public init() {}

  /// A factor that moves in a straight line over a hop.
  public struct Factor: BitwiseCopyable, Sendable {
    public var from: Float = 1
    public var to: Float = 1

    /// - Parameters: Factors before the hop's first sample and at its last.
    public init(from: Float = 1, to: Float = 1) { (self.from, self.to) = (from, to) }
  }
}

/// What the output safety stage did to one hop.
public struct OutputReport: BitwiseCopyable, Sendable {
  public var left = Ear()
  public var right = Ear()
  /// Factor of the ramp at the end of the hop, linear, 0...1.
  public var ramp: Float = 0

  /// Whether an ear's hop was not finite; both ears are silent then.
  public var isBroken: Bool { left.isBroken || right.isBroken }

  /// One ear's hop, behind the limiter and before the ramp.
  public struct Ear: BitwiseCopyable, Sendable {
    /// Mean square.
    public var power: Float = 0
    /// ``power`` relative to that of a sine at the ear's limit.
    public var limitShare: Float = 0
    /// Least gain of the limiter, linear; 1 when idle.
    public var limiterGain: Float = 1
    /// Whether a sample was not finite.
    public var isBroken = false
  }
}
