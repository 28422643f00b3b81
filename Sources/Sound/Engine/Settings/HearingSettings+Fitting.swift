import Acoustics
public import Fitting
public import HearingDSP

extension HearingSettings {
  /// A curve that leaves every level as it is.
  static let unchanged: GainCurve = {
    // 0 dB lies within GainCurve.gains, so this is never refused.
    guard let curve = try? GainCurve(linear: 0) else { preconditionFailure("0 dB is a gain") }
    return curve
  }()

  /// The chain's setting for these wishes.
  ///
  /// An ear without thresholds is not amplified: 0 dB insertion gain, and never more than 0 dB in the digits while the
  /// calibration is unknown.
  ///
  /// - Throws: ``FittingFailure`` naming the ear or number that cannot be used.
  public func parameters(for geometry: ChainGeometry) throws(FittingFailure) -> ChainParameters {
    let left = try fitting(for: .left)
    let right = try fitting(for: .right)
    do {
      return try ChainParameters(
        Binaural(left: left, right: right), dynamics: soundingDynamics, treatment: treatment, bands: bands,
        geometry: geometry)
    } catch {
      throw .chain(error)
    }
  }

  /// What one ear is to hear.
  public func fitting(for ear: Ear) throws(FittingFailure) -> EarFitting {
    guard MaximumOutput.ceilings.contains(maximumOutput) else {
      throw .rule(ear, .ceilingOutOfRange(maximumOutput.decibels))
    }
    let prescribed = try curves(for: ear)
    let levels = try levels(for: ear)
    var heard = adjusted(prescribed, for: ear)
    if calibrationStatus == .none {
      // Before and after: what is turned down must be heard, what is turned up stays within the caution.
      heard = UncalibratedCaution.turnedDown(adjusted(UncalibratedCaution.turnedDown(prescribed), for: ear))
    }
    return EarFitting(
      curves: stable(heard, limits: stableGains(ear, levels)), bandLimits: limits(for: ear),
      outputLimit: outputCeiling, inputAtFullScale: levels.microphone, outputAtFullScale: levels.earphone,
      lowering: plan.lowering[ear], tinnitusSound: tinnitusSound(for: ear, at: levels.earphone),
      feedbackPath: feedback.path(for: ear))
  }

  /// What full scale stands for at the microphone, and at the ear in each band.
  func levels(
    for ear: Ear
  ) throws(FittingFailure) -> (microphone: SoundPressureLevel, earphone: [SoundPressureLevel]) {
    let microphone = try microphoneLevel(for: ear)
    let earphone = earphoneLevels(for: ear)
    return (
      microphone,
      calibrationStatus == .none ? UncalibratedCaution.turnedDown(earphone, for: microphone) : earphone
    )
  }

  /// Gain curve of each band as the plan prescribes it.
  public func curves(for ear: Ear) throws(FittingFailure) -> [GainCurve] {
    guard let audiogram = audiograms?[ear], fittedEars.contains(ear) else {
      return bands.centres.map { _ in Self.unchanged }
    }
    do {
      return try rule(for: ear).curves(for: audiogram, bands: bands)
    } catch {
      throw .rule(ear, error)
    }
  }

  /// Gain that is prescribed for ears which hear normally; an ear whose curves cannot be made has none.
  public var needlessGains: [NeedlessGain] {
    fittedEars.compactMap { ear in
      guard let audiogram = audiograms?[ear], let curves = try? curves(for: ear) else { return nil }
      return NeedlessGain(ear, audiogram, curves: curves, bands: bands)
    }
  }

  private func limits(for ear: Ear) -> [SoundPressureLevel] {
    guard let audiogram = audiograms?[ear], fittedEars.contains(ear) else {
      return bands.centres.map { _ in outputCeiling }
    }
    return plan.outputLimits(for: ear, audiogram: audiogram, bands: bands).map { min($0, outputCeiling) }
  }

  /// What is prescribed; while nobody has measured the earphone, no louder than that even in a loud one.
  private func tinnitusSound(for ear: Ear, at earphone: [SoundPressureLevel]) -> TinnitusSound? {
    guard let sound = plan.tinnitusSound[ear], earphones.device.status == .none else {
      return plan.tinnitusSound[ear]
    }
    return UncalibratedCaution.turnedDown(sound, at: earphone)
  }

  private func microphoneLevel(for ear: Ear) throws(FittingFailure) -> SoundPressureLevel {
    do {
      return try microphones.sensitivity(channel: ear == .left ? 0 : 1).nominalLevel
    } catch {
      throw .calibration(error)
    }
  }

  /// The earphone's level at each band; beyond the ends of its table, that of the nearest end.
  private func earphoneLevels(for ear: Ear) -> [SoundPressureLevel] {
    let sensitivity = earphones.sensitivity[ear]
    return bands.centres.map { centre in
      let range = sensitivity.range ?? centre...centre
      let within = min(max(centre, range.lowerBound), range.upperBound)
      return (try? sensitivity.level(at: within)) ?? sensitivity.nominalLevel
    }
  }
}
