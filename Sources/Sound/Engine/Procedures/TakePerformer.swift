import Acoustics
import HearingDSP
import Realtime

/// Plays the takes of a procedure, and records them. Silent between two takes.
///
/// - Threads: built on `control`, run on `audio`.
@safe struct TakePerformer: Performer, ~Copyable {
  let geometry: ChainGeometry
  /// The take under way, which the hand-over keeps alive until the next one is given here.
  private var take: Unmanaged<Take>?
  /// True from the end of the recording, or a gap in the sound, while the sound fades out.
  private var isFading = false
  private var isBroken = false
  /// True from the end of a take until control has been told.
  private var hasEnded = false
  private var played = 0
  private var recorded = 0

  init(geometry: ChainGeometry) { self.geometry = geometry }

  /// True while a take sounds that does not fade out.
  var isPlaying: Bool {
    guard !isFading, !hasEnded, let take = unsafe take else { return false }
    return unsafe take._withUnsafeGuaranteedRef { $0.score.factor > 0 }
  }

  /// Nothing: a procedure has no meters.
  func read(into meters: inout ChainMeters) {}

  /// Begins a take.
  mutating func retarget(to setting: Take) {
    unsafe take = setting.begin() ? Unmanaged.passUnretained(setting) : nil
    hasEnded = false
    (isFading, isBroken, played, recorded) = (false, false, 0, 0)
  }

  /// The sound had a gap: what was recorded is worth nothing.
  mutating func restart() { (isFading, isBroken) = (true, true) }

  mutating func process(
    left leftInput: borrowing Span<Float>, right rightInput: borrowing Span<Float>,
    intoLeft leftOutput: inout MutableSpan<Float>, intoRight rightOutput: inout MutableSpan<Float>,
    from start: Int, frames: Int
  ) -> OutputRequest {
    for index in start..<start + frames {
      leftOutput[index] = 0
      rightOutput[index] = 0
    }
    guard !hasEnded, let take = unsafe take else { return OutputRequest() }
    unsafe take._withUnsafeGuaranteedRef { take in
      if take.isToStop { (isFading, isBroken) = (true, true) }
      if take.score.ear == .left {
        take.play(&leftOutput, from: start, frames: frames, position: played)
        take.playOpposite(&rightOutput, from: start, frames: frames, position: played)
      } else {
        take.play(&rightOutput, from: start, frames: frames, position: played)
        take.playOpposite(&leftOutput, from: start, frames: frames, position: played)
      }
      let (first, count) = recordable(of: take.score, frames: frames)
      take.record(left: leftInput, right: rightInput, from: start + first, count: count, position: recorded)
    }
    return OutputRequest()
  }

  /// Records what was played, and ends the take once it has faded out.
  mutating func processPlayed(
    left leftOutput: borrowing MutableSpan<Float>, right rightOutput: borrowing MutableSpan<Float>,
    from start: Int, frames: Int, played report: OutputReport
  ) {
    guard !hasEnded, let take = unsafe take else { return }
    hasEnded = unsafe take._withUnsafeGuaranteedRef { take in
      let (first, count) = recordable(of: take.score, frames: frames)
      if take.score.ear == .left {
        take.record(sent: leftOutput, from: start + first, count: count, position: recorded)
      } else {
        take.record(sent: rightOutput, from: start + first, count: count, position: recorded)
      }
      recorded += count
      played += frames
      take.show(played: played)
      if recorded >= take.score.frames { isFading = true }
      guard isFading, report.ramp == 0 else { return false }
      take.end(isBroken ? .brokenOff : .done)
      return true
    }
  }

  /// Wakes control once a take has ended.
  mutating func tell() {
    guard hasEnded, let ended = unsafe take else { return }
    unsafe ended._withUnsafeGuaranteedRef { $0.wakeControl() }
    unsafe take = nil
  }

  /// Frames of the next hop that belong to the recording.
  private func recordable(of score: Take.Score, frames: Int) -> (first: Int, count: Int) {
    let first = min(max(score.settling - played, 0), frames)
    return (first, min(frames - first, max(score.frames - recorded, 0)))
  }
}
