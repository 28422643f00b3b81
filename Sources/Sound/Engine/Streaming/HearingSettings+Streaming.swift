import Acoustics
import Base
import Fitting
import HearingDSP

extension HearingSettings {
  /// Attenuation of each band's own output limit while there may be streamed sound, dB. The sound of the microphones and
  /// the stream's are each held to it before they are added: two that are each 3 dB below a limit reach it together
  /// (10 log10 2). The limiter behind them holds the sum.
  static let sharedLimit = 3.0

  /// A band's output limit while there may be streamed sound. One that only repeats that of all bands together is the
  /// limiter's and stays.
  func shared(_ limit: SoundPressureLevel) -> SoundPressureLevel {
    guard streaming != nil, limit < outputCeiling else { return limit }
    return max(limit - Self.sharedLimit, SoundPressureLevel(EarFitting.outputLimits.lowerBound))
  }

  /// Setting of the stream's chain: each ear's prescription with program, volume and tone, for sound that stands for
  /// ``StreamingSettings/fullScale`` at full scale. Without what belongs to a microphone: relief from noise, the
  /// canceller, and the limit of gain below feedback, for streamed sound goes round no loop.
  ///
  /// - Returns: nil while streamed sound is off.
  /// - Throws: ``FittingFailure`` naming the ear or number that cannot be used.
  func streamingSetting(for geometry: ChainGeometry) throws(FittingFailure) -> StreamingChain.Setting? {
    guard var streaming = streaming?.held(within: adjustmentLimits) else { return nil }
    // The volume is in the curves already.
    streaming.level = streaming.heardLevel(
      within: adjustmentLimits, volume: adjustment.held(within: adjustmentLimits).volume)
    let ears: Binaural<EarFitting> = try Binaural { ear throws(FittingFailure) in
      try streamedFitting(streaming, for: ear)
    }
    var treatment = Treatment.plain
    treatment.transition = transition
    let parameters = try rethrowing(
      FittingFailure.chain,
      try ChainParameters(
        ears, dynamics: soundingDynamics, treatment: treatment, bands: bands, geometry: geometry))
    return StreamingChain.Setting(parameters, level: streaming.level)
  }

  func streamedFitting(
    _ streaming: StreamingSettings, for ear: Ear
  ) throws(FittingFailure) -> EarFitting {
    var fitting = try fitting(for: ear)
    fitting.inputAtFullScale = StreamingSettings.fullScale
    (fitting.tinnitusSound, fitting.feedbackPath, fitting.microphoneResponse) = (nil, nil, nil)
    let heard = fitting.layers.prefix { $0.part != .feedbackLimit }.last ?? fitting.layers[0]
    // Two settings that are compared are equally loud here too.
    let curves = debug?.attenuated(heard.curves) ?? heard.curves
    let attenuation = streaming.attenuation(of: ear)
    let additions = Self.additions(to: fitting)
    fitting.layers = [
      GainLayer(heard.part, zip(curves, additions).map { $0.shifted(by: $1 - attenuation) })
    ]
    return fitting
  }

  /// Gain of each band that brings streamed sound to the level of the earphone's own calibration, dB, where the fitting assumes more. As
  /// gain and not as another level at full scale: each band's limit stays in the digits (``calibratedLevels(for:)``).
  private static func additions(to fitting: EarFitting) -> [Double] {
    // With the greatest gain of the uncalibrated, what a curve may ask for, less a thousandth for rounding.
    let room = EarFitting.gainCeiling - UncalibratedCaution.greatestGain - 0.001
    return zip(fitting.outputAtFullScale, fitting.addedAtFullScale).map { min(max(0, $0 - $1), room) }
  }
}
