import Realtime

/// One ear's canceller apart from the transforms: the estimated path, the supervision of its adaptation,
/// earlier estimates to fall back to, and the guard against howls that it does not prevent.
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
  /// Factor of the ramp from which on what the limiter saw is what the ear gets: within 1 dB.
  private static var played: Float { 0.891 }
  /// Factor of the ramp from which on a howl is asked by its level: −20 dB. Own choice: a loop that howls below lies more than
  /// 20 dB beyond its edge. While the sound rises a howl follows the code as it does later, and a ramp may take 5 s.
  private static var askable: Float { 0.1 }

  var estimate: PathEstimate
  var howls: HowlGuard
  /// Report on the last hop.
  private var sent = OutputReport.Ear()
  /// That hop left as the limiter made it, neither muted nor on the way there or back.
  private var isPlayed = false
  /// So much of that hop left that a howl can be asked.
  private var isAskable = false
  /// Power of each bin of the input that the guard reads.
  private var power: Buffer
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

  /// - Parameters:
  ///   - readingTime: Time between two readings of the spectrum, s.
  ///   - former: Figures of a former chain, whose counts go on.
  init(
    _ geometry: FeedbackGeometry, readingTime: Double, after former: FeedbackStage.Meters = .init()
  ) {
    estimate = PathEstimate(geometry)
    howls = HowlGuard(geometry.chain, readingTime: readingTime, after: former)
    resets = former.resets
    power = AlignedBuffer(count: geometry.chain.filterLength / 2)
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

  var meters: FeedbackStage.Meters {
    FeedbackStage.Meters(
      howls: howls.howls, howlFrequency: howls.frequency, howlFactor: howls.relief.lasting, resets: resets)
  }

  /// Adopts a measured path, and begins with it when it is a new one or lies elsewhere.
  ///
  /// - Parameters:
  ///   - control: Delay of the loop, and whether it was measured.
  ///   - isElsewhere: The path lies at other taps than before, so that what was learned of it is wrong.
  mutating func retarget(to measured: borrowing PathPrior, control: FeedbackControl, isElsewhere: Bool) {
    let isNew = estimate.retarget(to: measured)
    if isNew || isElsewhere { begin(withMeasured: true) }
    howls.retarget(to: control)
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

  /// Detects tones and howls in the spectrum behind the canceller, or in the one before it as far as the
  /// guard probes: the canceller's estimate follows a probe too, be it feedback or not.
  ///
  /// - Parameter input: Spectrum before the canceller; needed while it cancels and a guard probes.
  mutating func processSpectrum(
    _ spectrum: borrowing HalfSpectrum, input: borrowing HalfSpectrum, isCancelling: Bool, isNotching: Bool
  ) {
    let isProbing = isCancelling && howls.isProbing
    let isInput = isProbing && !howls.relief.isProbing
    if isProbing { input.hannPower(bins: power.count, into: &power) }
    var level: Float?
    if isProbing && !isInput {
      var sum: Float = 0
      for k in howls.lowestBin..<power.count { sum += power[k] }
      level = sum
    }
    if !isInput { spectrum.hannPower(bins: power.count, into: &power) }
    let isHowl = howls.process(
      &power, isInput: isInput, level: level, output: sent.limitShare, isPlayed: isAskable,
      isNotching: isNotching)
    if isHowl { adaptFast() }
  }

  /// Takes in the report on the last hop.
  ///
  /// - Parameters:
  ///   - ramp: Factor of the ramp.
  ///   - own: Mean square of the microphones' sound before the limiter; nil when nothing was added to it.
  mutating func processPlayed(_ report: OutputReport.Ear, ramp: Float, own: Float?) {
    sent = report
    isPlayed = ramp >= Self.played
    isAskable = ramp >= Self.askable
    howls.relief.processPowers(own: own, whole: report.inputPower)
  }

  /// Adapts fast from now on: after a howl the path must have changed.
  private mutating func adaptFast() {
    fast = fastHops
    resting = pause
  }

  /// Reads the powers of a hop and decides whether the path may adapt to it: not to a steady tone, which
  /// carries no information on the path, since sent sound and input are one.
  mutating func processPowers(microphone: Float, remainder: Float) {
    microphonePower += powerShare * (microphone - microphonePower)
    remainderPower += powerShare * (remainder - remainderPower)
    // Behind the ramp the limiter's activity says nothing of the path, and little is sent to learn it from.
    limitedShare += powerShare * ((sent.isLimited && isPlayed ? 1 : 0) - limitedShare)
    fast = max(0, fast - 1)
    resting = max(0, resting - 1)
    if limitedShare < 0.1 { pause = restHops }
    if limitedShare > 0.5, resting == 0, isPlayed {
      adaptFast()
      pause = min(4 * pause, longestPause)
    }
    let isCalm = fast == 0 && limitedShare < 0.5
    let shouldFreeze = howls.tone == .certain && isCalm
    isWaiting = howls.tone != .absent && isCalm
    // Adaptation to the beginning of the tone is undone.
    if shouldFreeze && !isFrozen { estimate.copyPath(from: older) }
    isFrozen = shouldFreeze
    if remainderPower > Self.divergence * microphonePower + 1e-12 { discard() }
    if !isFrozen { store() }
  }

  /// The path may adapt to this hop.
  var isAdapting: Bool { !isFrozen && !isWaiting }

  /// It adapts fast, after an event that only a wrong path explains.
  var isAdaptingFast: Bool { isAdapting && fast > 0 }

  /// Adds the hop's step of the path to those that were not added to it yet; all are discarded when the path does not adapt.
  mutating func processRemainder(
    _ remainder: borrowing HalfSpectrum, sent: borrowing HalfSpectrum, frames: Int
  ) {
    guard isAdapting else { return estimate.resetStep() }
    estimate.process(sent: sent, remainder: remainder, frames: frames, isFast: fast > 0)
  }

  /// Adds the steps that were confined to causal taps.
  mutating func processStep(_ confined: borrowing HalfSpectrum) {
    if isAdapting && !estimate.processStep(confined) { discard() }
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
