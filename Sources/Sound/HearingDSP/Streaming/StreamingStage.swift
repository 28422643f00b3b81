import Glibc
import Realtime

/// Adds streamed sound to both ears before the limiter, and lowers the microphones while it sounds.
///
/// The sound comes from a ``StreamingFeed`` with the prescription of each ear already applied, by a chain of its own on
/// a thread of its own: here it costs an addition a sample, so that the microphones' delay and the real-time thread's
/// work stay as they are. It is added behind everything that treats sound of the microphones; the canceller knows it as
/// part of what is played, which is what may come back.
///
/// It begins in silence and rises once enough waits, and falls while the last of it is left, before it would break off.
/// Without a feed, or off, it costs one load a hop.
///
/// - Threads: built on `control`, run on `audio`.
@safe struct StreamingStage: ~Copyable {
  /// Time from silence to full sound, s. Own choice: as a voice that is faded in; sound that was streamed before is known.
  static let riseTime = 0.2
  /// Time from full sound to silence, s. Own choice: long enough not to click, and short, because as much always has to
  /// wait.
  static let fallTime = 0.005
  /// Frames waiting, in targets, of which part is thrown away, faded: what piled up while no aid played. Own choice.
  private static let most = 3

  private let feed: StreamingFeed?
  // The same without counting of references, for the audio thread.
  private let uncounted: Unmanaged<StreamingFeed>?
  private var isHeard = false
  private var isFalling = false
  /// Last ``StreamingFeed/target`` above 0, frames: after the end of the stream what waits is measured by it.
  private var target = 0
  /// Position between silence and sound, 0...1.
  private var position: Float = 0
  private let riseStep: Float
  private let fallStep: Float
  /// Frames that must wait beyond a hop; otherwise the sound falls.
  private let reserve: Int
  private var microphones: GlidingFactor
  /// Factor of the microphones that goes with streamed sound.
  private var lowered: Float = 1
  private(set) var meters = StreamingMeters()

  init(_ feed: StreamingFeed?, geometry: ChainGeometry) {
    self.feed = feed
    unsafe uncounted = feed.map { unsafe Unmanaged.passUnretained($0) }
    riseStep = Float(1 / (Self.riseTime * geometry.sampleRate))
    fallStep = Float(1 / (Self.fallTime * geometry.sampleRate))
    reserve = Int((Self.fallTime * geometry.sampleRate).rounded(.up)) + geometry.longestHop
    microphones = GlidingFactor(1, hopTime: geometry.hopTime)
  }

  /// Least ``StreamingFeed/target`` with which sound goes on, frames.
  static func leastTarget(_ geometry: ChainGeometry) -> Int {
    Int((fallTime * geometry.sampleRate).rounded(.up)) + geometry.longestHop + geometry.blockFrames
  }

  /// Moves to another setting.
  ///
  /// - Parameter microphones: Factor of their sound while there is streamed sound, linear, above 0.
  mutating func retarget(toMicrophones microphones: Float) { lowered = microphones }

  /// After a gap in the sound: what waited is thrown away, and the sound rises anew.
  mutating func reset() {
    (isHeard, isFalling, position) = (false, false, 0)
    meters.isHeard = false
    guard let uncounted = unsafe uncounted else { return }
    unsafe uncounted._withUnsafeGuaranteedRef { $0.skip(StreamingFeed.room) }
  }

  /// Lowers a hop of the microphones' sound while there is streamed sound.
  mutating func processMicrophones(
    _ left: inout Samples, _ right: inout Samples, from start: Int, frames: Int
  ) {
    guard let uncounted = unsafe uncounted else { return }
    let isSounding = unsafe uncounted._withUnsafeGuaranteedRef { $0.isSounding }
    let wanted = isHeard && !isFalling && isSounding ? lowered : 1
    if microphones.value == 1, wanted == 1 { return }
    let (from, to) = microphones.process(towards: wanted)
    meters.microphones = to
    let step = (to - from) / Float(frames)
    for n in 0..<frames {
      let factor = from + step * Float(n + 1)
      left[start + n] *= factor
      right[start + n] *= factor
    }
  }

  /// Adds a hop of streamed sound, as far as there is any.
  mutating func processOutput(_ left: inout Samples, _ right: inout Samples, from start: Int, frames: Int) {
    guard let uncounted = unsafe uncounted else { return }
    let (present, wanted) = unsafe uncounted._withUnsafeGuaranteedRef { ($0.waiting, $0.target) }
    var waiting = present
    if wanted > 0 { target = wanted }
    if !isHeard {
      // Nothing is to begin with what was left of before.
      if wanted == 0, waiting > 0 { unsafe uncounted._withUnsafeGuaranteedRef { $0.skip(waiting) } }
      guard wanted > 0, waiting >= target else { return }
      if waiting > Self.most * target {
        unsafe uncounted._withUnsafeGuaranteedRef { $0.skip(waiting - target) }
        waiting = target
      }
      (isHeard, isFalling, position, meters.isHeard) = (true, false, 0, true)
    }
    isFalling = isFalling || waiting < frames + reserve || waiting > Self.most * max(target, reserve)
    add(min(frames, waiting), &left, &right, from: start)
    // What was to follow and does not come is silence.
    if isFalling, waiting < frames { position = 0 }
    if isFalling, position == 0 { end() }
  }

  /// Adds the next `count` frames behind the ramp.
  private mutating func add(_ count: Int, _ left: inout Samples, _ right: inout Samples, from start: Int) {
    guard let uncounted = unsafe uncounted, count > 0 else { return }
    position = unsafe uncounted._withUnsafeGuaranteedRef {
      $0.add(
        count, &left, &right, from: start, position: position, step: isFalling ? -fallStep : riseStep)
    }
  }

  /// Silence, until enough waits again.
  private mutating func end() {
    guard let uncounted = unsafe uncounted else { return }
    // The rest would follow upon silence with a step.
    let isMissed = unsafe uncounted._withUnsafeGuaranteedRef { $0.end() }
    if isMissed { meters.interruptions += 1 }
    (isHeard, isFalling, meters.isHeard) = (false, false, false)
  }
}
