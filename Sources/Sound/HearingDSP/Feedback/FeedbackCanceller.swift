import Acoustics
import Glibc
import Realtime

/// Adaptive canceller: subtracts from both microphones the sound that came back from the earphones.
///
/// The loop is never shorter than a hop, so the feedback in a hop can be predicted before it starts: one
/// transform of the sent sound gives the prediction for the whole hop by overlap-save, and the same
/// transform serves the adaptation to the hop's remainder. Both ears share every transform.
///
/// - Threads: built on `control`, run on `audio`.
struct FeedbackCanceller: ~Copyable {
  private let geometry: FeedbackGeometry
  private let transform: PairTransform
  private(set) var ears: Binaural<EarCanceller>
  private var history: SentHistory
  private var window: Buffer
  private var remainder: Buffer
  private var time: Buffer
  private var sent: PairSpectrum
  private var spectrum: PairSpectrum
  /// Each ear's predicted feedback, and then the step of its path.
  private var steps: Binaural<HalfSpectrum>
  private var synthesis: PairSynthesis
  private var delay: Int
  /// Share of the predicted feedback that is subtracted.
  private var fade: Fade
  /// Share of a step that each tap takes, both ears, scaled for the transform.
  private let tapShares: Buffer
  /// Taps of the whitening: of the last sample, and of the one before it.
  private let whitening: (last: Float, lastButOne: Float)

  /// Time constant of the fade between on and off, s: shorter than any transition of a program.
  static let fadeTime = 0.02

  init(_ chain: ChainGeometry) throws(ChainError) {
    let geometry = FeedbackGeometry(chain)
    let length = geometry.length
    self.geometry = geometry
    transform = try PairTransform(length: length)
    ears = Binaural { _ in EarCanceller(geometry) }
    history = SentHistory(length: geometry.bulkDelay(FeedbackControl.loopDelays.upperBound) + length)
    window = AlignedBuffer(count: 2 * length)
    remainder = AlignedBuffer(count: 2 * length)
    time = AlignedBuffer(count: 2 * length)
    sent = PairSpectrum(length: length)
    spectrum = PairSpectrum(length: length)
    steps = Binaural { _ in HalfSpectrum(length: length) }
    synthesis = PairSynthesis(length: length)
    delay = chain.longestHop
    fade = Fade(step: chain.share(Self.fadeTime))
    var shares = Buffer(count: 2 * geometry.taps)
    for tap in 0..<geometry.taps {
      shares[2 * tap] = Float(geometry.share(tap: tap) / Double(length))
      shares[2 * tap + 1] = shares[2 * tap]
    }
    tapShares = shares
    let zero = Float(geometry.whiteningZero)
    whitening = (-2 * zero, zero * zero)
  }

  /// Feedback is cancelled, or still fades out.
  var isActive: Bool { fade.isActive }

  /// Moves to another setting.
  mutating func retarget(to control: FeedbackControl, paths: borrowing Binaural<PathPrior>) {
    ears.forEach(paths) { $0.retarget(to: $1) }
    fade.retarget(to: control.isCancelling)
    delay = geometry.bulkDelay(control.loopDelay)
  }

  /// Clears the sent sound: after a gap it does not come back. The paths stay.
  mutating func reset() { history.reset() }

  /// Adapts the ears fast in which a howl was found.
  mutating func processHowls(_ isHowling: Binaural<Bool>) {
    ears.forEach(isHowling) { if $1 { $0.processHowl() } }
  }

  /// Subtracts the predicted feedback from the newest frames of the microphones' history and adapts to the
  /// remainder.
  ///
  /// - Parameters:
  ///   - microphones: Interleaved, newest last.
  ///   - frames: Length of the hop.
  ///   - output: Report on the hop before.
  mutating func process(
    _ microphones: inout Buffer, frames: Int, tones: Binaural<ToneCertainty>,
    sent output: Binaural<OutputReport.Ear>
  ) {
    // The newest stored frame is as old as the hop that now begins.
    history.read(age: delay - frames, into: &window)
    sent.process(window, transform: transform)
    ears.forEach(with: &steps, sent.ears) { $0.estimate.predict($2, into: &$1) }
    synthesis.process(steps, transform: transform, into: &time)
    let (before, after) = subtract(&microphones, frames: frames)
    ears.left.processPowers(
      microphone: before.left, remainder: after.left, tone: tones.left, isLimited: output.left.isLimited)
    ears.right.processPowers(
      microphone: before.right, remainder: after.right, tone: tones.right, isLimited: output.right.isLimited
    )
    guard ears.left.isAdapting || ears.right.isAdapting else { return }
    spectrum.process(remainder, transform: transform)
    ears.left.processRemainder(spectrum.ears.left, sent: sent.ears.left, frames: frames, into: &steps.left)
    ears.right.processRemainder(
      spectrum.ears.right, sent: sent.ears.right, frames: frames, into: &steps.right)
    synthesis.process(steps, transform: transform, into: &time)
    confine()
    spectrum.process(time, transform: transform)
    ears.forEach(spectrum.ears) { $0.processStep($1) }
  }

