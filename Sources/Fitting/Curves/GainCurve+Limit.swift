import Acoustics

extension GainCurve {
  /// The same curve with no gain above a limit, at any level; nothing is raised.
  ///
  /// - Parameter limit: dB; outside ``gains`` it counts as their end.
  public func held(below limit: Double) -> GainCurve {
    let limit = min(max(limit, Self.gains.lowerBound), Self.gains.upperBound)
    // Where the curve passes the limit it bends.
    let levels = knotLevels + levels(crossing: limit)
    let (lowest, highest) = (levels.min() ?? 0, levels.max() ?? 0)
    func end(_ slope: Double, beyond level: Double) -> Double {
      // Beyond the outermost bend the curve lies wholly above the limit or wholly below it.
      gain(at: SoundPressureLevel(level)) > limit ? 0 : slope
    }
    return GainCurve(
      joining: levels, slopeBelow: end(slopeBelow, beyond: lowest - 1),
      slopeAbove: end(slopeAbove, beyond: highest + 1)
    ) { min(gain(at: SoundPressureLevel($0)), limit) }
  }
}
