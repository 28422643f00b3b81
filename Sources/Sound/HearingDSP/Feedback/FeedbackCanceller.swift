import Glibc
import Realtime

/// Takes away from both microphones what came back from the earphones.
///
/// The loop is never shorter than a hop, so what comes back in a hop is known before it starts: one transform of what
/// was sent gives the estimate for the whole hop by overlap-save, and the same transform serves to learn from the hop's
/// remainder. Both ears share every transform.
///
/// - Threads: built on `control`, run on `audio`.
struct FeedbackCanceller: ~Copyable {
  private let geometry: FeedbackGeometry
  private let transform: PairTransform
  private(set) var left: EarFeedback
  private(set) var right: EarFeedback
  private var history: SentHistory
  private var window: AlignedBuffer<Float>
  private var remainder: AlignedBuffer<Float>
  private var time: AlignedBuffer<Float>
  private var pair: AlignedBuffer<Float>
  private var sent: PairSpectrum
  private var spectrum: PairSpectrum
  private var delay: Int
  /// Share of the estimate that is taken away: 1 when cancelling, moves smoothly.
  private var presence: Float = 0
  private var target: Float = 0
  private let presenceStep: Float
  /// Share of a step that each tap takes, both ears, scaled for the transform.
  private let tapShares: AlignedBuffer<Float>
  /// Taps of the whitening: of the last sample, and of the one before it.
  private let whitening: (last: Float, lastButOne: Float)

  /// Time from not cancelling to cancelling, s: shorter than any transition of a program.
  static let fadeTime = 0.02

  init(_ chain: ChainGeometry) throws(ChainError) {
    let geometry = FeedbackGeometry(chain)
    let transform = try PairTransform(length: geometry.length)
    self.geometry = geometry
    self.transform = transform
    left = EarFeedback(geometry)
    right = EarFeedback(geometry)
    let longest = geometry.bulkDelay(FeedbackControl.loopDelays.upperBound)
    history = SentHistory(length: longest + geometry.length)
    window = AlignedBuffer(count: 2 * geometry.length)
    remainder = AlignedBuffer(count: 2 * geometry.length)
    time = AlignedBuffer(count: 2 * geometry.length)
    pair = AlignedBuffer(count: 2 * (geometry.length + 1))
    sent = PairSpectrum(length: geometry.length)
    spectrum = PairSpectrum(length: geometry.length)
    delay = geometry.longestHop
    presenceStep = geometry.share(Self.fadeTime)
    var shares = AlignedBuffer<Float>(count: 2 * geometry.taps)
    for tap in 0..<geometry.taps {
      shares[2 * tap] = Float(geometry.share(tap: tap) / Double(geometry.length))
      shares[2 * tap + 1] = shares[2 * tap]
    }
    tapShares = shares
    let zero = Float(geometry.whiteningZero)
    whitening = (-2 * zero, zero * zero)
  }

  /// The left ear's estimate as an impulse response behind the bulk delay, by the inverse transform's formula.
  ///
  /// - Complexity: O(`length`²); allocates. For tests and measurements off the audio thread.
  var response: [Double] {
    let half = geometry.length / 2
    let (re, im) = unsafe (left.estimate.path.re, left.estimate.path.im)
    var path: [(Double, Double)] = []
    for k in 0...half { path.append(unsafe (Double(re[k]), Double(im[k]))) }
    return (0..<geometry.taps).map { n in
      var sum = path[0].0 + path[half].0 * (n % 2 == 0 ? 1 : -1)
      for k in 1..<half {
        let angle = 2 * Double.pi * Double(k * n % geometry.length) / Double(geometry.length)
        sum += 2 * (path[k].0 * cos(angle) - path[k].1 * sin(angle))
      }
      return sum / Double(geometry.length)
    }
  }

  /// Whether anything is done at all.
  var isActive: Bool { target > 0 || presence > 0 }

  /// Takes over another setting.
  mutating func retarget(
    _ control: FeedbackControl, left leftPath: borrowing PathPrior, right rightPath: borrowing PathPrior
  ) {
    left.lean(on: leftPath)
    right.lean(on: rightPath)
    target = control.isCancelling ? 1 : 0
    delay = geometry.bulkDelay(control.loopDelay)
  }

  /// After a gap in the sound: what was sent before it does not come back. The paths stay.
  mutating func reset() { history.reset() }

  mutating func hurry(left isLeft: Bool, right isRight: Bool) {
    if isLeft { left.hurry() }
    if isRight { right.hurry() }
  }

  /// Takes the estimate away from the newest frames of the microphones' history and learns from what is left.
  ///
  /// - Parameters:
  ///   - microphones: Interleaved, newest last.
  ///   - frames: Length of the hop.
  mutating func cancel(
    _ microphones: inout AlignedBuffer<Float>, frames: Int,
    tones: (left: ToneCertainty, right: ToneCertainty),
    limited: (left: Bool, right: Bool)
  ) {
    // What was remembered last is as old as the hop that now begins.
    history.read(age: delay - frames, into: &window)
    sent.read(window, transform: transform)
    left.estimate.predict(sent.left, into: &left.step)
    right.estimate.predict(sent.right, into: &right.step)
    join()
    transform.inverse(pair, into: &time)
    let (before, after) = subtract(&microphones, frames: frames)
    left.note(microphone: before.left, remainder: after.left, tone: tones.left, isLimited: limited.left)
    right.note(
      microphone: before.right, remainder: after.right, tone: tones.right, isLimited: limited.right)
    guard left.isLearning || right.isLearning else { return }
    spectrum.read(remainder, transform: transform)
    left.learn(sent: sent.left, remainder: spectrum.left, frames: frames)
    right.learn(sent: sent.right, remainder: spectrum.right, frames: frames)
    join()
    transform.inverse(pair, into: &time)
    confine()
    spectrum.read(time, transform: transform)
    left.take(spectrum.left)
    right.take(spectrum.right)
  }

