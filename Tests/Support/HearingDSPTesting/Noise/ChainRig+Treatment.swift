import Acoustics
import Fitting
import HearingDSP

extension ChainRig {
  /// An ear with these thresholds behind linear NAL-R.
  static func prescribed(_ audiogram: Audiogram) throws -> EarFitting {
    let curves = try NALR().curves(for: audiogram, bands: .standard)
    var fitting = ear(curves)
    fitting.aidedThresholds = AidedThreshold.each(for: audiogram, behind: curves, bands: .standard)
    return fitting
  }

  /// A rig with linear gain, 0 dB in all bands unless told, so that whatever changes is the treatment's doing.
  static func treated(_ treatment: Treatment, ear fitting: EarFitting? = nil) throws -> ChainRig {
    let fitting = try fitting ?? ear(flat(0))
    var rig = try ChainRig(Binaural(both: fitting))
    var other = treatment
    other.transition = Treatment.transitions.lowerBound
    try rig.retarget(other, ear: fitting)
    // Past the ramp and the transition, with nothing heard.
    _ = rig.run(Signal.silence(rig.count(0.2)))
    rig.chain.restart()
    _ = rig.run(Signal.silence(rig.count(0.1)))
    return rig
  }

  /// Moves to another treatment at the same gain.
  mutating func retarget(_ treatment: Treatment, ear fitting: EarFitting? = nil) throws {
    let ears = Binaural(both: try fitting ?? Self.ear(Self.flat(0)))
    chain.retarget(
      to: try ChainParameters(
        ears, dynamics: Dynamics(), treatment: treatment, bands: bands, geometry: geometry))
  }
}

extension Treatment {
  static func noise(_ depth: Double) -> Treatment {
    var treatment = Treatment.plain
    treatment.noiseReduction = depth
    return treatment
  }

  static func impulse(_ depth: Double) -> Treatment {
    var treatment = Treatment.plain
    treatment.impulseSoftening = depth
    return treatment
  }

  static func wind(_ depth: Double) -> Treatment {
    var treatment = Treatment.plain
    treatment.windReduction = depth
    return treatment
  }

  static func expansion(_ depth: Double) -> Treatment {
    var treatment = Treatment.plain
    treatment.expansion = depth
    return treatment
  }
}
