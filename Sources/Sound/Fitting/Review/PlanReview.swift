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

  let ear: Ear
  let audiogram: Audiogram
  let plan: FittingPlan

  /// None for an ear without thresholds, which gets no gain.
  var findings: [Finding] {
    guard !audiogram.airPoints.isEmpty else { return [] }
    return [needlessGain, noTargets, tooFewTargets, risingGain, excessiveGain, untestedGain]
      .compactMap(\.self)
  }

  private var table: TargetTable? {
    if case .tables(let tables, _) = plan.target { tables[ear] } else { nil }
  }

  /// Gain at each frequency for which somebody gave numbers: in a table, or as fine tuning.
  private var gains: [(frequency: Double, gains: SpeechLevels<Double>)] {
    let tuned = plan.fineTuning[ear].points.map(\.frequency)
    let frequencies = Set((table?.points.map(\.frequency) ?? []) + tuned).sorted()
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
    return Finding(
      kind: .noTargets, severity: .caution, ears: [ear], frequencies: [],
      sentence: "The \(ear.rawValue) ear has thresholds but no targets, and gets no gain.")
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
    let found = gains.compactMap { frequency, gains -> (frequency: Double, gain: Double)? in
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