  /// Stores the hop that leaves.
  mutating func processPlayed(
    _ left: borrowing Samples, _ right: borrowing Samples, from start: Int, frames: Int
  ) { history.process(left, right, from: start, frames: frames) }

  /// Subtracts the hop's predicted feedback, and puts the remainder behind zeros for the next transform:
  /// whitened, so that the window's edges do not spread loud sound below the cancelled frequencies over
  /// them.
  ///
  /// - Returns: Mean squares before and after.
  private mutating func subtract(
    _ microphones: inout Buffer, frames: Int
  ) -> (before: Binaural<Float>, after: Binaural<Float>) {
    let end = microphones.count - 2 * frames
    let newest = 2 * (geometry.length - frames)
    precondition(frames >= 0 && end >= 4 && newest >= 0 && frames <= geometry.chain.longestHop)
    precondition(time.count == 2 * geometry.length && remainder.count == time.count)
    // The spectra were doubled and the inverse transform is not scaled.
    let scale = 1 / Float(2 * geometry.length)
    let share = fade.process()
    let rise = (share.after - share.before) * scale / Float(frames)
    let first = share.before * scale + rise
    for n in 0..<2 * (geometry.chain.longestHop - frames) { remainder[newest - 1 - n] = 0 }
    let (samples, estimate, rest) = unsafe (
      microphones.pointer + end, time.pointer + newest, remainder.pointer + newest
    )
    // Two frames of both ears at a time.
    var factor = SIMD4(first, first, first + rise, first + rise)
    var previous = unsafe samples[lanes: -4]
    var (before, after) = (SIMD4<Float>(), SIMD4<Float>())
    for n in stride(from: 0, to: 2 * (frames & ~1), by: 4) {
      let input = unsafe samples[lanes: n]
      let left = unsafe PairHistory.bounded(input - factor * estimate[lanes: n])
      before += input * input
      after += left * left
      unsafe samples[lanes: n] = left
      let last = SIMD4(previous[2], previous[3], left[0], left[1])
      unsafe rest[lanes: n] = left + whitening.last * last + whitening.lastButOne * previous
      previous = left
      factor += 2 * rise
    }
    var sums = (before.evenHalf.sum(), before.oddHalf.sum(), after.evenHalf.sum(), after.oddHalf.sum())
    if frames & 1 == 1 {
      let n = 2 * (frames - 1)
      let input = unsafe SIMD4(samples[n], samples[n + 1], 0, 0)
      let left = unsafe PairHistory.bounded(input - factor * SIMD4(estimate[n], estimate[n + 1], 0, 0))
      let white =
        left.lowHalf + whitening.last * previous.highHalf + whitening.lastButOne * previous.lowHalf
      for ear in 0..<2 {
        unsafe samples[n + ear] = left[ear]
        unsafe rest[n + ear] = white[ear]
      }
      sums.0 += input[0] * input[0]
      sums.1 += input[1] * input[1]
      sums.2 += left[0] * left[0]
      sums.3 += left[1] * left[1]
    }
    return (Binaural(left: sums.0, right: sums.1), Binaural(left: sums.2, right: sums.3))
  }

  /// Confines a step to causal taps, of which the earlier ones take more, and scales it.
  private mutating func confine() {
    precondition(time.count == 2 * geometry.length && tapShares.count == 2 * geometry.taps)
    let (samples, shares) = unsafe (time.pointer, tapShares.pointer)
    for n in 0..<2 * geometry.taps { unsafe samples[n] *= shares[n] }
    for n in 2 * geometry.taps..<2 * geometry.length { unsafe samples[n] = 0 }
  }
}
