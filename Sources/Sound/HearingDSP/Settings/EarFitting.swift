public import Acoustics
public import Fitting
import Glibc

/// Prescription of one ear in the chain's terms: gain at each level, limits, and the calibration of
/// microphone and earphone.
///
/// - Threads: `any`.
public struct EarFitting: Sendable, Equatable {
  /// Insertion gain against band input level, part by part: the last layer is what the chain plays.
  public var layers: [GainLayer]
  /// Greatest output of each band, dB SPL. - Shape: one per band.
  public var bandLimits: [SoundPressureLevel]
  /// Greatest output of all bands together, dB SPL: neither the level of the sound nor, for a pure tone,
  /// its peak exceeds it.
  public var outputLimit: SoundPressureLevel
  /// dB SPL at the microphone that a full-scale sine in the input stands for.
  public var inputAtFullScale: SoundPressureLevel
  /// Response of the microphone at each band's centre relative to ``inputAtFullScale``, dB: a sound there is read as that much louder than
  /// it is. Default nil: 0 dB.
  public var microphoneResponse: [Double]?
  /// dB SPL at the ear that a full-scale sine in the output makes, at each band's centre.
  public var outputAtFullScale: [SoundPressureLevel]
  /// The same where the earphone is most sensitive at any frequency, also between and beyond the bands' centres. Default nil: at a
  /// centre.
  public var loudestAtFullScale: SoundPressureLevel?
  /// dB SPL that a full-scale sine makes at each band's centre by the earphone's own calibration, where ``outputAtFullScale`` is assumed
  /// higher: the levels of a tinnitus sound and of a stream go by it. Default nil: ``outputAtFullScale``.
  public var calibratedAtFullScale: [SoundPressureLevel]?
  /// Coupler response for flat insertion gain (CORFIG) at each band's centre, dB: level at the ear less that at the microphone for an
  /// insertion gain of 0 dB. Default nil: 0 dB.
  public var couplerResponse: [Double]?
  /// Softest sound that the ear hears behind its gain at each band's centre, dB HL (``AidedThreshold``): noise is reduced by it. Default
  /// nil: not known.
  public var aidedThresholds: [Double]?
  /// Moves high sounds to frequencies that the ear still hears. Default nil: nothing is moved.
  public var lowering: FrequencyLowering?
  /// Sound added for a person with tinnitus. Default nil: none.
  public var tinnitusSound: TinnitusSound?
  /// Path from the earphone back into the microphone, as measured. Default nil: unknown.
  public var feedbackPath: FeedbackPath?

  /// Knots that a band's gain curve may have.
  public static let knotLimit = GainCurve.maximumKnotCount
  /// Greatest insertion gain that a curve may ask for, dB: that of a plan.
  public static let gainCeiling = FittingPlan.greatestGain
  /// Steepest gain curve accepted, dB per dB: fifty times the slope of an expander or a limiter, and what
  /// single precision still resolves to a hundredth of a dB.
  public static let slopeLimit = 100.0
  /// Output limits accepted, dB SPL. The upper end is the highest that a build of this program can ever be
  /// set to; above 132 dB SPL IEC 60601-2-66 asks for more than this program has (from memory), and 120
  /// keeps 12 dB to it.
  public static let outputLimits = 60.0...120.0
  /// Coupler responses accepted, dB. Those of the tables lie within −15…24 (``Transducer/couplerResponse(at:)``).
  public static let couplerResponses = -30.0...30.0
  /// Responses of a microphone accepted, dB. Own choice: what a microphone hears 10 dB too softly is made up for by gain, of which more would
  /// be noise of its own and nearer to a whistle; what it hears too loudly, by less gain.
  public static let microphoneResponses = -10.0...30.0
  /// dB SPL at full scale accepted from a calibration: quieter or louder transducers do not exist.
  public static let fullScales = 60.0...180.0

