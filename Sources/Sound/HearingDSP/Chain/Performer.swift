public import Acoustics

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

  /// Writes what the gain of the last hop was made of, where it has any.
  func read(into frame: inout ChainFrame)

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

  /// No gain.
  @inlinable public func read(into frame: inout ChainFrame) {}
}

/// A setting of a performer: immutable, and with the greatest output that goes with it.
public protocol PerformerSetting: AnyObject, Sendable {
  /// Greatest output of each ear.
  var limits: OutputLimits { get }
  /// Time in which its sound rises from silence, s, at least ``OutputSafety/shortestRise``; nil: the stage's own.
  var rise: Double? { get }
}

extension PerformerSetting {
  /// The stage's own.
  public var rise: Double? { nil }
}

/// A performer behind its output safety stage: the only way from a performer to an ear, live or into a
/// file.
///
/// Each hop goes from the performer through the safety stage, and back to the performer as it is played.
///
/// - Threads: built on `control`, run on `audio`. What is here allocates, locks and throws nothing.
public struct LimitedPerformer<P: Performer & ~Copyable>: ~Copyable {
  /// The performer itself; its sound gets out by ``process(left:right:intoLeft:intoRight:)`` alone.
  public var performer: P
  @usableFromInline var safety: OutputSafety

  /// Puts a performer behind a stage that is silent until ``open()``.
  ///
  /// - Parameters:
  ///   - limits: Greatest output, until another setting brings others.
  ///   - rise: Time from silence to full sound, s; at least ``OutputSafety/shortestRise``.
  public init(_ performer: consuming P, limits: OutputLimits, rise: Double) {
    safety = OutputSafety(limits: limits, geometry: performer.geometry, rise: rise)
    self.performer = performer
  }

  /// Sizes of a block and of its hops.
  @inlinable @inline(__always) public var geometry: ChainGeometry { performer.geometry }

  /// True when the output is silence and stays so.
  @inlinable @inline(__always) public var isSilent: Bool { safety.isSilent }

  /// True while sound is wanted: it rises, or has risen.
  @inlinable @inline(__always) public var isOpen: Bool { safety.isOpen }

  /// True while sound rises to its full level.
  @inlinable @inline(__always) public var isRising: Bool { safety.isRising }

  /// Hops that the performer made and that were not finite.
  @inlinable @inline(__always) public var brokenHops: Int64 { safety.brokenHops }

  /// Lets sound rise from silence.
  @inlinable @inline(__always) public mutating func open() { safety.open() }

  /// Lets sound fall to silence, within ``OutputSafety/fallTime``.
  @inlinable @inline(__always) public mutating func close() { safety.close() }

  /// After a gap in the sound: forgets everything heard, falls silent at once and rises again if it was
  /// open.
  @inlinable @inline(__always) public mutating func restart() {
    performer.restart()
    safety.restart()
  }

  /// Moves to another setting, with its limits.
  @inlinable @inline(__always) public mutating func retarget(to setting: P.Setting) {
    performer.retarget(to: setting)
    safety.retarget(to: setting.limits, rise: setting.rise)
  }

  /// Processes one block.
  ///
  /// - Parameters:
  ///   - leftInput: `blockFrames` samples of the left microphone, full scale ± 1.
  ///   - rightInput: Of the right one, or the same for a single microphone.
  ///   - leftOutput: `blockFrames` samples for the left ear.
  ///   - rightOutput: For the right ear.
  /// - Complexity: O(block).
  @inlinable @inline(__always) public mutating func process(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>,
    intoLeft leftOutput: inout MutableSpan<Float>, intoRight rightOutput: inout MutableSpan<Float>
  ) {
    let geometry = performer.geometry
    for hop in 0..<geometry.hopsPerBlock {
      let start = geometry.hopStart(hop)
      let frames = geometry.hopStart(hop + 1) - start
      let request = performer.process(
        left: leftInput, right: rightInput, intoLeft: &leftOutput, intoRight: &rightOutput, from: start,
        frames: frames)
      let report = safety.process(&leftOutput, &rightOutput, from: start, frames: frames, request: request)
      performer.processPlayed(
        left: leftOutput, right: rightOutput, from: start, frames: frames, played: report)
    }
  }
}

/// The hearing aid's chain behind its output safety stage.
public typealias LimitedChain = LimitedPerformer<HearingChain>

extension LimitedPerformer where P == HearingChain {
  /// Builds a chain that is silent until ``open()``.
  ///
  /// - Parameters:
  ///   - parameters: First setting, built for the same bands and geometry.
  ///   - rise: Time from silence to full sound, s; at least ``OutputSafety/shortestRise``.
  ///   - streaming: Source of streamed sound; nil: none.
  ///   - former: Meters of the chain that this one follows, whose counts go on; nothing by default.
  /// - Throws: ``ChainError/noPlan(length:)``.
  public init(
    geometry: ChainGeometry, bands: BandLayout, parameters: ChainParameters, rise: Double = 0.3,
    streaming: StreamingFeed? = nil, after former: ChainMeters = ChainMeters()
  ) throws(ChainError) {
    self.init(
      try HearingChain(
        geometry: geometry, bands: bands, parameters: parameters, streaming: streaming, after: former),
      limits: parameters.limits, rise: rise)
  }

  /// Meters of the sound so far.
  public var meters: ChainMeters { performer.meters }
}

#if RT_LINT
  /// Compiled for the compiler's analysis only: a chain behind its safety stage neither allocates nor
  /// locks.
  @_noAllocation
  func proveLimitedChain(
    _ chain: inout LimitedChain, _ setting: ChainParameters, left: borrowing Span<Float>,
    right: borrowing Span<Float>, intoLeft leftOutput: inout MutableSpan<Float>,
    intoRight rightOutput: inout MutableSpan<Float>
  ) -> Bool {
    chain.retarget(to: setting)
    chain.open()
    chain.process(left: left, right: right, intoLeft: &leftOutput, intoRight: &rightOutput)
    var frame = ChainFrame()
    chain.performer.read(into: &frame)
    chain.close()
    chain.restart()
    return chain.isSilent && chain.brokenHops == 0
  }
#endif
