import Acoustics
import Base

/// Findings in the gain that a plan makes for one ear.
struct PlanReview {
  typealias Finding = AudiogramReview.Finding

  /// Rise with level that no rounding makes, dB. Own choice.
  static let rise = 1.0

  /// Gain above the loss itself from which a number is thought mistaken, dB: one step of an audiometer. Own
  /// choice: gain equal to the loss would make a whisper as loud as to a healthy ear, and every published rule
  /// here asks for less, because loud sounds are heard almost as by a healthy ear.
  static let excess = 5.0

  /// Range that a table of targets must cover, Hz: the frequencies every fitting rests on.
  static let speech = 500.0...4000.0

  /// Ratio to the outermost threshold from which on the loss counts as unknown: half an octave, the usual
  /// step between the frequencies of audiometers. Own choice: a neighbour's threshold stands for the next.
  static let knownRatio = 2.0.squareRoot()

  /// Fine tuning of the outermost bands from which on it is looked at beyond the thresholds, dB: one step of an audiometer. Own choice: a
  /// rule goes on beyond the thresholds too, and what is less than a step is no other gain than the rule's.
  static let reachingChange = 5.0

  /// Distance below loud speech with its gain from which a limit is thought mistaken, dB. Own choice: an ear that is easily hurt may have
  /// limits below what its gain leads to.
  static let lowLimitDistance = 10.0

  /// Distance above the limit that goes by the thresholds from which one is thought mistaken, dB. Own choice, two steps of an audiometer:
  /// uncomfortable levels of ears with the same thresholds differ.
  static let highLimitDistance = 10.0

  /// Difference between the limits of both ears from which one is thought mistaken, dB: that of their thresholds
  /// (``AudiogramReview/adjacentDifference``).
  static let limitDifference = 15.0

  let ear: Ear
  let audiogram: Audiogram
  let plan: FittingPlan

  /// Of an ear without thresholds, which gets no gain, only what is prescribed for it in vain.
  var findings: [Finding] {
    guard !audiogram.airPoints.isEmpty else { return [notHeard].compactMap(\.self) }
    return [
      needlessGain, noTargets, tooFewTargets, risingGain, excessiveGain, untestedGain, lowLimit, highLimit,
    ]
    .compactMap(\.self)
  }

  private var notHeard: Finding? {
    let parts = [
      plan.fineTuning[ear].points.isEmpty ? nil : "its fine tuning",
      plan.lowering[ear].map { _ in "its frequency lowering" },
    ].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    let sound = plan.tinnitusSound[ear] == nil ? "" : ", only its tinnitus sound is"
    return Finding(
      kind: .notTested, severity: .caution, ears: [ear], frequencies: [],
      sentence: "The \(ear.rawValue) ear was not tested, so that \(English.list(parts, "and"))"
        + " \(parts.count == 1 ? "is" : "are") not heard\(sound).")
  }

  private var table: TargetTable? {
    if case .tables(let tables, _) = plan.target { tables[ear] } else { nil }
  }

  /// Frequencies for which somebody gave numbers: in a table, or as fine tuning.
  private var numberedFrequencies: Set<Double> {
    Set((table?.points.map(\.frequency) ?? []) + plan.fineTuning[ear].points.map(\.frequency))
  }

  /// Outermost bands to which the outermost points of the fine tuning reach with more gain than ``reachingChange``.
  private var tunedEdges: [Double] {
    let bands = BandLayout.standard.centres
    return [bands.first, bands.last].compactMap(\.self).filter {
      let changes = plan.fineTuning[ear].changes(at: $0)
      return max(changes.soft, changes.ordinary, changes.loud) > Self.reachingChange
    }
  }

  /// Gain at each frequency for which somebody gave numbers.
  private var gains: [(frequency: Double, gains: SpeechLevels<Double>)] { gains(at: numberedFrequencies) }

  private func gains(at frequencies: Set<Double>) -> [(frequency: Double, gains: SpeechLevels<Double>)] {
    let frequencies = frequencies.sorted()
    // A rule that makes no gain from this audiogram gives none to look at.
    let gains = (try? plan.targets(for: ear, audiogram: audiogram, at: frequencies)) ?? []
    return zip(frequencies, gains).map { ($0, $1) }
  }

  private func caution(_ kind: Finding.Kind, _ frequencies: [Double], _ words: String) -> Finding? {
    EarReview(ear: ear, audiogram: audiogram).finding(kind, .caution, frequencies, words)
  }

