public import Acoustics
import Base

/// Insertion gain against input level at one frequency: straight lines in dB between a few knots.
///
/// The level is that of the band the gain applies to. A slope is gain over level, dB per dB: a compression
/// ratio CR is a slope of 1/CR − 1, an expansion ratio ER a slope of ER − 1.
///
/// - Threads: built on control; ``gain(at:)`` on any.
public struct GainCurve: Sendable, Hashable {
  /// Greatest number of knots, so that an engine can keep them in fixed storage. A rule or a table needs at
  /// most six, fine tuning adds up to three, and adaptation one wherever the gain passes 0 dB.
  public static let maximumKnotCount = 16

  /// Gains accepted at a knot, dB. Wider than any rule here gives; a guard against misplaced numbers.
  public static let gains = -100.0...100.0

  /// One to sixteen knots, strictly increasing in level.
  public let knots: [Knot]

  /// Slope below the first knot, dB per dB; positive expands: the gain falls as the level falls.
  public let slopeBelow: Double

  /// Slope above the last knot, dB per dB; negative compresses.
  public let slopeAbove: Double

  /// Creates a curve.
  ///
  /// - Throws: ``FittingError`` for another number of knots, for the first knot that is not finite, not
  ///   above the one before it or not within ``gains``, and for a slope that is not finite.
  public init(knots: [Knot], slopeBelow: Double = 0, slopeAbove: Double = 0) throws(FittingError) {
    guard 1...Self.maximumKnotCount ~= knots.count else {
      throw .notAccepted("\(knots.count) knots", expected: "1 to \(Self.maximumKnotCount)")
    }
    for (index, knot) in knots.enumerated() {
      guard knot.level.decibels.isFinite, index == 0 || knots[index - 1].level < knot.level else {
        throw .notAccepted("level of knot \(index + 1)", expected: "levels in rising order")
      }
      guard Self.gains.contains(knot.gain) else {
        throw .notAccepted("gain of \(knot.gain.shortText) dB", expected: "-100 to 100 dB")
      }
    }
    guard slopeBelow.isFinite, slopeAbove.isFinite else {
      throw .notAccepted("a slope without end", expected: "a finite one")
    }
    self.init(checked: knots, slopeBelow: slopeBelow, slopeAbove: slopeAbove)
  }

  /// Creates a linear curve: one gain, dB, at all levels.
  ///
  /// - Throws: ``FittingError`` for a gain outside ``gains``.
  public init(linear gain: Double) throws(FittingError) {
    try self.init(knots: [Knot(level: SoundPressureLevel(65), gain: gain)])
  }

  /// Creates a curve from knots known to be good.
  package init(checked knots: [Knot], slopeBelow: Double = 0, slopeAbove: Double = 0) {
    (self.knots, self.slopeBelow, self.slopeAbove) = (knots, slopeBelow, slopeAbove)
  }

  /// Creates a linear curve from a gain of a rule, which no accepted audiogram drives beyond ``gains``.
  package init(unchangingGain gain: Double) {
    self.init(checked: [Knot(level: SoundPressureLevel(65), gain: gain)])
  }

  /// Insertion gain, dB, at a band input level.
  ///
  /// - Complexity: O(knots).
  public func gain(at level: SoundPressureLevel) -> Double {
    let first = knots[0]
    let last = knots[knots.count - 1]
    if level <= first.level {
      // Silence times a slope of nothing is nothing, not NaN.
      return slopeBelow == 0 ? first.gain : first.gain + slopeBelow * (level - first.level)
    }
    if level >= last.level {
      return slopeAbove == 0 ? last.gain : last.gain + slopeAbove * (level - last.level)
    }
    var next = 1
    while knots[next].level < level { next += 1 }
    let (a, b) = (knots[next - 1], knots[next])
    return a.gain + (level - a.level) / (b.level - a.level) * (b.gain - a.gain)
  }
}

extension GainCurve {
  /// A level at which the slope may change.
  public struct Knot: Sendable, Hashable, Codable {
    /// Band input level, dB SPL.
    public var level: SoundPressureLevel
    /// Insertion gain there, dB.
    public var gain: Double

    /// A gain, dB, at an input level.
    @inlinable public init(level: SoundPressureLevel, gain: Double) {
      (self.level, self.gain) = (level, gain)
    }
  }
}

extension GainCurve {
  /// The same curve with no gain above a limit, at any level; nothing is raised.
  ///
  /// - Parameter limit: dB; outside ``gains`` it counts as their end.
  public func held(below limit: Double) -> GainCurve {
    flattened(above: min(max(limit, Self.gains.lowerBound), Self.gains.upperBound), share: 0)
  }

  /// The same curve with only a share of what it gives more than a reference: soft sounds are lifted less
  /// above loud ones, and nothing is lifted more than before.
  ///
  /// - Parameters:
  ///   - reference: Gain that stays as it is, and all below it, dB.
  ///   - share: Of the gain above it, 0…1; another counts as the nearest of these, NaN as 0.
  public func flattened(above reference: Double, share: Double) -> GainCurve {
    let share = share >= 0 ? min(share, 1) : 0
    guard share < 1 else { return self }
    // Where the curve passes the reference it bends.
    let levels = knotLevels + levels(crossing: reference)
    func end(_ slope: Double, beyond level: Double) -> Double {
      // Beyond the outermost bend the curve lies wholly above the reference or wholly below it.
      gain(at: SoundPressureLevel(level)) > reference ? share * slope : slope
    }
    return GainCurve(
      joining: levels, slopeBelow: end(slopeBelow, beyond: (levels.min() ?? 0) - 1),
      slopeAbove: end(slopeAbove, beyond: (levels.max() ?? 0) + 1)
    ) { level in
      let whole = gain(at: SoundPressureLevel(level))
      return whole > reference ? reference + share * (whole - reference) : whole
    }
  }

  /// The same curve, by some dB higher or lower at every level, held within ``gains``.
  public func shifted(by change: Double) -> GainCurve {
    let moved = knots.map { knot in
      Knot(
        level: knot.level, gain: min(max(knot.gain + change, Self.gains.lowerBound), Self.gains.upperBound))
    }
    return GainCurve(checked: moved, slopeBelow: slopeBelow, slopeAbove: slopeAbove)
  }
}

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
