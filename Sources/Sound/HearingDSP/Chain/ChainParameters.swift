public import Acoustics
import Fitting
import Realtime

/// One complete setting of the chain, both ears, in the form that the audio thread reads. Immutable.
///
/// Built on the control thread, which refuses wrong values; the audio thread copies the numbers and hands
/// the object back.
///
/// - Threads: built on `control`, read on `audio`.
public final class ChainParameters: PerformerSetting {
  /// Greatest output of each ear.
  public let limits: OutputLimits
  /// Bands that this was built for.
  let bands: BandLayout
  let tables: Binaural<EarTable>
  let lowerings: Binaural<LoweringPlan>
  let noises: Binaural<NoiseShape>
  let paths: Binaural<PathPrior>
  let binauralLink: Float
  let treatment: Treatment

  /// - Parameters:
  ///   - ears: As many curves as `bands` has centres.
  ///   - dynamics: Times and link, the same for both ears.
  ///   - treatment: Processing besides the prescribed gain. Default: none.
  ///   - bands: The chain's bands.
  ///   - geometry: The chain's sizes.
  /// - Throws: ``ChainError`` with the band and the limit.
  public init(
    _ ears: Binaural<EarFitting>, dynamics: Dynamics, treatment: Treatment = .plain, bands: BandLayout,
    geometry: ChainGeometry
  ) throws(ChainError) {
    try dynamics.check()
    try treatment.check()
    self.bands = bands
    let paths = [ears.left.feedbackPath, ears.right.feedbackPath].compactMap { $0 }
    for path in paths { try path.check() }
    var treatment = treatment
    let loopDelay = treatment.feedback.loopDelay(measured: paths)
    treatment.feedback.loopDelay = loopDelay
    // With a wrong delay the canceller finds nothing of a path, and may adapt to the sound itself.
    if loopDelay == 0 { treatment.feedback.isCancelling = false }
    self.treatment = treatment
    limits = try OutputLimits(ears)
    tables = try ears.map { ear throws(ChainError) in
      try EarTable(ear, dynamics: dynamics, bands: bands, geometry: geometry)
    }
    lowerings = ears.map { LoweringPlan($0.lowering, geometry: geometry) }
    noises = ears.map {
      NoiseShape(
        $0.tinnitusSound, outputAtFullScale: $0.outputAtFullScale, bands: bands, geometry: geometry)
    }
    self.paths = ears.map { PathPrior($0.feedbackPath, loopDelay: loopDelay, geometry: geometry) }
    binauralLink = Float(dynamics.binauralLink)
  }
}
