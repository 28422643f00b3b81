import Acoustics
import Fitting
public import HearingDSP

extension HearingSettings {
  /// What is done to the sound besides the gain, as the program has it.
  public var treatment: Treatment {
    var treatment = program?.treatment ?? .plain
    treatment.transition = transition
    treatment.noiseReduction = min(treatment.noiseReduction, greatestNoiseReduction)
    let (delay, range) = (feedback.loopDelay, FeedbackControl.loopDelays)
    // A loop longer than the canceller's memory cannot be cancelled; it looks where it can.
    treatment.feedback.loopDelay = delay.isFinite ? min(max(delay, range.lowerBound), range.upperBound) : 0
    return treatment
  }

  /// Noise is reduced in both ears alike, so the ear with more to lose decides.
  private var greatestNoiseReduction: Double {
    guard let audiograms else { return NoiseReductionDepth.full }
    return fittedEars.map { NoiseReductionDepth.greatest(for: audiograms[$0]) }.min()
      ?? NoiseReductionDepth.full
  }

  /// Times and link that are in force.
  public var soundingDynamics: Dynamics { program?.dynamics(over: dynamics) ?? dynamics }

  /// An ear's prescribed curves with what program, volume and tone take from them or add.
  ///
  /// A program only takes away. Volume and tone add no more than their limits allow, to an ear without
  /// thresholds nothing, and never more than the chain accepts.
  func adjusted(_ curves: [GainCurve], for ear: Ear) -> [GainCurve] {
    let wish = adjustment.held(within: adjustmentLimits)
    guard program != nil || wish != .none else { return curves }
    let rise = fittedEars.contains(ear) ? adjustmentLimits.greatestRise : 0
    return curves.enumerated().map { band, prescribed in
      var curve = prescribed
      if let program {
        curve = curve.flattened(above: referenceGain(prescribed, band), share: program.compressionShare)
      }
      let centre = bands.centres[band]
      let change =
        (program?.gainChange(at: centre) ?? 0) + wish.change(at: centre, greatestRise: rise)
      return curve.shifted(by: min(change, max(0, Self.room(above: curve))))
    }
  }

  /// Gain for loud speech: what remains as prescribed when a program takes compression out.
  private func referenceGain(_ curve: GainCurve, _ band: Int) -> Double {
    let (low, high) = (bands.edges[band], bands.edges[band + 1])
    let level = LongTermAverageSpeechSpectrum.bandLevel(
      from: low, to: high, overall: SpeechLevel.loud.level)
    // A band without speech keeps all of its gain for loud sound.
    return curve.gain(at: level.decibels.isFinite ? level : SpeechLevel.loud.level)
  }

  /// How far a curve may rise before the chain refuses it, dB.
  private static func room(above curve: GainCurve) -> Double {
    // Beyond what any device delivers, for the slopes at both ends.
    let ends = [-60.0, 200].map { curve.gain(at: SoundPressureLevel($0)) }
    let greatest = (curve.knots.map(\.gain) + ends).max() ?? 0
    return EarFitting.gainCeiling - greatest
  }
}
