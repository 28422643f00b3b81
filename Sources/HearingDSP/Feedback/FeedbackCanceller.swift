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
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func retarget(
    _ control: FeedbackControl, left leftPath: borrowing PathPrior, right rightPath: borrowing PathPrior
  ) {
    left.lean(on: leftPath)
    right.lean(on: rightPath)
    target = control.isCancelling ? 1 : 0
    delay = geometry.bulkDelay(control.loopDelay)
  }

  /// After a gap in the sound: what was sent before it does not come back. The paths stay.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func reset() { history.reset() }

  #if RT_LINT
    @_noAllocation
  #endif
  mutating func hurry(left isLeft: Bool, right isRight: Bool) {
    if isLeft { left.hurry() }
    if isRight { right.hurry() }
  }

  /// Takes the estimate away from the newest frames of the microphones' history and learns from what is left.
  ///
  /// - Parameters:
  ///   - microphones: Interleaved, newest last.
  ///   - frames: Length of the hop.
  #if RT_LINT
    @_noAllocation
  #endif
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
  #if RT_LINT
    @_noAllocation
  #endif
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
  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func subtract(
    _ microphones: inout AlignedBuffer<Float>, frames: Int
  ) -> (before: (left: Float, right: Float), after: (left: Float, right: Float)) {
    let end = microphones.count - 2 * frames
    let newest = 2 * (geometry.length - frames)
    precondition(end >= 4 && newest >= 0 && time.count == 2 * geometry.length)
    // The spectra were doubled and the inverse transform is not scaled.
    let scale = 1 / Float(2 * geometry.length)
    let next = presence + presenceStep * (target - presence)
    let moved = abs(next - target) < 1e-3 ? target : next
    var factor = presence * scale
    let rise = (moved - presence) * scale / Float(frames)
    presence = moved
    var (before, after) = (SIMD2<Float>(), SIMD2<Float>())
    let ceiling = PairHistory.ceiling
    for n in 0..<2 * (geometry.longestHop - frames) { remainder[newest - 1 - n] = 0 }
    var last = SIMD2(microphones[end - 2], microphones[end - 1])
    var lastButOne = SIMD2(microphones[end - 4], microphones[end - 3])
    for n in 0..<frames {
      factor += rise
      let heard = SIMD2(microphones[end + 2 * n], microphones[end + 2 * n + 1])
      let whole = SIMD2(time[newest + 2 * n], time[newest + 2 * n + 1])
      let left = min(max(heard[0] - factor * whole[0], -ceiling), ceiling)
      let right = min(max(heard[1] - factor * whole[1], -ceiling), ceiling)
      before += heard * heard
      after += SIMD2(left * left, right * right)
      microphones[end + 2 * n] = left
      microphones[end + 2 * n + 1] = right
      let now = SIMD2(left, right)
      let white = now + whitening.last * last + whitening.lastButOne * lastButOne
      remainder[newest + 2 * n] = white[0]
      remainder[newest + 2 * n + 1] = white[1]
      (lastButOne, last) = (last, now)
    }
    return ((before[0], before[1]), (after[0], after[1]))
  }

  /// Keeps what a causal path of the length looked for can be, the more of it the earlier, and scales it.
  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func confine() {
    precondition(time.count == 2 * geometry.length && tapShares.count == 2 * geometry.taps)
    let (samples, shares) = unsafe (time.pointer, tapShares.pointer)
    for n in 0..<2 * geometry.taps { unsafe samples[n] *= shares[n] }
    for n in 2 * geometry.taps..<2 * geometry.length { unsafe samples[n] = 0 }
  }

  /// Puts the pair of both ears' ``EarFeedback/step`` together, `Z[k] = L + jR` and `Z[N−k] = L* + jR*`.
  #if RT_LINT
    @_noAllocation
  #endif
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
