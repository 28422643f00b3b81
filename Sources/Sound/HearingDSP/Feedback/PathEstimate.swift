import Glibc
import Realtime

/// Estimate of one ear's feedback path: a spectrum, and the variance of each bin.
///
/// A Kalman filter with one state per bin (Enzner & Vary 2006, Signal Processing 86, "Frequency-domain
/// adaptive Kalman filter for acoustic echo control"): the path drifts slowly, and the other sound at the
/// microphone is noise of power Ψ, read from the remainder e. With the spectra U of the sent sound and E of
/// the remainder
///
/// `K = P / (P|U|² + (N/R)cΨ)`, `ΔW = K·U*·E`, `P ← a(1 − (R/N)·K|U|²)·P + (1 − a)·Q`,
///
/// where Q is the expected variance of a path.
///
/// Weighting by 1/Ψ whitens the near end by construction, and with the gradient confined to causal taps
/// behind the bulk delay that removes most of the bias that the sound itself causes by being in both U and
/// E: the effect of the prediction-error method (Spriet et al. 2005) without its linear predictor.
///
/// - Threads: built on `control`, run on `audio`.
struct PathEstimate: ~Copyable {
  /// Variance where an unmeasured path is strongest, |F|²: a fitting's path at equal calibrations, −30 dB.
  /// Own choice by trial.
  static let startingVariance: Float = 0.001
  /// Greatest variance and squared magnitude accepted of a path: + 20 dB.
  private static var ceiling: Float { 100 }
  /// Share of the remainder that fast adaptation attributes to feedback. Own choice by trial.
  private static var fastShare: Float { 0.3 }
  /// Factor on Ψ outside fast adaptation. The filter assumes that the near ends of successive hops are
  /// independent, but a note lasts for hundreds of hops, whose information together is worth that much
  /// less. Own choice by trial: at 1 music's bias costs stable gain, at 10 adaptation comes too late.
  private static var caution: Float { 4 }

  private(set) var path: HalfSpectrum
  private var variance: Buffer
  /// Four times Ψ.
  private var near: Buffer
  /// Four times the mean of |U|².
  private var sent: Buffer
  private let band: Buffer
  /// Factors that undo the whitening of the remainder's spectrum.
  private let dewhitening: HalfSpectrum
  /// Expected power of the path, relative to the strongest bin's.
  private let shape: Buffer
  /// Measured path; zeros without one.
  private var prior: HalfSpectrum
  private var hasPrior = false
  private var priorVariance: Float = 0
  /// The present estimate began with the measured path.
  private(set) var beganWithMeasured = false
  /// Greatest power of the path in any bin, |F|².
  private(set) var peak: Float = 0
  private let half: Int
  private let nearShare: Float
  private let sentShare: Float
  private let drift: Float
  private let length: Float

  init(_ geometry: FeedbackGeometry) {
    half = geometry.length / 2
    length = Float(geometry.length)
    path = HalfSpectrum(length: geometry.length)
    variance = AlignedBuffer(count: half + 8)
    near = AlignedBuffer(count: half + 8)
    sent = AlignedBuffer(count: half + 8)
    prior = HalfSpectrum(length: geometry.length)
    nearShare = geometry.chain.share(FeedbackGeometry.nearTime)
    sentShare = geometry.chain.share(FeedbackGeometry.sentTime)
    drift = geometry.chain.share(FeedbackGeometry.driftTime)
    var weights = Buffer(count: half + 8)
    var expectations = Buffer(count: half + 8)
    let inverse = HalfSpectrum(length: geometry.length)
    let (inverseRe, inverseIm) = unsafe (inverse.re, inverse.im)
    for k in 0...half {
      weights[k] = Float(geometry.weight(bin: k))
      expectations[k] = Float(geometry.expectation(bin: k))
      let factor = geometry.dewhitening(bin: k)
      unsafe inverseRe[k] = Float(factor.re)
      unsafe inverseIm[k] = Float(factor.im)
    }
    band = weights
    shape = expectations
    dewhitening = inverse
    reset(toMeasured: false)
  }

