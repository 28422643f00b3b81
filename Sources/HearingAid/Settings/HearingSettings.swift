public import Acoustics
public import Fitting
public import HearingDSP

/// What the wearer is to hear, before it is known with which devices.
///
/// - Threads: `any`.
public struct HearingSettings: Sendable {
  /// Thresholds of both ears; nil: not fitted. An ear without air-conduction points is not fitted either.
  public var audiograms: Binaural<Audiogram>?
  /// Turns thresholds into gain.
  public var rule: any FittingRule
  /// Attack, release, link.
  public var dynamics: Dynamics
  public var bands: BandLayout
  /// Level that the output never exceeds; each band's own limit may be lower.
  public var maximumOutput: SoundPressureLevel
  public var microphones: InputCalibration
  public var earphones: OutputCalibration

  /// Nothing prescribed and nothing calibrated: heard as it comes in, within the usual limit.
  public init(
    audiograms: Binaural<Audiogram>? = nil, rule: any FittingRule = NALRPCompressive.standard,
    dynamics: Dynamics = Dynamics(), bands: BandLayout = .standard,
    maximumOutput: SoundPressureLevel = MaximumOutput.standard.ceiling,
    microphones: InputCalibration = .assumed, earphones: OutputCalibration = .assumed
  ) {
    self.audiograms = audiograms
    self.rule = rule
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
}
