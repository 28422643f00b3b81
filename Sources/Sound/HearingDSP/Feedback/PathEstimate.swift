import Acoustics
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
  /// Predicted feedback, and then the remainder without its whitening.
  private(set) var prediction: HalfSpectrum
  /// Steps of the path that were not added to it yet, before they are confined to causal taps.
  private(set) var step: HalfSpectrum
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
  private let half: Int
  /// Parts of a distance covered per hop.
  private let shares: (near: Float, sent: Float, drift: Float)
  private let length: Float

  init(_ geometry: FeedbackGeometry) {
    let half = geometry.length / 2
    self.half = half
    length = Float(geometry.length)
    path = HalfSpectrum(length: geometry.length)
    prediction = HalfSpectrum(length: geometry.length)
    step = HalfSpectrum(length: geometry.length)
    variance = AlignedBuffer(count: half + 8)
    near = AlignedBuffer(count: half + 8)
    sent = AlignedBuffer(count: half + 8)
    prior = HalfSpectrum(length: geometry.length)
    shares = (
      geometry.chain.share(FeedbackGeometry.nearTime), geometry.chain.share(FeedbackGeometry.sentTime),
      geometry.chain.share(FeedbackGeometry.driftTime)
    )
    band = AlignedBuffer(count: half + 8) { $0 <= half ? Float(geometry.weight(bin: $0)) : 0 }
    shape = AlignedBuffer(count: half + 8) { $0 <= half ? Float(geometry.expectation(bin: $0)) : 0 }
    dewhitening = HalfSpectrum(length: geometry.length)
    for k in 0...half {
      let factor = geometry.dewhitening(bin: k)
      unsafe (dewhitening.re[k], dewhitening.im[k]) = (Float(factor.re), Float(factor.im))
    }
    reset(toMeasured: false)
  }

  /// Writes the greatest magnitude of the path in each band, dB.
  ///
  /// - Parameters:
  ///   - edges: Edges of the bands in bins, each band's upper one the next one's lower.
  ///   - bandCount: Number of bands.
  func read(into frame: inout GainFrame, edges: borrowing Buffer, bandCount: Int) {
    for band in 0..<bandCount {
      let last = min(half, Int(edges[band + 1]))
      var greatest: Float = 1e-20
      for k in min(last, Int(edges[band]))...last {
        let power = unsafe path.re[k] * path.re[k] + path.im[k] * path.im[k]
        greatest = max(greatest, power)
      }
      frame.feedbackEstimate[band] = Decibel.fromPower(greatest)
    }
  }

  /// Adopts a measured path for the next reset.
  ///
  /// - Returns: True when it differs from the one before.
  mutating func retarget(to measured: borrowing PathPrior) -> Bool {
    let isNew = measured.isKnown != hasPrior || !prior.isClose(to: measured.spectrum)
    prior.copy(from: measured.spectrum)
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
    step.clear()
  }

  private var expectedVariance: Float { beganWithMeasured ? priorVariance : Self.startingVariance }

  /// Copies an earlier path; the variance stays.
  mutating func copyPath(from other: borrowing HalfSpectrum) {
    path.copy(from: other)
    step.clear()
  }

  /// Writes the predicted spectrum of the feedback into ``prediction``.
  ///
  /// - Parameter sent: Twice the spectrum of the sent sound.
  mutating func processSent(_ sent: borrowing HalfSpectrum) {
    precondition(sent.half == half)
    let (u, w, y) = unsafe (sent.lanes, path.lanes, prediction.lanes)
    for k in stride(from: 0, to: half + 4, by: 4) { unsafe y[k] = u[k] * w[k] }
  }

  /// Discards the steps that were not added to the path yet.
  mutating func resetStep() { step.clear() }

  /// Moves the variance by one hop and adds the hop's step of the path to ``step``.
  ///
  /// - Parameters:
  ///   - remainder: Spectrum of the whitened remainder.
  ///   - frames: Length of the hop.
  ///   - isFast: Adapts fast, after an event that only a wrong path explains.
  mutating func process(
    sent spectrum: borrowing HalfSpectrum, remainder: borrowing HalfSpectrum, frames: Int, isFast: Bool
  ) {
    precondition(spectrum.half == half && remainder.half == half)
    averagePowers(sent: spectrum, remainder: remainder)
    if isFast { raiseVariance(share: Self.fastShare * length / Float(frames)) }
    computeStep(sent: spectrum, frames: frames, caution: isFast ? 1 : Self.caution)
  }

  /// Averages the powers of the near end and of the sent sound, and undoes the whitening of the remainder,
  /// which ``prediction`` then holds.
  @inline(__always) private mutating func averagePowers(
    sent spectrum: borrowing HalfSpectrum, remainder: borrowing HalfSpectrum
  ) {
    let (u, white, inverse, e) = unsafe (
      spectrum.lanes, remainder.lanes, dewhitening.lanes, prediction.lanes
    )
    let (nears, sents) = unsafe (near.pointer, sent.pointer)
    var k = 0
    while k < half + 4 {
      let remainder = unsafe inverse[k] * white[k]
      unsafe e[k] = remainder
      unsafe nears[lanes: k] += shares.near * (remainder.power - nears[lanes: k])
      unsafe sents[lanes: k] += shares.sent * (u[k].power - sents[lanes: k])
      k &+= 4
    }
  }

  /// Raises the variance so far that a share of the remainder may be feedback; not in a bin in which so
  /// little is sent that no path makes that of it.
  private mutating func raiseVariance(share: Float) {
    let (nears, sents, variances) = unsafe (near.pointer, sent.pointer, variance.pointer)
    let ceiling = SIMD4<Float>(repeating: Self.ceiling)
    for k in stride(from: 0, to: half + 4, by: 4) {
      var p = unsafe variances[lanes: k]
      let least = unsafe share * nears[lanes: k] / (sents[lanes: k] + 1e-12)
      p.replace(with: least, where: (p .< least) .& (least .<= ceiling))
      unsafe variances[lanes: k] = p
    }
  }

  /// Adds the filter's gain times the remainder to ``step``, and moves the variance behind it.
  @inline(__always) private mutating func computeStep(
    sent spectrum: borrowing HalfSpectrum, frames: Int, caution: Float
  ) {
    let (u, e, steps) = unsafe (spectrum.lanes, prediction.lanes, step.lanes)
    let variances = unsafe variance.pointer
    let (nears, weights, shapes) = unsafe (near.pointer, band.pointer, shape.pointer)
    let expected = expectedVariance
    let ratio = length / Float(frames)
    let (inverseRatio, trust) = (1 / ratio, ratio * caution)
    var k = 0
    while k < half + 4 {
      let (sent, p) = unsafe (u[k], variances[lanes: k])
      let u2 = sent.power
      let gain = unsafe p / (p * u2 + trust * nears[lanes: k] + 1e-12)
      unsafe steps[k] = steps[k] + gain * weights[lanes: k] * sent.conjugateProduct(e[k])
      let left = p - p * (gain * u2) * inverseRatio
      unsafe variances[lanes: k] = left + shares.drift * (expected * shapes[lanes: k] - left)
      k &+= 4
    }
  }

  /// Adds ``step`` to the path, once it is confined to causal taps; the next one begins with nothing.
  ///
  /// - Parameter confined: Twice the confined step.
  /// - Returns: False when the path is no longer possible: not finite, or far above full reflection.
  mutating func processStep(_ confined: borrowing HalfSpectrum) -> Bool {
    precondition(confined.half == half)
    let (w, steps) = unsafe (path.lanes, confined.lanes)
    step.clear()
    var sum = SIMD4<Float>()
    for k in stride(from: 0, to: half + 4, by: 4) {
      let bins = unsafe w[k] + 0.5 * steps[k]
      unsafe w[k] = bins
      sum += bins.power
    }
    // NaN fails the comparison.
    return sum.sum() < Self.ceiling * Float(half)
  }
}
