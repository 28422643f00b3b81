public import Acoustics
public import AudioIO
public import Fitting
public import HearingDSP

/// Sound at the wearer's ears, before it is known with which devices.
///
/// - Threads: `any`.
public struct HearingSettings: Sendable {
  /// Thresholds of both ears; nil: not fitted. An ear without air-conduction points is not fitted either.
  public var audiograms: Binaural<Audiogram>?
  /// Turns thresholds into gain and output limits: a signed prescription's, or the configuration's.
  public var plan = Self.usualPlan
  /// A rule in place of the plan's, with which this module's tests play curves that no plan makes; nil in
  /// the product.
  var playedRule: (any FittingRule)?
  /// Attack, release, link.
  public var dynamics = Dynamics()
  /// Bands that have a gain of their own.
  public var bands = BandLayout.standard
  /// Level that the output never exceeds, whatever the plan says; the plan's ceiling and each band's own
  /// limit may be lower.
  public var maximumOutput = MaximumOutput.standard.ceiling
  /// Levels that full scale of the microphones stands for.
  public var microphones = InputCalibration.assumed
  /// Levels that full scale of the earphones stands for.
  public var earphones = OutputCalibration.assumed
  /// Kind of listening that the sound is treated for; nil: the prescribed gain and nothing else.
  public var program: ListeningProgram?
  /// Volume and tone as the wearer has turned them; a value beyond ``adjustmentLimits`` counts as the limit.
  public var adjustment = SoundAdjustment.none
  /// Ranges of volume and tone.
  public var adjustmentLimits = AdjustmentLimits.usual
  /// Knowledge of feedback; it limits the gain.
  public var feedback = FeedbackKnowledge.none
  /// Calls and music from another program; nil: off.
  public var streaming: StreamingSettings?
  /// Temporary changes by a developer or an audiologist; nil: none.
  public var debug: DebugSettings?
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
  /// - Throws: ``FittingError`` for a compression ratio out of range.
  public static func plan(by rule: PrescribedRule) throws(FittingError) -> FittingPlan {
    try FittingPlan(target: .rule(rule), outputCeiling: FittingPlan.outputCeilings.upperBound)
  }

  /// Worst status of both ends of the chain.
  public var calibrationStatus: CalibrationStatus {
    min(microphones.device.status, earphones.device.status)
  }

  /// Status of levels in the ear as they are told of the aid's sound: none beside a microphone that nobody measured, where full scale of
  /// a measured earphone is assumed higher, so that they are upper bounds. Sound of a measurement goes by the earphone's own status.
  public var outputLevelStatus: CalibrationStatus {
    calibrationStatus == .none ? .none : earphones.device.status
  }

  /// Ears that have a prescription.
  public var fittedEars: [Ear] { Ear.allCases.filter { audiograms?[$0].airPoints.isEmpty == false } }

  /// One ear has a prescription, and the other has none.
  var isOneSided: Bool { fittedEars.count == 1 }

  /// The level that the output never exceeds: the lower of ``maximumOutput`` and the plan's ceiling.
  public var outputCeiling: SoundPressureLevel {
    plan.outputCeiling < maximumOutput ? plan.outputCeiling : maximumOutput
  }

  /// Rule that makes gain for an ear.
  public func rule(for ear: Ear) -> any FittingRule { playedRule ?? plan.rule(for: ear) }

  /// Name of the rule, for people: that of the first fitted ear, of the left one without a fitted ear.
  public var ruleName: String { rule(for: fittedEars.first ?? .left).name }
}

extension HearingSettings {
  /// Nothing prescribed but for these ears, and nothing calibrated: by default sound is as it comes in, within
  /// the usual limit.
  public init(audiograms: Binaural<Audiogram>? = nil) {
    self.init()
    self.audiograms = audiograms
  }
}

/// Everything an aid needs to run: the sound, and the devices.
///
/// - Threads: `any`.
public struct AidSettings: Sendable {
  /// Sound at the ears.
  public var hearing: HearingSettings
  /// ALSA name of the microphone's device; nil: the one that its calibration was made with, otherwise that of the first card
  /// that captures and plays, looked for at every attempt to open.
  public var captureName: String?
  /// ALSA name of the earphones' device; nil likewise.
  public var playbackName: String?
  /// ALSA name of the device from which calls and music come; nil: none.
  public var streamingName: String?
  /// Rate, period and format asked for.
  public var stream: StreamRequest
  /// Relation of the two devices' clocks.
  public var clock: ClockPairing
  /// Time in which sound rises from silence, s.
  public var ramp: Double
  /// Silence while nothing is plugged into the earphones' jack, where the card tells that.
  public var heedsJack = true

  /// - Parameters: As the properties.
  public init(
    hearing: HearingSettings = HearingSettings(audiograms: nil), captureName: String?,
    playbackName: String?, streamingName: String? = nil, stream: StreamRequest = StreamRequest(),
    clock: ClockPairing = .automatic,
    ramp: Double = 0.5
  ) {
    (self.hearing, self.captureName, self.playbackName) = (hearing, captureName, playbackName)
    self.streamingName = streamingName
    (self.stream, self.clock, self.ramp) = (stream, clock, ramp)
  }
}

/// Reason for which settings make no sound that can be played.
public enum FittingFailure: Error, Equatable {
  /// The rule has no answer for this ear.
  case rule(Ear, FittingError)
  /// The chain refuses the numbers.
  case chain(ChainError)
  /// The calibration does not reach where the chain needs it.
  case calibration(AcousticsError)
}

extension FittingFailure: CustomStringConvertible {
  /// One sentence without a final stop.
  public var description: String {
    switch self {
    case .rule(let ear, let error): "\(ear.rawValue) ear: \(error)"
    case .chain(let error): "\(error)"
    case .calibration(let error): "calibration: \(error)"
    }
  }
}
