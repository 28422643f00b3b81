import Realtime

/// One ear's canceller apart from the transforms: the estimated path, the supervision of its adaptation,
/// and earlier estimates to fall back to.
///
/// - Threads: built on `control`, run on `audio`.
struct EarCanceller: ~Copyable {
  /// Time of fast adaptation after a howl, s: a few loops.
  static let fastTime = 0.04
  /// Least time between two fast adaptations when the limiter's activity starts them, s, and the longest
  /// that it grows to while the limiter stays active: then the sound itself is loud.
  static let rest = 0.2
  static let longestRest = 8.0
  /// Ratio of the remainder's power to the microphone's from which the estimate is discarded: 6 dB. Own
  /// choice by trial: at 3 dB the onsets of music exceed it, at 10 dB adaptation to a changed path takes
  /// seconds.
  private static var divergence: Float { 4 }

  private(set) var estimate: PathEstimate
  /// Times that the estimate was discarded.
  private(set) var resets: Int64 = 0
  /// Earlier paths, the older one from before the beginning of any tone.
  private var older: HalfSpectrum
  private var newer: HalfSpectrum
  private var hopsUntilStored: Int
  private let storingHops: Int
  private let fastHops: Int
  private let restHops: Int
  /// Hops of fast adaptation left.
  private var fast = 0
  /// Hops until the limiter may start the next one.
  private var resting = 0
  private var isFrozen = false
  private var isWaiting = false
  private var pause: Int
  private let longestPause: Int
  private var limitedShare: Float = 0
  private var microphonePower: Float = 0
  private var remainderPower: Float = 0
  private let powerShare: Float

  init(_ geometry: FeedbackGeometry) {
    estimate = PathEstimate(geometry)
    older = HalfSpectrum(length: geometry.length)
    newer = HalfSpectrum(length: geometry.length)
    storingHops = geometry.chain.hops(FeedbackGeometry.storingTime)
    hopsUntilStored = storingHops
    fastHops = geometry.chain.hops(Self.fastTime)
    restHops = geometry.chain.hops(Self.rest)
    pause = restHops
    longestPause = geometry.chain.hops(Self.longestRest)
    powerShare = geometry.chain.share(0.05)
  }

  /// Adopts a measured path, and begins with it when it is a new one.
  mutating func retarget(to measured: borrowing PathPrior) {
    if estimate.retarget(to: measured) { begin(withMeasured: true) }
  }

  /// Discards the estimate; what follows begins with the measured path, or with none.
  private mutating func begin(withMeasured isMeasured: Bool) {
    estimate.reset(toMeasured: isMeasured)
    older.copy(from: estimate.path)
    newer.copy(from: estimate.path)
    microphonePower = 0
    remainderPower = 0
    fast = 0
  }

  /// Adapts fast from now on: after a howl the path must have changed.
  mutating func processHowl() {
    fast = fastHops
    resting = pause
  }

  /// Reads the powers of a hop and decides whether the path may adapt to it.
  ///
  /// - Parameters:
  ///   - tone: Certainty that the sound is a steady tone, which carries no information on the path: sent
  ///     sound and input are one.
  ///   - isLimited: The output limiter attenuates.
  mutating func processPowers(microphone: Float, remainder: Float, tone: ToneCertainty, isLimited: Bool) {
    microphonePower += powerShare * (microphone - microphonePower)
    remainderPower += powerShare * (remainder - remainderPower)
    limitedShare += powerShare * ((isLimited ? 1 : 0) - limitedShare)
    fast = max(0, fast - 1)
    resting = max(0, resting - 1)
    if limitedShare < 0.1 { pause = restHops }
    if limitedShare > 0.5, resting == 0 {
      processHowl()
      pause = min(4 * pause, longestPause)
    }
    let isCalm = fast == 0 && limitedShare < 0.5
    let shouldFreeze = tone == .certain && isCalm
    isWaiting = tone != .absent && isCalm
    // Adaptation to the beginning of the tone is undone.
    if shouldFreeze && !isFrozen { estimate.copyPath(from: older) }
    isFrozen = shouldFreeze
    if remainderPower > Self.divergence * microphonePower + 1e-12 { discard() }
    if !isFrozen { store() }
  }

  /// The path may adapt to this hop.
  var isAdapting: Bool { !isFrozen && !isWaiting }

  /// Computes the step of the path.
  ///
  /// - Parameter step: Before it is confined to causal taps; zero when the path does not adapt.
  mutating func processRemainder(
    _ remainder: borrowing HalfSpectrum, sent: borrowing HalfSpectrum, frames: Int,
    into step: inout HalfSpectrum
  ) {
    if isAdapting {
      estimate.process(sent: sent, remainder: remainder, frames: frames, isFast: fast > 0, into: &step)
    } else {
      step.clear()
    }
  }

  /// Adds the step that was confined to causal taps.
  mutating func processStep(_ confined: borrowing HalfSpectrum) {
    if !isAdapting { return }
    if !estimate.processStep(confined) { discard() }
  }

  private mutating func discard() {
    // An estimate that began with a measured path no longer valid begins with none, and the other way
    // round.
    begin(withMeasured: !estimate.beganWithMeasured)
    // Fast adaptation to a howl that follows may begin at once.
    resting = 0
    pause = restHops
    resets += 1
  }

  /// Stores the path from time to time, so that one from before the beginning of a tone exists.
  private mutating func store() {
    hopsUntilStored -= 1
    guard hopsUntilStored <= 0 else { return }
    hopsUntilStored = storingHops
    older.copy(from: newer)
    newer.copy(from: estimate.path)
  }
}
