public import Acoustics

/// Half gain, the oldest rule: as much gain as half the threshold (Lybarger), never below 0 dB.
///
/// Thresholds between measured frequencies are interpolated, beyond them held; any one point is enough.
public struct HalfGain: FittingRule, Hashable {
  public init() {}

  public var name: String { "half gain" }

  public func curves(
    for audiogram: Audiogram, bands: BandLayout
  ) throws(FittingError) -> [GainCurve] {
    var curves: [GainCurve] = []
    for frequency in bands.centres {
      guard let threshold = audiogram.threshold(at: frequency) else {
        throw .insufficientThresholds(measured: [])
      }
      curves.append(GainCurve(unchangingGain: max(0, threshold.decibels / 2)))
    }
    return curves
  }
}
