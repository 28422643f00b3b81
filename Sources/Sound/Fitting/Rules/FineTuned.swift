public import Acoustics

/// A rule with what the audiologist added to it.
///
/// The change for speech at 50, 65 and 80 dB SPL holds at the band's own level in such speech, is linear in
/// dB over dB between and held beyond. It is added as it is: a reduction may take the gain below 0 dB. No
/// gain comes out above ``greatestGain``. A band without speech power gets the change for ordinary speech
/// at all levels.
public struct FineTuned: FittingRule {
  /// Greatest gain that a change leads to, dB: that of explicit tables.
  static let greatestGain = TargetTable.gains.upperBound

  public let rule: any FittingRule
  public let tuning: FineTuning

  public init(_ rule: any FittingRule, by tuning: FineTuning) {
    self.rule = rule
    self.tuning = tuning
  }

  public var name: String { tuning.points.isEmpty ? rule.name : "\(rule.name), fine-tuned" }

  public func curves(
    for audiogram: Audiogram, bands: BandLayout
  ) throws(FittingError) -> [GainCurve] {
    let untuned = try rule.curves(for: audiogram, bands: bands)
    guard !tuning.points.isEmpty else { return untuned }
    return untuned.indices.map { band in
      let changes = tuning.changes(at: bands.centres[band])
      let speech = bands.speechLevel(inBand: band, overall: SpeechLevel.ordinary.level).decibels
      return Self.tuned(untuned[band], changes, speech: speech)
    }
  }

  /// One band's curve with changes that hold at its levels of speech, `speech` dB SPL for ordinary one.
  static func tuned(
    _ curve: GainCurve, _ changes: SpeechLevels<Double>, speech: Double
  ) -> GainCurve {
    let change = change(changes, speech: speech)
    let bends = change.knots.count > 1 ? change.knotLevels : []
    let levels = curve.knotLevels + bends
    let sum = { (level: Double) in
      curve.gain(at: SoundPressureLevel(level)) + change.gain(at: SoundPressureLevel(level))
    }
    let free = GainCurve(
      joining: levels, slopeBelow: curve.slopeBelow, slopeAbove: curve.slopeAbove, sum)
    guard free.knots.contains(where: { $0.gain > greatestGain }) else { return free }
    return GainCurve(
      joining: free.knotLevels + free.levels(crossing: greatestGain),
      slopeBelow: max(0, free.slopeBelow), slopeAbove: min(0, free.slopeAbove)
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
    var changes = SpeechLevels(all: 0.0)
    guard !points.isEmpty else { return changes }
    for level in SpeechLevel.allCases {
      changes[level] = LogFrequencyTable(points.map(\.frequency), points.map { $0.changes[level] })
        .held(at: frequency)
    }
    return changes
  }
}
