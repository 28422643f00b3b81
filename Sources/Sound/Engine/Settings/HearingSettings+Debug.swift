import Acoustics
import Fitting
import Glibc
import HearingDSP

extension HearingSettings {
  /// True for a stage that these settings do not leave out.
  func has(_ stage: DebugSettings.Stage) -> Bool { debug?.stagesOff.contains(stage) != true }

  /// Thresholds of an ear by which gain is made: those of the prescription, or as debug mode changes them.
  func thresholdsInForce(of ear: Ear) -> Audiogram? {
    guard let audiogram = audiograms?[ear] else { return nil }
    guard let changes = debug?.thresholds[ear], !changes.isEmpty, fittedEars.contains(ear) else {
      return audiogram
    }
    return audiogram.changed(by: changes)
  }

  /// An ear's prescribed curves with changed thresholds, another ratio or without compression.
  func changed(_ curves: [GainCurve], for ear: Ear) throws(FittingFailure) -> [GainCurve] {
    guard let debug, let audiogram = audiograms?[ear], fittedEars.contains(ear) else { return curves }
    var changed = curves
    if !debug.thresholds[ear].isEmpty || debug[.compressionRatio] != nil {
      changed = try self.curves(
        for: ear, of: audiogram.changed(by: debug.thresholds[ear]),
        by: playedRule ?? plan.with(compressionRatio: debug[.compressionRatio]).rule(for: ear))
    }
    guard !has(.compression) else { return changed }
    return changed.indices.map { band in
      let speech = bands.speechLevel(inBand: band, overall: SpeechLevel.ordinary.level)
      // A band without speech power has one gain at all levels.
      let level = speech.decibels.isFinite ? speech : SpeechLevel.ordinary.level
      return GainCurve(unchangingGain: changed[band].gain(at: level))
    }
  }
}

extension DebugSettings {
  /// The treatment without what is left out, and with the greatest effects that are set.
  func changed(_ treatment: Treatment) -> Treatment {
    var changed = treatment
    func depth(_ quantity: Quantity, _ stage: Stage, _ present: Double) -> Double {
      stagesOff.contains(stage) ? 0 : self[quantity] ?? present
    }
    changed.noiseReduction = depth(.noiseReduction, .noiseReduction, treatment.noiseReduction)
    changed.impulseSoftening = depth(.impulseSoftening, .impulseSoftening, treatment.impulseSoftening)
    changed.windReduction = depth(.windRelief, .windRelief, treatment.windReduction)
    changed.expansion = depth(.expansion, .expansion, treatment.expansion)
    if stagesOff.contains(.feedbackCanceller) { changed.feedback.isCancelling = false }
    return changed
  }

  /// The times and the link that are set; the slow average is never quicker than the fast half.
  func changed(_ dynamics: Dynamics) -> Dynamics {
    var changed = dynamics
    changed.attack = self[.attack] ?? dynamics.attack
    changed.release = self[.release] ?? dynamics.release
    changed.binauralLink =
      stagesOff.contains(.binauralLink) ? 0 : self[.binauralLink] ?? dynamics.binauralLink
    if let average = changed.average {
      changed.average?.attack = max(average.attack, changed.attack)
      changed.average?.release = max(average.release, changed.release)
    }
    if stagesOff.contains(.slowAverage) { changed.average = nil }
    return changed
  }

  /// Curves with ``attenuation``.
  func attenuated(_ curves: [GainCurve]) -> [GainCurve] {
    let attenuation = min(max(attenuation, 0), Self.greatestAttenuation)
    return attenuation > 0 ? curves.map { $0.shifted(by: -attenuation) } : curves
  }
}

extension Audiogram {
  /// The same points with other air-conduction thresholds, held within ``levels``.
  ///
  /// - Parameter changes: dB by frequency, Hz, held within ``DebugSettings/thresholdChanges``.
  fileprivate func changed(by changes: [Double: Double]) -> Audiogram {
    let range = DebugSettings.thresholdChanges
    let points = points.map { point in
      guard point.conduction == .air, let change = changes[point.frequency] else { return point }
      var changed = point
      let wanted = point.threshold.decibels + min(max(change, range.lowerBound), range.upperBound)
      changed.threshold = min(max(HearingLevel(wanted), Self.levels.lowerBound), Self.levels.upperBound)
      return changed
    }
    // Frequencies and kinds are those of points that were accepted.
    return (try? Audiogram(points: points)) ?? self
  }
}

extension FittingPlan {
  /// The plan with another ratio of a rule that leaves it open; itself for nil.
  fileprivate func with(compressionRatio: Double?) -> FittingPlan {
    guard let compressionRatio, case .rule(let rule) = target else { return self }
    let plan = try? FittingPlan(
      target: .rule(rule.with(compressionRatio: compressionRatio)), fineTuning: fineTuning,
      adaptation: adaptation, outputCeiling: outputCeiling, lowering: lowering, tinnitusSound: tinnitusSound
    )
    return plan ?? self
  }
}
