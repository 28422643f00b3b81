public import Acoustics
import Base

/// Everything by which an audiogram becomes gain, as the audiologist decided it.
public struct FittingPlan: Sendable, Hashable {
  /// Source of the targets.
  public enum Target: Sendable, Hashable {
    /// A rule, applied to the audiogram.
    case rule(PrescribedRule)
    /// Numbers for each ear, of which one may have none, with the name of the tool they come from, "NAL-NL2" for
    /// instance.
    case tables(Binaural<TargetTable>, source: String)
  }

  /// Greatest gain of any plan, dB, at whatever level and frequency.
  public static let greatestGain = Held.greatestGain
  /// Output ceilings accepted, dB SPL.
  public static let outputCeilings = MaximumOutput.ceilings

  /// Source of the gain.
  public let target: Target
  /// Changes by the audiologist; none by default.
  public let fineTuning: Binaural<FineTuning>
  /// Share of the gain that a new user begins with, 0.5…1; 1 for a user who is used to it. Applies to gain
  /// above 0 dB, after fine tuning.
  public let adaptation: Double
  /// No output above it, dB SPL.
  public let outputCeiling: SoundPressureLevel
  /// Frequency lowering of each ear; nil where high sounds stay where they are.
  public let lowering: Binaural<FrequencyLowering?>
  /// Sound that a person with tinnitus hears in addition to ambient sound; nil for none. No louder than
  /// ``outputCeiling``.
  public let tinnitusSound: Binaural<TinnitusSound?>

  /// Creates a plan.
  ///
  /// - Throws: ``FittingError`` for a ratio, a share or a ceiling that is not accepted, and for a tinnitus
  ///   sound above the ceiling.
  public init(
    target: Target, fineTuning: Binaural<FineTuning> = Binaural(both: .none), adaptation: Double = 1,
    outputCeiling: SoundPressureLevel = MaximumOutput.standard.ceiling,
    lowering: Binaural<FrequencyLowering?> = Binaural(both: nil),
    tinnitusSound: Binaural<TinnitusSound?> = Binaural(both: nil)
  ) throws(FittingError) {
    if case .rule(let rule) = target, let ratio = rule.compressionRatio {
      try NALRPCompressive.check(compressionRatio: ratio)
    }
    guard Adapted.shares.contains(adaptation) else {
      throw .notAccepted("adaptation of \(adaptation.shortText)", expected: "a share of 0.5 to 1")
    }
    let ceiling = "\(outputCeiling.decibels.shortText) dB SPL"
    guard Self.outputCeilings.contains(outputCeiling) else {
      throw .notAccepted("output ceiling of \(ceiling)", expected: "60 to 120 dB SPL")
    }
    for sound in [tinnitusSound.left, tinnitusSound.right].compactMap(\.self)
    where sound.level > outputCeiling {
      throw .notAccepted(
        "tinnitus sound of \(sound.level.decibels.shortText) dB SPL",
        expected: "at most the output ceiling, \(ceiling)")
    }
    (self.target, self.fineTuning, self.adaptation) = (target, fineTuning, adaptation)
    (self.outputCeiling, self.lowering, self.tinnitusSound) = (outputCeiling, lowering, tinnitusSound)
  }
}

extension FittingPlan {
  /// Output limit of each band, dB SPL: that of ``MaximumOutput`` under the plan's ceiling, or the table's
  /// own where it has one.
  ///
  /// Between two frequencies of a table of which one or both state a maximum output, the limit is linear in
  /// dB over log frequency, a missing end counting with the rule's. Below the first and above the last it
  /// is held where that one states it. Nothing lies above the ceiling.
  ///
  /// - Parameter audiogram: An ear without thresholds counts as normal: lowest limits.
  /// - Shape: `bands.count`.
  public func outputLimits(for ear: Ear, audiogram: Audiogram, bands: BandLayout) -> [SoundPressureLevel] {
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
    guard !points.isEmpty else { return nil }
    let above = points.firstIndex { $0.frequency >= frequency } ?? points.count - 1
    let below = points.lastIndex { $0.frequency <= frequency } ?? 0
    let (a, b) = (points[below], points[above])
    guard a.maximumOutput != nil || b.maximumOutput != nil else { return nil }
    let ends = [a, b].map { ($0.maximumOutput ?? rule.limit(for: audiogram, at: $0.frequency)).decibels }
    guard a.frequency < b.frequency else { return SoundPressureLevel(ends[0]) }
    return SoundPressureLevel(LogFrequencyTable([a.frequency, b.frequency], ends).held(at: frequency))
  }
}

extension FittingPlan {
  /// True where the plan has gain for an ear: by a rule, by a table's targets, or by fine tuning without either.
  public func hasGain(for ear: Ear) -> Bool {
    guard case .tables(let tables, _) = target else { return true }
    return !tables[ear].points.isEmpty || !fineTuning[ear].points.isEmpty
  }

  /// Rule that gives an ear's gain: the target's rule or table, then fine tuning, then adaptation, held
  /// at ``greatestGain``. Its name says all of it.
  public func rule(for ear: Ear) -> any FittingRule { rule(for: ear, adaptation: adaptation) }

  /// The same rule with another share of the gain.
  ///
  /// - Parameter adaptation: In ``Adapted/shares``.
  package func rule(for ear: Ear, adaptation: Double) -> any FittingRule {
    let target: any FittingRule =
      switch self.target {
      case .rule(let prescribed): prescribed.rule
      case .tables(let tables, let source): ExplicitTargets(table: tables[ear], source: source)
      }
    return Held(rule: Adapted(FineTuned(rule: target, tuning: fineTuning[ear]), share: adaptation))
  }

  /// Insertion gain for speech at 50, 65 and 80 dB SPL, dB, as a sheet shows it.
  ///
  /// What the bands are given at their own levels in such speech; between their centres linear in dB over
  /// log frequency, as the aid does it, beyond the outermost ones held.
  ///
  /// - Parameter frequencies: Hz, positive.
  /// - Returns: One value per frequency.
  /// - Throws: ``FittingError/insufficientThresholds(measured:)`` when the audiogram has too few points.
  public func targets(
    for ear: Ear, audiogram: Audiogram, at frequencies: [Double], bands: BandLayout = .standard
  ) throws(FittingError) -> [SpeechLevels<Double>] {
    let curves = try rule(for: ear).curves(for: audiogram, bands: bands)
    let columns = SpeechLevels { level in
      let gains = curves.indices.map { band in
        // A band without speech power has one gain at all levels.
        let speech = bands.speechLevel(inBand: band, overall: level.level)
        return curves[band].gain(at: speech.decibels.isFinite ? speech : level.level)
      }
      return LogFrequencyTable(bands.centres, gains)
    }
    return frequencies.map { frequency in SpeechLevels { columns[$0].held(at: frequency) } }
  }
}

extension FittingPlan.Target {
  /// The rule's identifier, or the name of the tool that the tables come from.
  public var name: String {
    switch self {
    case .rule(let rule): rule.identifier
    case .tables(_, let source): source
    }
  }

  /// Of the rule that leaves it open; nil for all others.
  public var compressionRatio: Double? {
    if case .rule(let rule) = self { rule.compressionRatio } else { nil }
  }
}
