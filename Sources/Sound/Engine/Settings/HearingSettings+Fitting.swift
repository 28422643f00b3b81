public import Acoustics
import Base
public import Fitting
public import HearingDSP

extension HearingSettings {
  /// A curve that leaves every level as it is.
  static let unchanged = GainCurve(unchangingGain: 0)

  /// The chain's setting for these settings.
  ///
  /// An ear without thresholds is not amplified: 0 dB insertion gain, and never more than 0 dB in the digits while the
  /// calibration is unknown.
  ///
  /// - Throws: ``FittingFailure`` naming the ear or number that cannot be used.
  public func parameters(for geometry: ChainGeometry) throws(FittingFailure) -> ChainParameters {
    let ears = try fittings()
    return try rethrowing(
      FittingFailure.chain,
      try ChainParameters(
        ears, dynamics: soundingDynamics, treatment: treatment, bands: bands, geometry: geometry))
  }

  /// Sound for both ears.
  ///
  /// - Throws: ``FittingFailure`` naming the ear that cannot be fitted.
  public func fittings() throws(FittingFailure) -> Binaural<EarFitting> {
    try Binaural { ear throws(FittingFailure) in try fitting(for: ear) }
  }

  /// Sound for one ear.
  ///
  /// - Throws: ``FittingFailure`` naming what cannot be used.
  public func fitting(for ear: Ear) throws(FittingFailure) -> EarFitting {
    do { try MaximumOutput.check(maximumOutput) } catch { throw .rule(ear, error) }
    let levels = try levels(for: ear)
    var fitting = EarFitting(
      curves: [], bandLimits: limits(for: ear), outputLimit: outputCeiling,
      inputAtFullScale: levels.microphone, outputAtFullScale: levels.earphone,
      lowering: lowering(for: ear), tinnitusSound: tinnitusSound(for: ear, at: levels.earphone),
      feedbackPath: feedback.path(for: ear))
    // Held as the bands are where nothing is calibrated.
    fitting.loudestAtFullScale = max(
      earphones.sensitivity[ear].loudest.nominalLevel, levels.earphone.max() ?? levels.microphone)
    fitting.calibratedAtFullScale = calibratedLevels(for: ear)
    fitting.couplerResponse = couplerResponse(for: ear)
    fitting.microphoneResponse = microphoneResponse(for: ear)
    fitting.layers = try layers(for: ear, stableGains: stableGains(ear, levels))
    fitting.aidedThresholds = thresholdsInForce(of: ear).flatMap {
      AidedThreshold.each(for: $0, behind: fitting.curves, bands: bands)
    }
    return fitting
  }

  /// Gain of one ear, part by part.
  private func layers(for ear: Ear, stableGains: [Double]?) throws(FittingFailure) -> [GainLayer] {
    let prescribed = try curves(for: ear)
    // A rule that is played in place of the plan's knows no adaptation.
    let isWhole = plan.adaptation == 1 || playedRule != nil
    let whole = isWhole ? prescribed : try curves(for: ear, by: plan.rule(for: ear, adaptation: 1))
    var layers = [GainLayer(.prescription, whole), GainLayer(.adaptation, prescribed)]
    if debug != nil { layers.append(GainLayer(.debug, try changed(prescribed, for: ear))) }
    // Before and after: volume turned down is heard where the caution holds the gain, and nothing is turned up beyond it.
    let isCautious = calibrationStatus == .none
    if isCautious {
      layers.append(GainLayer(.caution, UncalibratedCaution.held(layers[layers.count - 1].curves)))
    }
    layers += adjustments(of: layers[layers.count - 1].curves, for: ear)
    var heard = layers[layers.count - 1].curves
    if isCautious {
      heard = UncalibratedCaution.held(heard)
      layers.append(GainLayer(.caution, heard))
    }
    heard = stable(heard, limits: stableGains)
    layers.append(GainLayer(.feedbackLimit, heard))
    // Softer still, so that every limit holds.
    if let debug { layers.append(GainLayer(.debug, debug.attenuated(heard))) }
    return layers
  }