  /// dB SPL that a full-scale sine in the output makes at most, at whatever frequency; nil without bands.
  public var greatestAtFullScale: SoundPressureLevel? {
    (outputAtFullScale + [loudestAtFullScale].compactMap(\.self)).max()
  }

  /// dB SPL at each band's centre by which sound goes that no microphone takes up. - Shape: one per band.
  public var addedAtFullScale: [SoundPressureLevel] { calibratedAtFullScale ?? outputAtFullScale }

  /// dB SPL at the microphone that an insertion gain of 0 dB turns into a full-scale sine in the output, at a band's centre.
  public func fieldAtFullScale(_ band: Int) -> SoundPressureLevel {
    outputAtFullScale[band] - (couplerResponse?[band] ?? 0)
  }

  /// Response of the microphone at a band's centre, dB.
  func response(inBand band: Int) -> Double { microphoneResponse?[band] ?? 0 }

  /// dB SPL at the microphone that a full-scale sine in the input stands for, at a band's centre.
  public func inputAtFullScale(inBand band: Int) -> SoundPressureLevel {
    inputAtFullScale - response(inBand: band)
  }

  /// Digital gain less insertion gain in a band: microphone minus earphone, and the coupler's response, dB.
  public func digitalOffset(inBand band: Int) -> Double {
    inputAtFullScale(inBand: band) - fieldAtFullScale(band)
  }

  /// Insertion gain of the last layer, one curve per band.
  public var curves: [GainCurve] {
    get { layers[layers.count - 1].curves }
    set { layers[layers.count - 1].curves = newValue }
  }

  /// A fitting of one layer that ``check(bandCount:levels:)`` has not seen yet.
  public init(
    curves: [GainCurve], bandLimits: [SoundPressureLevel], outputLimit: SoundPressureLevel,
    inputAtFullScale: SoundPressureLevel, outputAtFullScale: [SoundPressureLevel],
    lowering: FrequencyLowering? = nil, tinnitusSound: TinnitusSound? = nil,
    feedbackPath: FeedbackPath? = nil
  ) {
    layers = [GainLayer(.prescription, curves)]
    (self.bandLimits, self.outputLimit) = (bandLimits, outputLimit)
    (self.inputAtFullScale, self.outputAtFullScale) = (inputAtFullScale, outputAtFullScale)
    (self.lowering, self.tinnitusSound, self.feedbackPath) = (lowering, tinnitusSound, feedbackPath)
  }

  /// Refuses a fitting that the chain cannot or must not play.
  ///
  /// - Parameter levels: Least level that the chain reads, dB SPL, and greatest above full scale, dB.
  /// - Throws: ``ChainError`` with the band and the limit.
  func check(bandCount: Int, levels: (least: Double, overload: Double)) throws(ChainError) {
    let counts = [
      curves.count, bandLimits.count, outputAtFullScale.count, addedAtFullScale.count,
      couplerResponse?.count ?? bandCount, microphoneResponse?.count ?? bandCount,
      aidedThresholds?.count ?? bandCount,
    ]
    for count in counts where count != bandCount {
      throw .curveCount(found: count, expected: bandCount)
    }
    for response in couplerResponse ?? [] {
      try ChainError.check(.effect, response, "coupler response", in: Self.couplerResponses)
    }
    for response in microphoneResponse ?? [] {
      try ChainError.check(.effect, response, "microphone response", in: Self.microphoneResponses)
    }
    try Self.check(bandLimits + [outputLimit], "output limit", Self.outputLimits)
    try Self.check([inputAtFullScale], "input at full scale", Self.fullScales)
    let outputs = outputAtFullScale + addedAtFullScale + [loudestAtFullScale].compactMap(\.self)
    try Self.check(outputs, "output at full scale", Self.fullScales)
    for (band, curve) in curves.enumerated() {
      guard curve.knots.count <= Self.knotLimit else {
        throw .tooManyKnots(band: band, found: curve.knots.count, limit: Self.knotLimit)
      }
      for found in curve.slopes where !(abs(found) <= Self.slopeLimit) {
        throw .slopeTooSteep(band: band, found: found, limit: Self.slopeLimit)
      }
      // A slope at either end has no bound: the gain at the least and the greatest level tells how far it
      // rises.
      let ends = [SoundPressureLevel(levels.least), inputAtFullScale + levels.overload]
      let gains = curve.knots.map(\.gain) + ends.map { curve.gain(at: $0 - response(inBand: band)) }
      guard gains.allSatisfy({ $0.isFinite && $0 <= Self.gainCeiling }) else {
        throw .gainOutOfRange(band: band, limit: Self.gainCeiling)
      }
    }
  }

