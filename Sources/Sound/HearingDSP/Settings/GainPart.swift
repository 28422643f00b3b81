public import Fitting

/// Parts of a band's applied gain, in the order in which they come about: their sum is the applied gain.
///
/// The first seven are the setting's and together the target; the next four tell how the level that sets the
/// gain differs from the band's own; the others are what the chain takes away for the sound of the moment.
public enum GainPart: String, CaseIterable, Sendable, Codable {
  /// Gain that the rule or table prescribes at the band's own level, with the audiologist's fine tuning.
  case prescription
  /// Share of it that a new user does not have yet.
  case adaptation
  /// Temporary changes in debug mode.
  case debug
  /// Caution while nobody has measured the calibration.
  case caution
  /// Listening program.
  case program
  /// Volume and tone.
  case volume
  /// Limit below feedback.
  case feedbackLimit
  /// Level of the other ear.
  case link
  /// Attack and release: gain of the smoothed level less that of the momentary one.
  case lag
  /// Levels of neighbouring bands.
  case spread
  /// Rest of a former setting's gain.
  case transition
  /// Greatest gain that any setting may ask for, and the range of digital gains.
  case ceiling
  case noiseReduction
  case impulseSoftening
  case windRelief
  /// Expansion below the microphone's own noise.
  case expansion
  /// Part of the four above that is not taken because their sum is limited.
  case reliefLimit
  /// Output limit of the band.
  case bandLimit
  /// Attenuation of the microphones while streamed sound is heard.
  case streaming
  /// Output limiter of the ear.
  case limiter
  /// Attenuation of an ear that goes on howling.
  case howlRelief
  /// Rise from silence, and fall to it.
  case ramp

  /// Parts of the setting, which add up to the target.
  public static let ofTarget: [GainPart] = [
    .prescription, .adaptation, .debug, .caution, .program, .volume, .feedbackLimit,
  ]
}

/// Curves of all bands after one more part of the setting.
public struct GainLayer: Sendable, Equatable {
  /// Part by which these curves differ from those of the layer before.
  public let part: GainPart
  /// One curve per band.
  public var curves: [GainCurve]

  /// - Parameters: As the properties.
  public init(_ part: GainPart, _ curves: [GainCurve]) { (self.part, self.curves) = (part, curves) }
}
