import Acoustics
import Fitting

extension HearingSettings {
  /// Greatest insertion gain while the calibration is unknown, dB; nil: what the rule prescribes.
  public var gainCap: Double? { calibrationStatus == .none ? UncalibratedCaution.greatestGain : nil }
}

/// What is held back while nobody has measured what the numbers mean in dB SPL.
///
/// With an unknown microphone and earphone a prescription is a guess: it may come out 20 dB louder than
/// meant. The curves keep their shape and are turned down as a whole.
enum UncalibratedCaution {
  /// Greatest gain at any band and level without a calibration, dB. Own choice: enough to find out whether
  /// it helps, far from what could hurt with a loud earphone.
  static let greatestGain = 20.0

  /// Curves with no gain above ``greatestGain`` at any level.
  static func turnedDown(_ curves: [GainCurve]) -> [GainCurve] {
    let greatest = curves.flatMap(\.knots).map(\.gain).max() ?? 0
    let excess = max(0, greatest - greatestGain)
    return curves.map { curve in
      // Beyond the outer knots gain may fall, not rise: it would rise without a bound.
      let (below, above) = (max(0, curve.slopeBelow), min(0, curve.slopeAbove))
      // Gain is taken away down to nothing; what is a reduction already stays one.
      let knots = curve.knots.map {
        GainCurve.Knot(level: $0.level, gain: min($0.gain, max(0, $0.gain - excess)))
      }
      // Lowering accepted gains keeps them accepted.
      return (try? GainCurve(knots: knots, slopeBelow: below, slopeAbove: above))
        ?? HearingSettings.unchanged
    }
  }

  /// Earphone levels at full scale that turn a gain of 0 dB into no more than 0 dB in the digits, and a
  /// limit into no more than the same limit.
  static func turnedDown(
    _ earphone: [SoundPressureLevel], for microphone: SoundPressureLevel
  ) -> [SoundPressureLevel] {
    earphone.map { max($0, microphone) }
  }

  /// A tinnitus sound that is no louder than stated in an earphone that makes 120 dB SPL at full scale, which
  /// is what ``OutputCalibration/assumed`` takes one to be: numbers that nobody measured may say less. Nil when
  /// what is left of it would be below every threshold.
  ///
  /// Added sound is the one thing that is heard in a quiet room too, so nobody can turn away from it.
  static func turnedDown(_ sound: TinnitusSound, at earphone: [SoundPressureLevel]) -> TinnitusSound? {
    let assumed = OutputCalibration.assumed.sensitivity.left.nominalLevel
    let excess = earphone.map { max(0, assumed - $0) }.max() ?? 0
    // Only a level below those accepted is refused here: shape and width are as they were.
    return try? TinnitusSound(shape: sound.shape, level: sound.level - excess)
  }
}
