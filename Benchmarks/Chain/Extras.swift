import Acoustics
import Fitting
import HearingDSP

/// What a benched chain does besides the prescribed gain.
struct Extras {
  var treatment = Treatment.plain
  var dynamics = Dynamics()
  var lowering: FrequencyLowering?
  var tinnitusSound: TinnitusSound?

  static let none = Extras()

  /// Everything there is, at once: no program asks for as much.
  static func everything() throws -> Extras {
    var extras = Extras()
    extras.treatment.noiseReduction = 12
    extras.treatment.impulseSoftening = 10
    extras.treatment.windReduction = 12
    extras.treatment.expansion = 10
    extras.treatment.feedback.isCancelling = true
    extras.treatment.feedback.frequencyShift = 15
    extras.treatment.feedback.isNotching = true
    extras.treatment.feedback.loopDelay = 0.004
    extras.dynamics.binauralLink = 0.5
    extras.lowering = try FrequencyLowering(cutoff: 2000, ratio: 2)
    extras.tinnitusSound = try TinnitusSound(
      shape: .notched(pitch: 6000, width: 0.5), level: SoundPressureLevel(50))
    return extras
  }
}
