import Acoustics
import Fitting

extension HearingSettings {
  /// Greatest insertion gain while the calibration is unknown, dB; nil: what the rule prescribes.
  public var gainCap: Double? { calibrationStatus == .none ? UncalibratedCaution.greatestGain : nil }
}

/// What is held back while nobody has measured what the numbers mean in dB SPL.
///
/// With an unknown microphone and earphone a prescription is a guess: it may come out 20 dB louder than meant. The
/// curves keep their shape and are turned down as a whole.
enum UncalibratedCaution {
  /// Greatest gain at any band and level without a calibration, dB. Own choice: enough to find out whether it
  /// helps, far from what could hurt with a loud earphone.
  static let greatestGain = 20.0

  /// Curves with no gain above ``greatestGain``.
  static func turnedDown(_ curves: [GainCurve]) -> [GainCurve] {
    let greatest = curves.flatMap(\.knots).map(\.gain).max() ?? 0
    guard greatest > greatestGain else { return curves }
    let excess = greatest - greatestGain
    return curves.map { curve in
      let knots = curve.knots.map { GainCurve.Knot(level: $0.level, gain: max(0, $0.gain - excess)) }
      // Lowering accepted gains keeps them accepted; a curve that were refused all the same stays as it was
      // prescribed only if it was below the limit, which it is not, so it is flattened.
      return (try? GainCurve(knots: knots, slopeBelow: curve.slopeBelow, slopeAbove: curve.slopeAbove))
        ?? HearingSettings.unchanged
    }
  }
}