  /// Adopts a measured path for the next reset.
  ///
  /// - Returns: True when it differs from the one before.
  mutating func retarget(to measured: borrowing PathPrior) -> Bool {
    precondition(measured.half == half && measured.re.count >= half + 4 && measured.im.count >= half + 4)
    let (re, im) = unsafe (prior.re, prior.im)
    var isNew = measured.isKnown != hasPrior
    for k in 0..<half + 4 {
      unsafe isNew = isNew || re[k] != measured.re[k] || im[k] != measured.im[k]
      unsafe re[k] = measured.re[k]
      unsafe im[k] = measured.im[k]
    }
    hasPrior = measured.isKnown
    priorVariance = measured.variance
    return isNew
  }

  /// Sets the estimate to the measured path, or to none.
  mutating func reset(toMeasured isMeasured: Bool) {
    beganWithMeasured = isMeasured && hasPrior
    for k in 0..<half + 8 {
      variance[k] = expectedVariance * shape[k]
      near[k] = 1e-9
      sent[k] = 0
    }
    if beganWithMeasured { path.copy(from: prior) } else { path.clear() }
  }

  private var expectedVariance: Float { beganWithMeasured ? priorVariance : Self.startingVariance }

  /// Copies an earlier path; the variance stays.
  mutating func copyPath(from other: borrowing HalfSpectrum) { path.copy(from: other) }

  /// Predicted spectrum of the feedback.
  ///
  /// - Parameter sent: Twice the spectrum of the sent sound.
  func predict(_ sent: borrowing HalfSpectrum, into result: inout HalfSpectrum) {
    precondition(sent.half == half && result.half == half)
    let (ur, ui, wr, wi) = unsafe (sent.re, sent.im, path.re, path.im)
    let (yr, yi) = unsafe (result.re, result.im)
    for k in stride(from: 0, to: half + 4, by: 4) {
      let (a, b) = unsafe (Lanes.forward(ur, k), Lanes.forward(ui, k))
      let (c, d) = unsafe (Lanes.forward(wr, k), Lanes.forward(wi, k))
      unsafe Lanes.store(a * c - b * d, yr, k)
      unsafe Lanes.store(a * d + b * c, yi, k)
    }
  }

  /// Moves the variance by one hop and computes the step of the path, before it is confined to causal taps.
  ///
  /// - Parameters:
  ///   - remainder: Spectrum of the whitened remainder.
  ///   - frames: Length of the hop.
  ///   - isFast: Adapts fast, after an event that only a wrong path explains.
  mutating func process(
    sent spectrum: borrowing HalfSpectrum, remainder: borrowing HalfSpectrum, frames: Int, isFast: Bool,
    into step: inout HalfSpectrum
  ) {
    precondition(spectrum.half == half && remainder.half == half && step.half == half)
    averagePowers(sent: spectrum, remainder: remainder, into: &step)
    if isFast { raiseVariance(share: Self.fastShare * length / Float(frames)) }
    computeStep(sent: spectrum, frames: frames, caution: isFast ? 1 : Self.caution, into: &step)
  }

  /// Averages the powers of the near end and of the sent sound, and undoes the whitening of the remainder.
  @inline(__always)
  private mutating func averagePowers(
    sent spectrum: borrowing HalfSpectrum, remainder: borrowing HalfSpectrum,
    into result: inout HalfSpectrum
  ) {
    let (ur, ui, er, ei) = unsafe (spectrum.re, spectrum.im, remainder.re, remainder.im)
    let (ir, ii, cr, ci) = unsafe (dewhitening.re, dewhitening.im, result.re, result.im)
    let (nears, sents) = unsafe (near.pointer, sent.pointer)
    var k = 0
    while k < half + 4 {
      let (x, y) = unsafe (Lanes.forward(er, k), Lanes.forward(ei, k))
      let (v, w) = unsafe (Lanes.forward(ir, k), Lanes.forward(ii, k))
      let (c, d) = (v * x - w * y, v * y + w * x)
      unsafe Lanes.store(c, cr, k)
      unsafe Lanes.store(d, ci, k)
      let psi = unsafe Lanes.forward(nears, k)
      unsafe Lanes.store(psi + nearShare * (c * c + d * d - psi), nears, k)
      let (a, b) = unsafe (Lanes.forward(ur, k), Lanes.forward(ui, k))
      let power = unsafe Lanes.forward(sents, k)
      unsafe Lanes.store(power + sentShare * (a * a + b * b - power), sents, k)
      k &+= 4
    }
  }

