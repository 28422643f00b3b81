public import Acoustics
import Fitting
import HearingDSP

extension HearingSettings {
  /// Whether the canceller is on and begins with what was measured at an ear: one that has yet to learn the path is
  /// counted on for nothing, nor is one that did harm.
  func isCancelling(at ear: Ear) -> Bool {
    treatment.feedback.isCancelling && feedback.isCancellerTrusted[ear] && feedback.path(for: ear) != nil
  }

  /// Greatest insertion gain of each band that an ear can have without whistling, dB; nil: not measured.
  public func stableGains(for ear: Ear) throws(FittingFailure) -> [Double]? {
    stableGains(ear, try levels(for: ear))
  }

  /// - Parameter levels: What full scale stands for at the microphone, and at the ear in each band.
  func stableGains(
    _ ear: Ear, _ levels: (microphone: SoundPressureLevel, earphone: [SoundPressureLevel])
  ) -> [Double]? {
    guard let measured = feedback.measurements[ear] else { return nil }
    let gains = MaximumStableGain.gains(measured, bands: bands, isCancelling: isCancelling(at: ear))
    // In the digits an insertion gain of 0 dB is what turns the microphone's scale into the earphone's.
    return zip(gains, levels.earphone).map { $0 + ($1 - levels.microphone) }
  }

  /// Curves with no gain above what is stable, at any level.
  func stable(_ curves: [GainCurve], limits: [Double]?) -> [GainCurve] {
    guard let limits else { return curves }
    return zip(curves, limits).map { curve, limit in
      limit.isFinite ? curve.held(below: limit) : curve
    }
  }

  /// What each band of an ear may have at most, and how much of what is asked for is not given; program, volume and tone
  /// included. Empty when nothing was measured.
  public func gainLimits(for ear: Ear) throws(FittingFailure) -> [GainLimit] {
    guard let measured = feedback.measurements[ear], let limits = try stableGains(for: ear) else {
      return []
    }
    var free = self
    free.feedback.measurements[ear] = nil
    let (wished, given) = (try free.fitting(for: ear).curves, try fitting(for: ear).curves)
    return bands.centres.indices.map { band in
      let levels = (wished[band].knots + given[band].knots).map(\.level)
      let reduction = levels.map { wished[band].gain(at: $0) - given[band].gain(at: $0) }.max() ?? 0
      let cell = MaximumStableGain.decisive(
        measured.cells, bands: bands, band: band, isCancelling: isCancelling(at: ear))
      return GainLimit(
        centre: bands.centres[band], limit: limits[band], reduction: max(0, reduction),
        isFound: cell?.isFound ?? false)
    }
  }
}