  /// Remembers what goes out.
  mutating func remember(
    _ left: borrowing MutableSpan<Float>, _ right: borrowing MutableSpan<Float>, from start: Int,
    frames: Int
  ) {
    history.remember(left, right, from: start, frames: frames)
  }

  /// Subtracts the hop's estimate, and leaves the hop's remainder behind zeros for the next transform: whitened, so that
  /// the window's edges do not spread what is loud below the followed frequencies over them.
  ///
  /// - Returns: Mean squares before and after.
  private mutating func subtract(
    _ microphones: inout AlignedBuffer<Float>, frames: Int
  ) -> (before: (left: Float, right: Float), after: (left: Float, right: Float)) {
    let end = microphones.count - 2 * frames
    let newest = 2 * (geometry.length - frames)
    precondition(frames >= 0 && end >= 4 && newest >= 0 && frames <= geometry.longestHop)
    precondition(time.count == 2 * geometry.length && remainder.count == time.count)
    // The spectra were doubled and the inverse transform is not scaled.
    let scale = 1 / Float(2 * geometry.length)
    let next = presence + presenceStep * (target - presence)
    let moved = abs(next - target) < 1e-3 ? target : next
    let rise = (moved - presence) * scale / Float(frames)
    let first = presence * scale + rise
    presence = moved
    for n in 0..<2 * (geometry.longestHop - frames) { remainder[newest - 1 - n] = 0 }
    let (samples, estimate, rest) = unsafe (
      microphones.pointer + end, time.pointer + newest, remainder.pointer + newest
    )
    // Two frames of both ears at a time.
    var factor = SIMD4(first, first, first + rise, first + rise)
    var previous = unsafe Lanes.forward(samples, -4)
    var (before, after) = (SIMD4<Float>(), SIMD4<Float>())
    for n in stride(from: 0, to: 2 * (frames & ~1), by: 4) {
      let heard = unsafe Lanes.forward(samples, n)
      let left = unsafe Self.bounded(heard - factor * Lanes.forward(estimate, n))
      before += heard * heard
      after += left * left
      unsafe Lanes.store(left, samples, n)
      let last = SIMD4(previous[2], previous[3], left[0], left[1])
      unsafe Lanes.store(left + whitening.last * last + whitening.lastButOne * previous, rest, n)
      previous = left
      factor += 2 * rise
    }
    var sums = (before.evenHalf.sum(), before.oddHalf.sum(), after.evenHalf.sum(), after.oddHalf.sum())
    if frames & 1 == 1 {
      let n = 2 * (frames - 1)
      let heard = unsafe SIMD4(samples[n], samples[n + 1], 0, 0)
      let left = unsafe Self.bounded(heard - factor * SIMD4(estimate[n], estimate[n + 1], 0, 0))
      let white =
        left.lowHalf + whitening.last * previous.highHalf + whitening.lastButOne * previous.lowHalf
      for ear in 0..<2 {
        unsafe samples[n + ear] = left[ear]
        unsafe rest[n + ear] = white[ear]
      }
      sums.0 += heard[0] * heard[0]
      sums.1 += heard[1] * heard[1]
      sums.2 += left[0] * left[0]
      sums.3 += left[1] * left[1]
    }
    return ((sums.0, sums.1), (sums.2, sums.3))
  }

  /// No further from zero than a microphone's history goes, a number whatever it was.
  @inline(__always)
  private static func bounded(_ x: SIMD4<Float>) -> SIMD4<Float> {
    let ceiling = SIMD4<Float>(repeating: PairHistory.ceiling)
    let low = (-ceiling).replacing(with: x, where: x .> -ceiling)
    return ceiling.replacing(with: low, where: low .< ceiling)
  }

  /// Keeps what a causal path of the length looked for can be, the more of it the earlier, and scales it.
  private mutating func confine() {
    precondition(time.count == 2 * geometry.length && tapShares.count == 2 * geometry.taps)
    let (samples, shares) = unsafe (time.pointer, tapShares.pointer)
    for n in 0..<2 * geometry.taps { unsafe samples[n] *= shares[n] }
    for n in 2 * geometry.taps..<2 * geometry.length { unsafe samples[n] = 0 }
  }

  /// Puts the pair of both ears' ``EarFeedback/step`` together, `Z[k] = L + jR` and `Z[N−k] = L* + jR*`.
  private mutating func join() {
    let length = geometry.length
    precondition(left.step.half == length / 2 && pair.count >= 2 * (length + 1))
    let z = unsafe pair.pointer
    let (lr, li, rr, ri) = unsafe (left.step.re, left.step.im, right.step.re, right.step.im)
    for vector in 0...length / 8 {
      let k = length / 2 - 4 * vector
      let (leftRe, leftIm) = unsafe (Lanes.forward(lr, k), Lanes.forward(li, k))
      let (rightRe, rightIm) = unsafe (Lanes.forward(rr, k), Lanes.forward(ri, k))
      unsafe Lanes.storeInterleaved(leftRe - rightIm, leftIm + rightRe, z, 2 * k)
      unsafe Lanes.storeInterleavedBackwards(leftRe + rightIm, rightRe - leftIm, z, 2 * (length - k - 3))
    }
  }
}