  private var needlessGain: Finding? {
    guard let curves = try? plan.rule(for: ear).curves(for: audiogram, bands: .standard),
      let found = NeedlessGain(ear, audiogram, curves: curves, bands: .standard)
    else { return nil }
    return Finding(
      kind: .needlessGain, severity: .caution, ears: [ear], frequencies: [found.frequency],
      sentence: found.sentence)
  }

  private var noTargets: Finding? {
    guard table == TargetTable.none else { return nil }
    let gain = plan.hasGain(for: ear) ? "gets its fine tuning alone" : "gets no gain"
    return Finding(
      kind: .noTargets, severity: .caution, ears: [ear], frequencies: [],
      sentence: "The \(ear.rawValue) ear has thresholds but no targets, and \(gain).")
  }

  private var tooFewTargets: Finding? {
    guard let points = table?.points, let low = points.first?.frequency, let high = points.last?.frequency,
      low > Self.speech.lowerBound || high < Self.speech.upperBound
    else { return nil }
    let span = low == high ? "at \(low.shortText) Hz" : "from \(low.shortText) to \(high.shortText) Hz"
    return caution(
      .tooFewTargets, points.map(\.frequency),
      "has targets \(span) alone; speech needs them from"
        + " \(Self.speech.lowerBound.shortText) to \(Self.speech.upperBound.shortText) Hz")
  }

  private var risingGain: Finding? {
    let rises = gains.map { frequency, gains in
      (frequency, rise: max(gains.ordinary - gains.soft, gains.loud - min(gains.soft, gains.ordinary)))
    }.filter { $0.rise > Self.rise }
    let columns = table == nil ? "" : "; the columns of the targets may be in the wrong order"
    return caution(
      .risingGain, rises.map(\.0),
      "would get more gain the louder speech is at \(EarReview.list(rises.map(\.0))), by up to"
        + " \((rises.map(\.rise).max() ?? 0).shortText) dB" + columns)
  }

  private var excessiveGain: Finding? {
    // An ear that hears normally has a finding of its own.
    guard needlessGain == nil else { return nil }
    let found = gains.compactMap { frequency, gains -> (frequency: Double, gain: Double, loss: Double)? in
      let gain = max(gains.soft, gains.ordinary, gains.loud)
      guard let loss = audiogram.threshold(at: frequency)?.decibels, gain > max(loss, 0) + Self.excess
      else { return nil }
      return (frequency, gain, loss)
    }
    guard let worst = found.max(by: { $0.gain - $0.loss < $1.gain - $1.loss }) else { return nil }
    return caution(
      .excessiveGain, found.map(\.frequency),
      "would get more gain than it has lost at \(EarReview.list(found.map(\.frequency))), up to"
        + " \(worst.gain.shortText) dB for \(worst.loss.shortText) dB HL, which no rule asks for")
  }

  private var untestedGain: Finding? {
    let tested = audiogram.airPoints.map(\.frequency)
    guard let lowest = tested.first, let highest = tested.last else { return nil }
    let known = lowest / Self.knownRatio...highest * Self.knownRatio
    let found = gains(at: numberedFrequencies.union(tunedEdges)).compactMap {
      frequency, gains -> (frequency: Double, gain: Double)? in
      let gain = max(gains.soft, gains.ordinary, gains.loud)
      return known.contains(frequency) || gain <= NeedlessGain.allowed ? nil : (frequency, gain)
    }
    return caution(
      .untestedGain, found.map(\.frequency),
      "would get gain at \(EarReview.list(found.map(\.frequency))), up to"
        + " \((found.map(\.gain).max() ?? 0).shortText) dB, more than half an octave beyond its thresholds,"
        + " where its loss is not known")
  }
}

// MARK: - Output limits

extension PlanReview {
  /// Frequencies at which limits are looked at, Hz: those of an ear's table, and those every fitting rests on.
  private static func limitedFrequencies(_ plan: FittingPlan, _ ears: [Ear]) -> [Double] {
    guard case .tables(let tables, _) = plan.target else { return EarReview.neededFrequencies }
    let points = ears.flatMap { tables[$0].points }
    return Set(points.map(\.frequency) + EarReview.neededFrequencies).sorted()
  }

  /// Output limits of the ear, dB SPL.
  ///
  /// - Shape: one per frequency.
  private func limits(at frequencies: [Double]) -> [Double] {
    // Frequencies of tables and of fittings are those of bands.
    guard let bands = try? BandLayout(centres: frequencies) else { return [] }
    return plan.outputLimits(for: ear, audiogram: audiogram, bands: bands).map(\.decibels)
  }