  /// Levels that full scale stands for at the microphone, and at the ear in each band.
  func levels(
    for ear: Ear
  ) throws(FittingFailure) -> (microphone: SoundPressureLevel, earphone: [SoundPressureLevel]) {
    let microphone = try rethrowing(
      FittingFailure.calibration, try microphones.sensitivity(channel: ear == .left ? 0 : 1).nominalLevel)
    let earphone = bands.centres.map(earphones.sensitivity[ear].heldLevel)
    // Without a calibration a gain of 0 dB is at most 0 dB in the digits, and a limit at most the same limit.
    return (microphone, calibrationStatus == .none ? earphone.map { max($0, microphone) } : earphone)
  }

  /// The earphone's own levels at full scale in each band where ``levels(for:)`` takes a microphone's that nobody measured; nil: they are
  /// the same.
  ///
  /// The microphone's level is assumed so that an unknown gain is no more than 0 dB in the digits. A tinnitus sound and a stream have
  /// levels of their own, which no microphone changes. Limits, those of a stream's bands and that of the sum included, stay by the assumed
  /// level: in the digits they are as low as without any calibration, so nothing that reaches one is louder for it.
  func calibratedLevels(for ear: Ear) -> [SoundPressureLevel]? {
    guard calibrationStatus == .none, earphones.device.status != .none else { return nil }
    // An earphone below what the chain accepts plays all the same, softer than stated.
    let least = SoundPressureLevel(EarFitting.fullScales.lowerBound)
    return bands.centres.map { max(earphones.sensitivity[ear].heldLevel(at: $0), least) }
  }

  /// Coupler response for flat insertion gain in each band, dB; nil while nothing is calibrated, and for an ear without thresholds: what
  /// is not fitted makes no sound louder than it is taken in.
  func couplerResponse(for ear: Ear) -> [Double]? {
    guard calibrationStatus != .none, fittedEars.contains(ear) else { return nil }
    return bands.centres.map(earphones.couplerResponse)
  }

  /// Response of the ear's microphone in each band relative to its one level at full scale, dB; nil where it is flat or unknown, while
  /// nothing is calibrated, and for an ear without thresholds, as ``couplerResponse(for:)``. Outside the microphone's table the nearest end
  /// counts; held within ``EarFitting/microphoneResponses``.
  func microphoneResponse(for ear: Ear) -> [Double]? {
    guard calibrationStatus != .none, fittedEars.contains(ear),
      let sensitivity = try? microphones.sensitivity(channel: ear == .left ? 0 : 1),
      sensitivity.range != nil
    else { return nil }
    let accepted = EarFitting.microphoneResponses
    return bands.centres.map {
      // A level at full scale that is lower is a microphone that makes more of the same sound.
      let response = sensitivity.nominalLevel - sensitivity.heldLevel(at: $0)
      return min(max(response, accepted.lowerBound), accepted.upperBound)
    }
  }

  /// Gain curve of each band as the plan prescribes it.
  ///
  /// - Throws: ``FittingFailure/rule(_:_:)``.
  public func curves(for ear: Ear) throws(FittingFailure) -> [GainCurve] {
    try curves(for: ear, by: rule(for: ear))
  }

  private func curves(for ear: Ear, by rule: any FittingRule) throws(FittingFailure) -> [GainCurve] {
    guard let audiogram = audiograms?[ear], fittedEars.contains(ear) else {
      return bands.centres.map { _ in Self.unchanged }
    }
    return try curves(for: ear, of: audiogram, by: rule)
  }

  func curves(
    for ear: Ear, of audiogram: Audiogram, by rule: any FittingRule
  ) throws(FittingFailure) -> [GainCurve] {
    try rethrowing({ FittingFailure.rule(ear, $0) }, try rule.curves(for: audiogram, bands: bands))
  }

  /// Gain that is prescribed for ears which hear normally; an ear whose curves cannot be made has none.
  public var needlessGains: [NeedlessGain] {
    fittedEars.compactMap { ear in
      guard let audiogram = audiograms?[ear], let curves = try? curves(for: ear) else { return nil }
      return NeedlessGain(ear, audiogram, curves: curves, bands: bands)
    }
  }

  /// Findings in the audiograms and in the gain that the plan makes from them, as before a prescription is signed;
  /// empty without audiograms.
  public var findings: [AudiogramReview.Finding] {
    audiograms.map { AudiogramReview($0, plan: plan).findings } ?? []
  }

