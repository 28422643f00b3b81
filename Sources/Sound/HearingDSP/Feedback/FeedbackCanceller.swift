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
  private let transform: InverseTransform
  var ears: Binaural<EarCanceller>
  var history: SentHistory
  private var window: Buffer
  private var remainder: Buffer
  private var time: Buffer
  private var sent: PairSpectrum
  private var spectrum: PairSpectrum
  private var synthesis: PairSynthesis
  private var delay: Int
  /// First tap's place behind the delay that the devices tell, frames: what was learned holds for this place.
  private var place: Int
  /// Share of the predicted feedback that is subtracted.
  private var fade: Fade
  /// Share of a step that each tap takes, both ears, scaled for the transform.
  private let tapShares: Buffer
  /// Taps of the whitening: of the last sample, and of the one before it.
  private let whitening: (last: Float, lastButOne: Float)
  /// Last two frames of the remainder, both ears: in the history what follows may have changed them. Nil
  /// after a gap and before the first hop.
  private var lastFrames: SIMD4<Float>?
  /// The last hop's step was added to the paths. Every other hop's is, together with the one before it, because confining one costs two
  /// of the five transforms and the paths drift in seconds; after a howl each hop's is at once.
  private var isStepDue = false

  /// Time constant of the fade between on and off, s: shorter than any transition of a program.
  static let fadeTime = 0.02

  /// - Parameters:
  ///   - readingTime: Time between two readings of the spectrum for howls, s.
  ///   - former: Figures of a former chain, whose counts go on.
  init(
    _ chain: ChainGeometry, readingTime: Double, after former: Binaural<FeedbackStage.Meters>
  ) throws(ChainError) {
    let geometry = FeedbackGeometry(chain)
    let length = geometry.length
    self.geometry = geometry
    transform = try InverseTransform(length: length)
    ears = Binaural { EarCanceller(geometry, readingTime: readingTime, after: former[$0]) }
    history = SentHistory(length: geometry.bulkDelay(FeedbackControl.loopDelays.upperBound) + length)
    window = AlignedBuffer(count: 2 * length)
    remainder = AlignedBuffer(count: 2 * length)
    time = AlignedBuffer(count: 2 * length)
    sent = PairSpectrum(length: length)
    spectrum = PairSpectrum(length: length)
    synthesis = PairSynthesis(length: length)
    delay = chain.longestHop
    place = chain.longestHop
    fade = Fade(step: chain.share(Self.fadeTime))
    tapShares = AlignedBuffer(count: 2 * geometry.taps) {
      Float(geometry.share(tap: $0 / 2) / Double(length))
    }
    let zero = Float(geometry.whiteningZero)
    whitening = (-2 * zero, zero * zero)
  }

  /// Feedback is cancelled, or still fades out.
  var isActive: Bool { fade.isActive }

  /// Bins of an estimated path, Hz.
  var binWidth: Double { geometry.chain.sampleRate / Double(geometry.length) }

  /// Moves to another setting.
  ///
  /// A path comes later by as much as the devices delay it more, and stays at the same taps. Any other change
  /// of the delay moves the taps under a path that stays: what was learned would add to it.
  mutating func retarget(to control: FeedbackControl, paths: borrowing Binaural<PathPrior>) {
    delay = geometry.bulkDelay(control.loopDelay)
    let next = delay - geometry.frames(control.deviceDelay)
    let isElsewhere = next != place
    place = next
    ears.forEach(paths) { $0.retarget(to: $1, control: control, isElsewhere: isElsewhere) }
    // While nothing was cancelled none was kept.
    if !fade.isActive { lastFrames = nil }
    fade.retarget(to: control.isCancelling)
  }

  /// Clears what is remembered of the sound; the estimated paths stay, and so does a step that was not added to them yet: it
  /// was read before the gap.
  mutating func reset() {
    history.reset()
    lastFrames = nil
  }

  /// Subtracts the predicted feedback from the newest frames of the microphones' history and adapts to the
  /// remainder.
  ///
  /// - Parameters:
  ///   - microphones: Interleaved, newest last.
  ///   - frames: Length of the hop.
  mutating func process(_ microphones: inout Buffer, frames: Int) {
    // The newest stored frame is as old as the hop that now begins.
    history.read(age: delay - frames, into: &window)
    sent.process(window)
    ears.forEach(sent.ears) { $0.estimate.processSent($1) }
    synthesis.process(
      ears.left.estimate.prediction, ears.right.estimate.prediction, transform: transform, into: &time)
    let (before, after) = subtract(&microphones, frames: frames)
    ears.forEach(before, after) { $0.processPowers(microphone: $1, remainder: $2) }
    guard ears.left.isAdapting || ears.right.isAdapting else {
      ears.forEach { $0.estimate.resetStep() }
      return
    }
    spectrum.process(remainder)
    ears.forEach(spectrum.ears, sent.ears) { $0.processRemainder($1, sent: $2, frames: frames) }
    isStepDue = !isStepDue || ears.left.isAdaptingFast || ears.right.isAdaptingFast
    guard isStepDue else { return }
    synthesis.process(ears.left.estimate.step, ears.right.estimate.step, transform: transform, into: &time)
    confine()
    spectrum.process(time)
    ears.forEach(spectrum.ears) { $0.processStep($1) }
  }

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
    let samples = unsafe microphones.pointer + end
    let (estimate, rest) = unsafe (time.pointer + newest, remainder.pointer + newest)
    // Two frames of both ears at a time.
    var factor = SIMD4(first, first, first + rise, first + rise)
    var previous = unsafe samples[lanes: -4]
    if let lastFrames { previous = lastFrames }
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
    var sums = SIMD4(before.evenHalf.sum(), before.oddHalf.sum(), after.evenHalf.sum(), after.oddHalf.sum())
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
      previous = SIMD4(lowHalf: previous.highHalf, highHalf: left.lowHalf)
      let both = SIMD4(lowHalf: input.lowHalf, highHalf: left.lowHalf)
      sums += both * both
    }
    lastFrames = previous
    return (Binaural(left: sums[0], right: sums[1]), Binaural(left: sums[2], right: sums[3]))
  }

  /// Confines a step to causal taps, of which the earlier ones take more, and scales it.
  private mutating func confine() {
    precondition(time.count == 2 * geometry.length && tapShares.count == 2 * geometry.taps)
    let (samples, shares) = unsafe (time.pointer, tapShares.pointer)
    for n in 0..<2 * geometry.taps { unsafe samples[n] *= shares[n] }
    for n in 2 * geometry.taps..<2 * geometry.length { unsafe samples[n] = 0 }
  }
}
