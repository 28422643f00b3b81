import Realtime
import Synchronization

/// Streamed sound, calls or music, on its way to the audio thread: as the ears are to hear it, before the limiter.
///
/// The thread of the stream pushes, the audio thread takes what there is and never waits. How much is to wait in
/// between, ``target``, is the stream's to say, because it knows how its source delivers.
///
/// What `audio` calls is exempt from the compiler's analysis, which does not look into atomics of generic types; the
/// allocation probe does.
///
/// - Threads: created on control; one thread pushes, `audio` takes.
public final class StreamingFeed: Sendable {
  /// Frames that there is room for: 0.34 s at 96 kHz, more than the longest period of a source and its target.
  public static let room = 1 << 15
  /// Greatest ``target``, frames: the rest of the room is for what arrives at once.
  public static let greatestTarget = room / 4
  /// Greatest magnitude let in, linear: as of a microphone (``PairHistory/ceiling``) with the highest gain that any band
  /// may have, `4 · 10^(80/20)`. The limiter holds what is above its limit; beyond this it would be no sound.
  private static let ceiling: Float = 40_000

  let frames = SPSCRing<SIMD2<Float>>(capacity: room)
  let wanted = Atomic(0)
  let sounding = Atomic(false)
  let flowing = Atomic(false)
  let broken = Atomic(0)

  /// A feed that is silent.
  public init() {}

  /// Frames that are to wait here; sound begins when they do. 0: none is to begin, and what waits runs out.
  ///
  /// - Threads: the one that pushes.
  public var target: Int {
    @_semantics("no_performance_analysis") get { wanted.load(ordering: .relaxed) }
    set { wanted.store(min(max(newValue, 0), Self.greatestTarget), ordering: .relaxed) }
  }

  /// True while there is sound in the stream, not only silence: the microphones are lowered for it.
  ///
  /// - Threads: the one that pushes.
  public var isSounding: Bool {
    @_semantics("no_performance_analysis") get { sounding.load(ordering: .relaxed) }
    set { sounding.store(newValue, ordering: .relaxed) }
  }

  /// True while frames are meant to follow: where they do not, that is an interruption, and counted.
  ///
  /// - Threads: the one that pushes.
  public var isFlowing: Bool {
    @_semantics("no_performance_analysis") get { flowing.load(ordering: .relaxed) }
    set { flowing.store(newValue, ordering: .relaxed) }
  }

  /// Times that the sound ended although more was meant to follow.
  ///
  /// - Threads: any.
  public var interruptions: Int { broken.load(ordering: .relaxed) }

  /// Frames that wait.
  public var waiting: Int { @_semantics("no_performance_analysis") get { frames.count } }

  /// Frames taken so far: it stands still while no aid plays.
  public var taken: Int { frames.popped }

  /// Appends frames, all or none. What is not a number becomes silence.
  ///
  /// - Returns: False when there is no room.
  /// - Threads: the one that pushes.
  public func push(
    left: borrowing AlignedBuffer<Float>, right: borrowing AlignedBuffer<Float>, count: Int
  ) -> Bool {
    precondition(count <= left.count && count <= right.count, "frames outside the buffers")
    return frames.push(count) { n in
      unsafe SIMD2(Self.bounded(left[unchecked: n]), Self.bounded(right[unchecked: n]))
    }
  }

  /// Throws all frames away, where the sound has ended.
  ///
  /// - Returns: True when more was meant to follow.
  /// - Threads: audio.
  @_semantics("no_performance_analysis") func end() -> Bool {
    frames.skip(Self.room)
    guard isFlowing else { return false }
    broken.add(1, ordering: .relaxed)
    return true
  }

  /// Throws the oldest frames away, at most `count`.
  ///
  /// - Threads: audio.
  @_semantics("no_performance_analysis") func skip(_ count: Int) { frames.skip(count) }

  /// Adds the oldest `count` frames, which must be there, to both ears, behind a ramp: a raised cosine by its polynomial
  /// 3x² − 2x³.
  ///
  /// - Parameters:
  ///   - start: First sample of the ears that is added to.
  ///   - position: Of the ramp between silence and sound, 0...1.
  ///   - step: Of the position, from sample to sample.
  /// - Returns: Position at the last frame.
  /// - Threads: audio.
  @_semantics("no_performance_analysis") func add(
    _ count: Int, _ left: inout Samples, _ right: inout Samples, from start: Int, position: Float,
    step: Float
  ) -> Float {
    var position = position
    precondition(start >= 0 && start + count <= left.count && start + count <= right.count)
    _ = frames.pop(count) { n, frame in
      position = min(1, max(0, position + step))
      let factor = position * position * (3 - 2 * position)
      unsafe left[unchecked: start + n] += factor * frame[0]
      unsafe right[unchecked: start + n] += factor * frame[1]
    }
    return position
  }

  @inline(__always) private static func bounded(_ sample: Float) -> Float {
    // Not a number compares false.
    sample > -ceiling ? (sample < ceiling ? sample : ceiling) : sample <= -ceiling ? -ceiling : 0
  }
}

/// State of streamed sound on the audio thread, as plain numbers that cross threads.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct StreamingMeters: BitwiseCopyable, Sendable, Hashable {
  /// True while streamed sound is played, silence in it included.
  public internal(set) var isHeard = false
  /// Times that the sound ended although more was meant to follow.
  public internal(set) var interruptions: Int64 = 0
  /// Factor of the microphones' sound at the end of the last hop, linear, 0...1.
  public internal(set) var microphones: Float = 1

  /// Nothing streamed yet.
  public init() {}

  /// Attenuation of the microphones, dB, not negative.
  public var microphoneReduction: Double { max(0, -Double(Decibel.fromPower(microphones * microphones))) }
}