  private func limits(for ear: Ear) -> [SoundPressureLevel] {
    guard let audiogram = audiograms?[ear], fittedEars.contains(ear) else {
      return bands.centres.map { _ in outputCeiling }
    }
    return plan.outputLimits(for: ear, audiogram: audiogram, bands: bands).map {
      shared(min($0, outputCeiling))
    }
  }

  /// Frequency lowering that an ear gets; nil: it is prescribed none, has no thresholds, or a comparison leaves it out.
  public func lowering(for ear: Ear) -> FrequencyLowering? {
    has(.frequencyLowering) && fittedEars.contains(ear) ? plan.lowering[ear] : nil
  }

  /// Tinnitus sound that an ear gets; nil: it is prescribed none, a comparison leaves it out, or too little is left
  /// of it while the earphone is not calibrated (``isTinnitusSoundHeldBack(for:)``).
  public func tinnitusSound(for ear: Ear) -> TinnitusSound? {
    guard let levels = try? levels(for: ear) else { return nil }
    return tinnitusSound(for: ear, at: levels.earphone)
  }

  /// True when a prescribed tinnitus sound is left out for the sole reason that nobody has measured the earphone.
  public func isTinnitusSoundHeldBack(for ear: Ear) -> Bool {
    guard let levels = try? levels(for: ear), has(.tinnitusSound), plan.tinnitusSound[ear] != nil else {
      return false
    }
    return tinnitusSound(for: ear, at: levels.earphone) == nil
  }

  /// The prescribed sound; while nobody has measured the earphone, no louder than that even in a loud one.
  private func tinnitusSound(for ear: Ear, at earphone: [SoundPressureLevel]) -> TinnitusSound? {
    guard has(.tinnitusSound), let sound = plan.tinnitusSound[ear] else { return nil }
    return earphones.device.status == .none ? UncalibratedCaution.turnedDown(sound, at: earphone) : sound
  }
}

extension HearingSettings {
  /// Greatest insertion gain while the calibration is unknown, dB; nil: what the rule prescribes.
  public var gainCap: Double? { calibrationStatus == .none ? UncalibratedCaution.greatestGain : nil }

  /// Greatest gain that the plan asks for at any band and level, dB, where the calibration is unknown and it is beyond
  /// ``gainCap``; nil: all that is prescribed is heard. An ear whose curves cannot be made is left out.
  public var greatestGainHeldBack: Double? {
    guard let gainCap else { return nil }
    let curves = fittedEars.compactMap { try? self.curves(for: $0) }.joined()
    guard let greatest = curves.flatMap(\.knots).map(\.gain).max(), greatest > gainCap else { return nil }
    return greatest
  }
}

/// Limits of gain while nobody has measured what the numbers mean in dB SPL.
///
/// With an unknown microphone and earphone a prescription is a guess: it may come out 20 dB louder than
/// meant. What asks for more than is granted is held there; what asks for less is heard as prescribed.
enum UncalibratedCaution {
  /// Greatest gain at any band and level without a calibration, dB. Own choice: enough to find out whether
  /// it helps, far from what could hurt with a loud earphone.
  static let greatestGain = 20.0

  /// Curves with no gain above ``greatestGain`` at any level; lower gains, and reductions, stay as they are.
  static func held(_ curves: [GainCurve]) -> [GainCurve] {
    curves.map { curve in
      // Beyond the outer knots gain may fall, not rise: nobody knows which level that is.
      let (below, above) = (max(0, curve.slopeBelow), min(0, curve.slopeAbove))
      return GainCurve(checked: curve.knots, slopeBelow: below, slopeAbove: above).held(below: greatestGain)
    }
  }

  /// A tinnitus sound that is no louder than stated in an earphone that makes 120 dB SPL at full scale, which
  /// is what ``OutputCalibration/assumed`` takes one to be: numbers that nobody measured may say less. Nil when
  /// what is left of it would be below every threshold.
  ///
  /// Added sound is the one thing that is heard in a quiet room too, so nobody can turn away from it.
  static func turnedDown(_ sound: TinnitusSound, at earphone: [SoundPressureLevel]) -> TinnitusSound? {
    let assumed = OutputCalibration.assumed.sensitivity.left.nominalLevel
    let excess = earphone.map { max(0, assumed - $0) }.max() ?? 0
    // Only a level below those accepted is refused here: shape and width are as they were.
    return try? TinnitusSound(shape: sound.shape, level: sound.level - excess)
  }
}
