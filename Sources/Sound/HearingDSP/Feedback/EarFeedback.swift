import Realtime

/// One ear's canceller apart from the transforms: the path, what guards it, and earlier estimates to fall back
/// to.
///
/// - Threads: built on `control`, run on `audio`.
struct EarFeedback: ~Copyable {
  /// Time that one haste lasts, s: a few loops.
  static let hasteTime = 0.04
  /// Least time between two, s, when the limiter's work is what calls for it, and the longest that this grows to
  /// while the limiter keeps working: then it is the sound that is loud.
  static let hasteRest = 0.2
  static let longestRest = 8.0
  /// The remainder's power against the microphone's beyond which the canceller does harm: 6 dB. Own choice by trial: at
  /// 3 dB the onsets of music pass it, at 10 dB a path that has changed stays unlearnt for seconds.
  private static var harm: Float { 4 }

  private(set) var estimate: PathEstimate
  var step: HalfSpectrum
  /// Times that the estimate was thrown away.
  private(set) var resets: Int64 = 0
  private var kept: HalfSpectrum
  private var newer: HalfSpectrum
  private var hopsUntilKept: Int
  private let keepHops: Int
  private let hasteHops: Int
  private let restHops: Int
  private var haste = 0
  private var rest = 0
  private var isFrozen = false
  private var isWaiting = false
  private var pause: Int
  private let longestPause: Int
  private var limitedShare: Float = 0
  private var microphonePower: Float = 0
  private var remainderPower: Float = 0
  private let powerShare: Float
  private let half: Int

  init(_ geometry: FeedbackGeometry) {
    half = geometry.length / 2
    estimate = PathEstimate(geometry)
    step = HalfSpectrum(length: geometry.length)
    kept = HalfSpectrum(length: geometry.length)
    newer = HalfSpectrum(length: geometry.length)
    keepHops = geometry.hops(FeedbackGeometry.keepTime)
    hopsUntilKept = keepHops
    hasteHops = geometry.hops(Self.hasteTime)
    restHops = geometry.hops(Self.hasteRest)
    pause = geometry.hops(Self.hasteRest)
    longestPause = geometry.hops(Self.longestRest)
    powerShare = geometry.share(0.05)
  }

  /// Leans on a measured path from now on, and begins with it when it is a new one.
  mutating func lean(on measured: borrowing PathPrior) {
    if estimate.lean(on: measured) { reset(leaning: true) }
  }

  /// Knows nothing again, or what was measured.
  private mutating func reset(leaning: Bool) {
    estimate.reset(leaning: leaning)
    PathEstimate.copy(estimate.path, into: &kept, half: half)
    PathEstimate.copy(estimate.path, into: &newer, half: half)
    microphonePower = 0
    remainderPower = 0
    haste = 0
  }

  /// A howl was found: the path must be another one.
  mutating func hurry() {
    haste = hasteHops
    rest = pause
  }

  /// Notes what the hop was and decides whether it may be learnt from.
  ///
  /// - Parameters:
  ///   - tone: Whether the sound is a steady tone, from which nothing can be learnt: what is sent and what comes in
  ///     are one.
  ///   - isLimited: The output limiter is at work.
  mutating func note(microphone: Float, remainder: Float, tone: ToneCertainty, isLimited: Bool) {
    microphonePower += powerShare * (microphone - microphonePower)
    remainderPower += powerShare * (remainder - remainderPower)
    limitedShare += powerShare * ((isLimited ? 1 : 0) - limitedShare)
    haste = max(0, haste - 1)
    rest = max(0, rest - 1)
    if limitedShare < 0.1 { pause = restHops }
    if limitedShare > 0.5, rest == 0 {
      hurry()
      pause = min(4 * pause, longestPause)
    }
    let isCalm = haste == 0 && limitedShare < 0.5
    let shouldFreeze = tone == .certain && isCalm
    isWaiting = tone != .absent && isCalm
    // What was learnt while the tone began is not to be kept.
    if shouldFreeze && !isFrozen { estimate.take(kept) }
    isFrozen = shouldFreeze
    if remainderPower > Self.harm * microphonePower + 1e-12 { discard() }
    if !isFrozen { keep() }
  }

  /// Whether this hop may be learnt from.
  var isLearning: Bool { !isFrozen && !isWaiting }

  /// Finds the step to take.
  mutating func learn(sent: borrowing HalfSpectrum, remainder: borrowing HalfSpectrum, frames: Int) {
    if !isLearning {
      clearStep()
    } else {
      estimate.learn(sent: sent, remainder: remainder, frames: frames, hastily: haste > 0, into: &step)
    }
  }

  /// Takes the step that was confined to causal taps.
  mutating func take(_ confined: borrowing HalfSpectrum) {
    if !isLearning { return }
    if !estimate.add(confined) { discard() }
  }

  private mutating func clearStep() {
    let (re, im) = unsafe (step.re, step.im)
    for k in 0..<half + 4 {
      unsafe re[k] = 0
      unsafe im[k] = 0
    }
  }

  private mutating func discard() {
    // What began with a measured path that no longer holds begins with nothing, and the other way round.
    reset(leaning: !estimate.isLeaning)
    // What howls now may be learnt from at once.
    rest = 0
    pause = restHops
    resets += 1
  }

  /// Keeps the estimate now and then, so that there is always one from before a tone began.
  private mutating func keep() {
    hopsUntilKept -= 1
    guard hopsUntilKept <= 0 else { return }
    hopsUntilKept = keepHops
    PathEstimate.copy(newer, into: &kept, half: half)
    PathEstimate.copy(estimate.path, into: &newer, half: half)
  }
}
