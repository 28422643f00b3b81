import Acoustics
import Fitting
import Glibc
import Realtime

/// One complete setting of the chain, both ears, in the form the audio thread reads. Immutable.
///
/// Built on the control thread, where anything wrong is refused; the audio thread copies the numbers and
/// hands the object back.
///
/// - Threads: built on `control`, read on `audio`.
public final class ChainParameters: PerformerSetting {
  /// Knots a band's gain curve may have.
  public static let knotLimit = GainCurve.maximumKnotCount
  /// Greatest insertion gain a curve may ask for, dB: more than any rule gives for a measurable threshold.
  public static let gainCeiling = 80.0
  /// Steepest gain curve accepted, dB per dB: fifty times what an expander or a limiter has, and what
  /// single precision still resolves to a hundredth of a dB.
  public static let slopeLimit = 100.0
  /// Output limits accepted, dB SPL. The upper end is the highest a build of this program can ever be set
  /// to; above 132 dB SPL IEC 60601-2-66 asks for more than this program has (from memory), and 120 keeps
  /// 12 dB to it.
  public static let outputLimitRange = 60.0...120.0
  /// dB SPL at full scale accepted from a calibration: quieter or louder transducers do not exist.
  public static let fullScaleRange = 60.0...180.0

  /// Greatest output of each ear.
  public let limits: OutputLimits
  /// Bands that this was built for.
  let bands: BandLayout
  let left: EarTable
  let right: EarTable
  let leftLowering: LoweringPlan
  let rightLowering: LoweringPlan
  let leftNoise: NoiseShape
  let rightNoise: NoiseShape
  let leftPath: PathPrior
  let rightPath: PathPrior
  let binauralLink: Float
  let treatment: Treatment

  /// - Parameters:
  ///   - ears: What each ear is to hear; as many curves as `bands` has centres.
  ///   - dynamics: Times and link, the same for both ears.
  ///   - treatment: What else is done to the sound of both ears.
  ///   - bands: The chain's bands.
  ///   - geometry: The chain's sizes.
  /// - Throws: ``ChainError`` naming the band and the limit.
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
    treatment.feedback.loopDelay = treatment.feedback.loopDelay(measured: paths)
    // Looked for at the wrong time nothing of a path is found, and the sound itself may be taken for it.
    if treatment.feedback.loopDelay == 0 { treatment.feedback.isCancelling = false }
    self.treatment = treatment
    limits = try OutputLimits(ears)
    left = try EarTable(ears.left, dynamics: dynamics, bands: bands, geometry: geometry)
    right = try EarTable(ears.right, dynamics: dynamics, bands: bands, geometry: geometry)
    leftLowering = LoweringPlan(ears.left.lowering, geometry: geometry)
    rightLowering = LoweringPlan(ears.right.lowering, geometry: geometry)
    leftNoise = NoiseShape(
      ears.left.tinnitusSound, outputAtFullScale: ears.left.outputAtFullScale, bands: bands,
      geometry: geometry)
    rightNoise = NoiseShape(
      ears.right.tinnitusSound, outputAtFullScale: ears.right.outputAtFullScale, bands: bands,
      geometry: geometry)
    let loopDelay = treatment.feedback.loopDelay
    leftPath = PathPrior(ears.left.feedbackPath, loopDelay: loopDelay, geometry: geometry)
    rightPath = PathPrior(ears.right.feedbackPath, loopDelay: loopDelay, geometry: geometry)
    binauralLink = Float(dynamics.binauralLink)
  }
}
