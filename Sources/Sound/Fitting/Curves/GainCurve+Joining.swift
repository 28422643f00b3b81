import Acoustics

extension GainCurve {
  /// Nearer than this two levels are one, dB: far below what a level reading resolves.
  private static let sameLevel = 1e-9

  /// A knot this near to the line of its neighbours is left out, dB.
  private static let straight = 1e-9

  /// Joins the values of a function by straight lines: exact where the function itself is made of lines
  /// that bend nowhere but at `levels`.
  ///
  /// Knots that lie on the line of their neighbours are left out. Should more than ``maximumKnotCount``
  /// remain, those that bend least go first.
  ///
  /// - Parameters:
  ///   - levels: dB SPL, in any order, at least one that is finite; others are ignored.
  ///   - slopeBelow: Slope below the lowest, dB per dB.
  ///   - slopeAbove: Slope above the highest, dB per dB.
  ///   - gain: dB at a level in dB SPL; kept within ``gains``.
  init(
    joining levels: [Double], slopeBelow: Double = 0, slopeAbove: Double = 0,
    _ gain: (Double) -> Double
  ) {
    var knots: [Knot] = []
    for level in levels.filter(\.isFinite).sorted() {
      if let last = knots.last, level - last.level.decibels < Self.sameLevel { continue }
      let kept = min(max(gain(level), Self.gains.lowerBound), Self.gains.upperBound)
      knots.append(Knot(level: SoundPressureLevel(level), gain: kept))
    }
    precondition(!knots.isEmpty, "a curve without a level")
    while knots.count > 1 {
      let bends = knots.indices.map {
        Self.bend(of: knots, at: $0, slopeBelow: slopeBelow, slopeAbove: slopeAbove)
      }
      // Never empty, for there are knots.
      guard let least = bends.indices.min(by: { bends[$0] < bends[$1] }) else { break }
      guard bends[least] <= Self.straight || knots.count > Self.maximumKnotCount else { break }
      knots.remove(at: least)
    }
    self.init(checked: knots, slopeBelow: slopeBelow, slopeAbove: slopeAbove)
  }

  /// Change of the curve at a knot if that one were left out, dB.
  private static func bend(
    of knots: [Knot], at index: Int, slopeBelow: Double, slopeAbove: Double
  ) -> Double {
    let here = knots[index]
    var rest = knots
    rest.remove(at: index)
    let without = GainCurve(checked: rest, slopeBelow: slopeBelow, slopeAbove: slopeAbove)
    return abs(without.gain(at: here.level) - here.gain)
  }

  /// The same gains at levels higher by `distance`, dB.
  func moved(by distance: Double) -> GainCurve {
    GainCurve(
      checked: knots.map { Knot(level: $0.level + distance, gain: $0.gain) }, slopeBelow: slopeBelow,
      slopeAbove: slopeAbove)
  }

  /// Levels of the knots, dB SPL.
  var knotLevels: [Double] { knots.map(\.level.decibels) }

  /// Levels at which the curve passes `gain`, between knots and on the slopes beyond them, dB SPL.
  func levels(crossing gain: Double) -> [Double] {
    var found = zip(knots, knots.dropFirst()).compactMap { a, b -> Double? in
      guard (a.gain - gain) * (b.gain - gain) < 0 else { return nil }
      return a.level.decibels + (gain - a.gain) / (b.gain - a.gain) * (b.level - a.level)
    }
    let (first, last) = (knots[0], knots[knots.count - 1])
    // Below the first knot the gain rises towards it with a positive slope, so it was lower before.
    if slopeBelow != 0, (gain - first.gain) / slopeBelow < 0 {
      found.append(first.level.decibels + (gain - first.gain) / slopeBelow)
    }
    if slopeAbove != 0, (gain - last.gain) / slopeAbove > 0 {
      found.append(last.level.decibels + (gain - last.gain) / slopeAbove)
    }
    return found
  }
}