  /// Raises the variance so far that a share of the remainder may be feedback.
  private mutating func raiseVariance(share: Float) {
    let (nears, sents, variances) = unsafe (near.pointer, sent.pointer, variance.pointer)
    let ceiling = SIMD4<Float>(repeating: Self.ceiling)
    for k in stride(from: 0, to: half + 4, by: 4) {
      var p = unsafe Lanes.forward(variances, k)
      let least = unsafe share * Lanes.forward(nears, k) / (Lanes.forward(sents, k) + 1e-12)
      p.replace(with: least, where: p .< least)
      p.replace(with: ceiling, where: p .> ceiling)
      unsafe Lanes.store(p, variances, k)
    }
  }

  /// Computes the step by the filter's gain, and the variance behind it.
  ///
  /// - Parameter step: The remainder; becomes the step.
  @inline(__always)
  private mutating func computeStep(
    sent spectrum: borrowing HalfSpectrum, frames: Int, caution: Float, into step: inout HalfSpectrum
  ) {
    let (ur, ui, sr, si) = unsafe (spectrum.re, spectrum.im, step.re, step.im)
    let (variances, nears, weights, shapes) = unsafe (
      variance.pointer, near.pointer, band.pointer, shape.pointer
    )
    let expected = expectedVariance
    let ratio = length / Float(frames)
    let (inverseRatio, trust) = (1 / ratio, ratio * caution)
    var k = 0
    while k < half + 4 {
      let (a, b) = unsafe (Lanes.forward(ur, k), Lanes.forward(ui, k))
      let (c, d) = unsafe (Lanes.forward(sr, k), Lanes.forward(si, k))
      let p = unsafe Lanes.forward(variances, k)
      let u2 = a * a + b * b
      let gain = unsafe p / (p * u2 + trust * Lanes.forward(nears, k) + 1e-12)
      let weighted = unsafe gain * Lanes.forward(weights, k)
      unsafe Lanes.store(weighted * (a * c + b * d), sr, k)
      unsafe Lanes.store(weighted * (a * d - b * c), si, k)
      let left = p - p * (gain * u2) * inverseRatio
      unsafe Lanes.store(left + drift * (expected * Lanes.forward(shapes, k) - left), variances, k)
      k &+= 4
    }
  }

  /// Adds a step to the path.
  ///
  /// - Parameter step: Twice the step.
  /// - Returns: False when the path is no longer possible: not finite, or far above full reflection.
  mutating func processStep(_ step: borrowing HalfSpectrum) -> Bool {
    precondition(step.half == half)
    let (wr, wi, sr, si) = unsafe (path.re, path.im, step.re, step.im)
    var (sum, most) = (SIMD4<Float>(), SIMD4<Float>())
    for k in stride(from: 0, to: half + 4, by: 4) {
      let x = unsafe Lanes.forward(wr, k) + 0.5 * Lanes.forward(sr, k)
      let y = unsafe Lanes.forward(wi, k) + 0.5 * Lanes.forward(si, k)
      unsafe Lanes.store(x, wr, k)
      unsafe Lanes.store(y, wi, k)
      let square = x * x + y * y
      sum += square
      most.replace(with: square, where: square .> most)
    }
    peak = most.max()
    // NaN fails the comparison.
    return sum.sum() < Self.ceiling * Float(half)
  }
}
