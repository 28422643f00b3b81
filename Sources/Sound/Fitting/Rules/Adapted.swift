public import Acoustics
import Base

/// A rule of which a new user gets a share, to grow into it.
///
/// Gain above 0 dB is multiplied by the share at every level and frequency; what is below stays.
public struct Adapted: FittingRule {
  public let rule: any FittingRule
  /// 0.5…1 (``FittingPlan/adaptations``).
  public let share: Double

  /// Creates the rule; a share out of range counts as the nearest accepted one, NaN as the least.
  public init(_ rule: any FittingRule, share: Double) {
    self.rule = rule
    let accepted = FittingPlan.adaptations
    self.share = share >= accepted.lowerBound ? min(share, accepted.upperBound) : accepted.lowerBound
  }

  public var name: String {
    share == 1 ? rule.name : "\(rule.name), \((share * 100).shortText) % of the gain"
  }

  public func curves(
    for audiogram: Audiogram, bands: BandLayout
  ) throws(FittingError) -> [GainCurve] {
    let full = try rule.curves(for: audiogram, bands: bands)
    return share == 1 ? full : full.map(adapted)
  }

  /// One curve with the share of its gain.
  func adapted(_ curve: GainCurve) -> GainCurve {
    let levels = curve.knotLevels + curve.levels(crossing: 0)
    return GainCurve(
      joining: levels, slopeBelow: end(curve.slopeBelow, towards: -1, from: levels.min() ?? 0, of: curve),
      slopeAbove: end(curve.slopeAbove, towards: 1, from: levels.max() ?? 0, of: curve)
    ) { level in
      let gain = curve.gain(at: SoundPressureLevel(level))
      return gain > 0 ? share * gain : gain
    }
  }

  /// A slope beyond the outermost level: its share if the gain there is above 0 dB.
  private func end(_ slope: Double, towards side: Double, from level: Double, of curve: GainCurve) -> Double
  {
    curve.gain(at: SoundPressureLevel(level + side)) > 0 ? share * slope : slope
  }
}