  private static func check(
    _ levels: [SoundPressureLevel], _ name: String, _ range: ClosedRange<Double>
  ) throws(ChainError) {
    for level in levels { try ChainError.check(.level, level.decibels, name, in: range) }
  }
}

extension GainCurve {
  /// Slopes below the first knot, from each knot to the next, and above the last one, dB per dB.
  var slopes: [Double] {
    let between = zip(knots, knots.dropFirst()).map { ($1.gain - $0.gain) / ($1.level - $0.level) }
    return [slopeBelow] + between + [slopeAbove]
  }
}

/// Acoustic path of one ear from the earphone back into the microphone, as measured at a fitting: an
/// impulse response.
///
/// It holds for that day's earpiece in that day's ear. The canceller begins with it and returns to it, and
/// adapts to what has changed.
///
/// - Threads: `any`.
public struct FeedbackPath: Sendable, Equatable {
  /// Sample rate of ``response``, Hz, one of ``ChainGeometry/sampleRates``; converted to the chain's.
  public var sampleRate: Double
  /// Time between a sample leaving the chain and the first tap coming back in, s: converters, buffers, air.
  public var delay: Double
  /// Taps behind the delay, linear: digital full scale out to digital full scale in. A response longer than
  /// the canceller's taps is cut off.
  public var response: [Double]

  /// Gains accepted as a path's, dB: ten times full reflection at equal calibrations.
  public static let gains = -200.0...20.0
  /// Longest response accepted, s.
  public static let longest = 0.1

  /// A path that ``check()`` has not seen yet; see the properties for units.
  public init(sampleRate: Double, delay: Double, response: [Double]) {
    (self.sampleRate, self.delay, self.response) = (sampleRate, delay, response)
  }

  /// Response at a frequency, the delay not counted.
  ///
  /// - Parameter frequency: Hz.
  /// - Returns: Real and imaginary part, linear.
  /// - Complexity: O(taps).
  public func value(at frequency: Double) -> (re: Double, im: Double) {
    let omega = 2 * .pi * frequency / sampleRate
    var (re, im) = (0.0, 0.0)
    for (n, x) in response.enumerated() {
      re += x * cos(omega * Double(n))
      im -= x * sin(omega * Double(n))
    }
    return (re, im)
  }

  /// Refuses a path that cannot have been measured.
  ///
  /// - Throws: ``ChainError`` with rate, delay, length or power.
  public func check() throws(ChainError) {
    guard ChainGeometry.sampleRates.contains(sampleRate) else { throw .unsupportedSampleRate(sampleRate) }
    try ChainError.check(.time, delay, "feedback path's delay", in: FeedbackControl.loopDelays)
    let length = Double(response.count) / sampleRate
    try ChainError.check(.time, length, "feedback path's length", in: 0...Self.longest)
    // The energy bounds the mean of |F|² over frequency.
    let energy = response.reduce(0) { $0 + $1 * $1 }
    guard energy.isFinite, 10 * log10(energy + 1e-20) <= Self.gains.upperBound else {
      throw .outOfRange(.effect, name: "feedback path", found: 10 * log10(energy), range: Self.gains)
    }
  }
}
