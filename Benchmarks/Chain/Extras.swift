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
    var all = Extras()
    for (_, add) in try parts() { add(&all) }
    return all
  }

  /// What a name stands for: nothing, everything, or one extra; nil: nothing of that name.
  static func named(_ name: String) throws -> Extras? {
    switch name {
    case "plain": return Extras.none
    case "all": return try everything()
    default:
      guard let part = try parts().first(where: { $0.name == name }) else { return nil }
      var extras = Extras()
      part.add(&extras)
      return extras
    }
  }

  /// Each extra by its name.
  static func parts() throws -> [(name: String, add: (inout Extras) -> Void)] {
    let lowering = try FrequencyLowering(cutoff: 2000, ratio: 2)
    let sound = try TinnitusSound(shape: .notched(pitch: 6000, width: 0.5), level: SoundPressureLevel(50))
    return [
      (
        "noise, impulse, wind, expansion",
        {
          $0.treatment.noiseReduction = 12
          $0.treatment.impulseSoftening = 10
          $0.treatment.windReduction = 12
          $0.treatment.expansion = 10
        }
      ),
      (
        "feedback canceller",
        {
          $0.treatment.feedback.isCancelling = true
          $0.treatment.feedback.loopDelay = 0.004
        }
      ),
      ("frequency shift", { $0.treatment.feedback.frequencyShift = 15 }),
      ("howl notch", { $0.treatment.feedback.isNotching = true }),
      ("binaural link", { $0.dynamics.binauralLink = 0.5 }),
      ("frequency lowering", { $0.lowering = lowering }),
      ("tinnitus sound", { $0.tinnitusSound = sound }),
    ]
  }
}
