import Acoustics
import Base

/// The audiologist's additions to a rule's gain in one ear, by frequency and speech level; none by default.
///
/// Between the frequencies the change is linear in dB over log frequency, outside them that of the nearest
/// one, so that a single one holds at all frequencies; between the levels linear in dB over dB.
public struct FineTuning: Sendable, Hashable {
  /// The change at one frequency.
  public struct Point: Sendable, Hashable {
    /// Hz, 125…16000.
    public var frequency: Double
    /// dB, −15…15.
    public var changes: SpeechLevels<Double>

    /// A change at one frequency, Hz, for each speech level, dB.
    public init(frequency: Double, changes: SpeechLevels<Double>) {
      (self.frequency, self.changes) = (frequency, changes)
    }
  }

  /// Changes accepted, dB. Whoever wants more has the wrong rule, or a leak.
  public static let changes = -15.0...15.0

  /// Most points.
  public static let greatestCount = TargetTable.greatestCount

  /// No change.
  public static let none = FineTuning(checked: [])

  /// None to twenty points, strictly increasing in frequency.
  public let points: [Point]

  /// Creates a tuning.
  ///
  /// - Throws: ``FittingError`` naming the first bad point.
  public init(points: [Point]) throws(FittingError) {
    guard points.count <= Self.greatestCount else {
      throw .notAccepted(
        "\(points.count) frequencies in a fine tuning", expected: "at most \(Self.greatestCount)")
    }
    try FittingError.check(points.map(\.frequency), of: "fine tuning")
    for point in points {
      for level in SpeechLevel.allCases where !Self.changes.contains(point.changes[level]) {
        throw .notAccepted(
          "fine tuning of \(point.changes[level].shortText) dB at \(point.frequency.shortText) Hz "
            + "for speech at \(level.rawValue) dB SPL", expected: "-15 to 15 dB")
      }
    }
    self.init(checked: points)
  }

  private init(checked points: [Point]) { self.points = points }
}

/// A rule with what the audiologist added to it.
///
/// The change for speech at 50, 65 and 80 dB SPL holds at the band's own level in such speech, is linear in
/// dB over dB between and held beyond. It is added as it is: a reduction may take the gain below 0 dB. No
/// gain comes out above ``greatestGain``. A band without speech power gets the change for ordinary speech
/// at all levels.
struct FineTuned: FittingRule {
  /// Greatest gain that a change leads to, dB: that of explicit tables.
  static let greatestGain = TargetTable.gains.upperBound

  /// Rule whose gain is changed.
  let rule: any FittingRule
  /// Changes of the gain.
  let tuning: FineTuning

  var name: String { tuning.points.isEmpty ? rule.name : "\(rule.name), fine-tuned" }

  func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
    let untuned = try rule.curves(for: audiogram, bands: bands)
    guard !tuning.points.isEmpty else { return untuned }
    return untuned.indices.map { band in
      let changes = tuning.changes(at: bands.centres[band])
      let speech = bands.speechLevel(inBand: band, overall: SpeechLevel.ordinary.level).decibels
      return Self.tuned(untuned[band], changes, speech: speech)
    }
  }

  /// One band's curve with changes that hold at its levels of speech, `speech` dB SPL for ordinary one.
  static func tuned(_ curve: GainCurve, _ changes: SpeechLevels<Double>, speech: Double) -> GainCurve {
    let change = change(changes, speech: speech)
    let levels = curve.knotLevels + (change.knots.count > 1 ? change.knotLevels : [])
    let free = GainCurve(joining: levels, slopeBelow: curve.slopeBelow, slopeAbove: curve.slopeAbove) {
      curve.gain(at: SoundPressureLevel($0)) + change.gain(at: SoundPressureLevel($0))
    }
    guard free.knots.contains(where: { $0.gain > greatestGain }) else { return free }
    return GainCurve(
      joining: free.knotLevels + free.levels(crossing: greatestGain), slopeBelow: max(0, free.slopeBelow),
      slopeAbove: min(0, free.slopeAbove)
    ) { min(greatestGain, free.gain(at: SoundPressureLevel($0))) }
  }

  private static func change(_ changes: SpeechLevels<Double>, speech: Double) -> GainCurve {
    guard speech.isFinite, changes != SpeechLevels(all: changes.ordinary) else {
      return GainCurve(unchangingGain: changes.ordinary)
    }
    return GainCurve(
      checked: SpeechLevel.allCases.map {
        GainCurve.Knot(
          level: SoundPressureLevel(speech + ($0.level - SpeechLevel.ordinary.level)), gain: changes[$0])
      })
  }
}

extension FineTuning {
  /// The change at any frequency, dB.
  public func changes(at frequency: Double) -> SpeechLevels<Double> {
    guard !points.isEmpty else { return SpeechLevels(all: 0) }
    return SpeechLevels { level in
      LogFrequencyTable(points.map(\.frequency), points.map { $0.changes[level] }).held(at: frequency)
    }
  }
}

/// A rule of which a new user gets a share, to grow into it.
///
/// Gain above 0 dB is multiplied by the share at every level and frequency; what is below stays.
struct Adapted: FittingRule {
  /// Shares of the prescribed gain accepted as adaptation.
  static let shares = 0.5...1.0

  /// Rule whose gain is reduced.
  let rule: any FittingRule
  /// 0.5…1 (``shares``).
  let share: Double

  /// Creates the rule; a share out of range counts as the nearest accepted one, NaN as the least.
  init(_ rule: any FittingRule, share: Double) {
    self.rule = rule
    let accepted = Self.shares
    self.share = share >= accepted.lowerBound ? min(share, accepted.upperBound) : accepted.lowerBound
  }

  var name: String {
    share == 1 ? rule.name : "\(rule.name), \((share * 100).shortText) % of the gain"
  }

  func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
    try rule.curves(for: audiogram, bands: bands).map { $0.flattened(above: 0, share: share) }
  }
}

/// A rule whose gain ends at ``greatestGain``, at whatever level and band.
///
/// Formulas have no end: POGO II asks for more above 112.5 dB HL, which a card signs and no chain plays.
struct Held: FittingRule {
  /// Greatest gain that a plan asks for, dB. Own choice: above that of explicit tables, so that a card whose gain was played means what it
  /// meant.
  static let greatestGain = 80.0

  /// Rule whose gain is held.
  let rule: any FittingRule

  var name: String { rule.name }

  func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
    try rule.curves(for: audiogram, bands: bands).map { curve in
      // Slopes beyond the outer knots of rules and tables lead to 0 dB or lie flat.
      curve.knots.contains { $0.gain > Self.greatestGain } ? curve.held(below: Self.greatestGain) : curve
    }
  }
}
