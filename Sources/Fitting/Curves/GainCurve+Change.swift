import Acoustics

extension GainCurve {
  /// The same curve with only a share of what it gives more than a reference: soft sounds are lifted less above loud
  /// ones, and nothing is lifted more than before.
  ///
  /// - Parameters:
  ///   - reference: Gain that stays as it is, and all below it, dB.
  ///   - share: Of the gain above it, 0…1; another counts as the nearest of these, NaN as 0.
  public func flattened(above reference: Double, share: Double) -> GainCurve {
    let share = share >= 0 ? min(share, 1) : 0
    guard share < 1 else { return self }
    let levels = knotLevels + levels(crossing: reference)
    func gain(_ level: Double) -> Double {
      let whole = self.gain(at: SoundPressureLevel(level))
      return whole > reference ? reference + share * (whole - reference) : whole
    }
    func end(_ slope: Double, beyond level: Double) -> Double {
      self.gain(at: SoundPressureLevel(level)) > reference ? share * slope : slope
    }
    return GainCurve(
      joining: levels, slopeBelow: end(slopeBelow, beyond: (levels.min() ?? 0) - 1),
      slopeAbove: end(slopeAbove, beyond: (levels.max() ?? 0) + 1), gain)
  }

  /// The same curve, by some dB higher or lower at every level, held within ``gains``.
  public func shifted(by change: Double) -> GainCurve {
    let moved = knots.map { knot in
      Knot(
        level: knot.level,
        gain: min(max(knot.gain + change, Self.gains.lowerBound), Self.gains.upperBound))
    }
    return GainCurve(checked: moved, slopeBelow: slopeBelow, slopeAbove: slopeAbove)
  }
}
