public import Acoustics

extension FittingPlan {
  /// Output limit of each band, dB SPL: that of ``MaximumOutput`` under the plan's ceiling, or the table's
  /// own where it has one.
  ///
  /// Between two frequencies of a table of which one or both state a maximum output, the limit is linear in
  /// dB over log frequency, a missing end counting with the rule's. Below the first and above the last it is
  /// held where that one states it. Nothing lies above the ceiling.
  ///
  /// - Parameter audiogram: An ear without thresholds counts as normal: lowest limits.
  /// - Shape: `bands.count`.
  public func outputLimits(
    for ear: Ear, audiogram: Audiogram, bands: BandLayout
  ) -> [SoundPressureLevel] {
    // The ceiling was checked when the plan was made.
    let rule = (try? MaximumOutput(ceiling: outputCeiling)) ?? .standard
    guard case .tables(let tables, _) = target else { return rule.limits(for: audiogram, bands: bands) }
    return bands.centres.map { frequency in
      let usual = rule.limit(for: audiogram, at: frequency)
      return min(outputCeiling, tables[ear].maximumOutput(at: frequency, for: audiogram, rule) ?? usual)
    }
  }
}

extension TargetTable {
  /// The table's own maximum output at a frequency; nil where it has none.
  fileprivate func maximumOutput(
    at frequency: Double, for audiogram: Audiogram, _ rule: MaximumOutput
  ) -> SoundPressureLevel? {
    let above = points.firstIndex { $0.frequency >= frequency } ?? points.count - 1
    let below = points.lastIndex { $0.frequency <= frequency } ?? 0
    let (a, b) = (points[below], points[above])
    guard a.maximumOutput != nil || b.maximumOutput != nil else { return nil }
    let ends = [a, b].map {
      ($0.maximumOutput ?? rule.limit(for: audiogram, at: $0.frequency)).decibels
    }
    guard a.frequency < b.frequency else { return SoundPressureLevel(ends[0]) }
    return SoundPressureLevel(LogFrequencyTable([a.frequency, b.frequency], ends).held(at: frequency))
  }
}