  /// Level of loud speech with its gain at a frequency, dB SPL: that of the standard band there.
  private func loudSpeech(at frequency: Double, gain: SpeechLevels<Double>) -> Double {
    let bands = BandLayout.standard
    let band = bands.edges.dropFirst().prefix { $0 <= frequency }.count
    let speech = bands.speechLevel(inBand: min(band, bands.count - 1), overall: SpeechLevel.loud.level)
    return speech.decibels + gain.loud
  }

  private var lowLimit: Finding? {
    let frequencies = Self.limitedFrequencies(plan, [ear])
    let found = zip(limits(at: frequencies), gains(at: Set(frequencies))).compactMap {
      limit, gain -> (frequency: Double, limit: Double, missing: Double)? in
      let missing = loudSpeech(at: gain.frequency, gain: gain.gains) - limit
      // A limit that goes by the thresholds is nobody's mistake, and a low ceiling has a finding of its own.
      let usual = MaximumOutput.standard.limit(for: audiogram, at: gain.frequency).decibels
      let isCeiling = limit == plan.outputCeiling.decibels && plan.outputCeiling < MaximumOutput.little
      guard limit < usual, !isCeiling, missing > Self.lowLimitDistance else { return nil }
      return (gain.frequency, limit, missing)
    }
    return caution(
      .lowLimit, found.map(\.frequency),
      "would get at most \((found.map(\.limit).max() ?? 0).tenths) dB SPL at \(EarReview.list(found.map(\.frequency))),"
        + " by up to \((found.map(\.missing).max() ?? 0).tenths) dB less than loud speech with its gain")
  }

  private var highLimit: Finding? {
    let frequencies = Self.limitedFrequencies(plan, [ear])
    let found = zip(frequencies, limits(at: frequencies)).compactMap {
      frequency, limit -> (frequency: Double, limit: Double, excess: Double)? in
      let excess = limit - MaximumOutput.byThreshold.limit(for: audiogram, at: frequency).decibels
      return excess > Self.highLimitDistance ? (frequency, limit, excess) : nil
    }
    return caution(
      .highLimit, found.map(\.frequency),
      "may get up to \((found.map(\.limit).max() ?? 0).tenths) dB SPL at \(EarReview.list(found.map(\.frequency))), by"
        + " up to \((found.map(\.excess).max() ?? 0).tenths) dB more than the limit that goes by its thresholds: only a"
        + " measured uncomfortable level allows it")
  }

  /// Limits that differ more between the ears than their thresholds do.
  ///
  /// - Parameter ears: Both with thresholds.
  static func unequalLimits(_ ears: Binaural<Audiogram>, _ plan: FittingPlan) -> Finding? {
    let frequencies = limitedFrequencies(plan, Ear.allCases)
    let limits = Binaural<[Double]> { ear in
      PlanReview(ear: ear, audiogram: ears[ear], plan: plan).limits(at: frequencies)
    }
    let found = zip(frequencies, zip(limits.left, limits.right)).compactMap {
      frequency, limits -> (frequency: Double, difference: Double)? in
      guard let left = ears.left.threshold(at: frequency), let right = ears.right.threshold(at: frequency)
      else { return nil }
      let difference = abs(limits.0 - limits.1)
      return difference > max(limitDifference, abs(left - right)) ? (frequency, difference) : nil
    }
    guard !found.isEmpty else { return nil }
    return Finding(
      kind: .unequalLimits, severity: .caution, ears: Ear.allCases, frequencies: found.map(\.frequency),
      sentence:
        "The ears' output limits differ by up to \((found.map(\.difference).max() ?? 0).tenths) dB at"
        + " \(EarReview.list(found.map(\.frequency))), and their thresholds by less.")
  }

  /// A ceiling that leaves hardly any room for gain.
  ///
  /// - Parameter ears: Those that get gain.
  static func lowCeiling(_ plan: FittingPlan, _ ears: [Ear]) -> Finding? {
    guard plan.outputCeiling < MaximumOutput.little, !ears.isEmpty else { return nil }
    return Finding(
      kind: .lowLimit, severity: .caution, ears: ears, frequencies: [],
      sentence:
        "The greatest output, \(plan.outputCeiling.decibels.shortText) dB SPL, is little above the voice of"
        + " somebody beside the patient, so that hardly anything can be amplified.")
  }
}

extension Double {
  /// Text to 0.1.
  fileprivate var tenths: String { ((self * 10).rounded() / 10).shortText }
}
