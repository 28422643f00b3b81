import Acoustics
import Fitting
import HearingDSP

extension ChainRig {
  /// A rig with linear gain, 0 dB in all bands unless told, so that whatever changes is the treatment's doing.
  static func treated(_ treatment: Treatment, curves: [GainCurve]? = nil) throws -> ChainRig {
    let curves = try curves ?? flat(0)
    var rig = try ChainRig(Binaural(both: ear(curves)))
    var other = treatment
    other.transition = Treatment.transitions.lowerBound
    try rig.retarget(other, curves: curves)
    // Past the ramp and the transition, with nothing heard.
    _ = rig.run(Signal.silence(rig.count(0.2)))
    rig.chain.restart()
    _ = rig.run(Signal.silence(rig.count(0.1)))
    return rig
  }

  /// Moves to another treatment at the same gain.
  mutating func retarget(_ treatment: Treatment, curves: [GainCurve]? = nil) throws {
    let ears = Binaural(both: Self.ear(try curves ?? Self.flat(0)))
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
