public import Acoustics
public import Fitting
public import HearingDSP

/// What the wearer is to hear, before it is known with which devices.
///
/// - Threads: `any`.
public struct HearingSettings: Sendable {
  /// Thresholds of both ears; nil: not fitted. An ear without air-conduction points is not fitted either.
  public var audiograms: Binaural<Audiogram>?
  /// Turns thresholds into gain and output limits: a signed prescription's, or the configuration's.
  public var plan: FittingPlan
  /// A rule in place of the plan's, with which this module's tests play curves that no plan makes; nil in
  /// the product.
  var playedRule: (any FittingRule)?
  /// Attack, release, link.
  public var dynamics: Dynamics
  public var bands: BandLayout
  /// Level that the output never exceeds, whatever the plan says; the plan's ceiling and each band's own
  /// limit may be lower.
  public var maximumOutput: SoundPressureLevel
  public var microphones: InputCalibration
  public var earphones: OutputCalibration
  /// What the sound is treated for; nil: the prescribed gain and nothing else.
  public var program: ListeningProgram?
  /// How the wearer has turned volume and tone; what lies beyond ``adjustmentLimits`` counts as the limit.
  public var adjustment = SoundAdjustment.none
  /// How far volume and tone may be turned.
  public var adjustmentLimits = AdjustmentLimits.usual
  /// What is known of feedback; it limits the gain.
  public var feedback = FeedbackKnowledge.none
  /// Time of the way from the settings before to these, s.
  public var transition = ProgramPace.byTurn

  /// NAL-RP with compression 2:1, and no ceiling but ``maximumOutput``.
  public static let usualPlan: FittingPlan = {
    // Ratio 2 lies within NALRPCompressive.compressionRatios, so this is never refused.
    guard let plan = try? plan(by: .nalRPCompressive(compressionRatio: 2)) else {
      preconditionFailure("2 is a compression ratio")
    }
    return plan
  }()

  /// A rule by itself, with no ceiling but ``maximumOutput``.
  ///
  /// - Throws: ``FittingPlanError/compressionRatioOutOfRange(_:)``.
  public static func plan(by rule: PrescribedRule) throws(FittingPlanError) -> FittingPlan {
    try FittingPlan(target: .rule(rule), outputCeiling: FittingPlan.outputCeilings.upperBound)
  }

  /// Nothing prescribed and nothing calibrated: heard as it comes in, within the usual limit.
  public init(
    audiograms: Binaural<Audiogram>? = nil, plan: FittingPlan = Self.usualPlan,
    dynamics: Dynamics = Dynamics(), bands: BandLayout = .standard,
    maximumOutput: SoundPressureLevel = MaximumOutput.standard.ceiling,
    microphones: InputCalibration = .assumed, earphones: OutputCalibration = .assumed
  ) {
    self.audiograms = audiograms
    self.plan = plan
    self.dynamics = dynamics
    self.bands = bands
    self.maximumOutput = maximumOutput
    self.microphones = microphones
    self.earphones = earphones
  }

  /// Worst status of both ends of the chain.
  public var calibrationStatus: CalibrationStatus {
    min(microphones.device.status, earphones.device.status)
  }

  /// Ears that have a prescription.
  public var fittedEars: [Ear] {
    Ear.allCases.filter { audiograms?[$0].airPoints.isEmpty == false }
  }

  /// The level that the output never exceeds: the lower of ``maximumOutput`` and the plan's ceiling.
  public var outputCeiling: SoundPressureLevel {
    plan.outputCeiling < maximumOutput ? plan.outputCeiling : maximumOutput
  }

  /// What makes gain for an ear.
  public func rule(for ear: Ear) -> any FittingRule { playedRule ?? plan.rule(for: ear) }

  /// Name of what makes gain, for people: that of the first fitted ear, of the left one if there is none.
  public var ruleName: String { rule(for: fittedEars.first ?? .left).name }
}
