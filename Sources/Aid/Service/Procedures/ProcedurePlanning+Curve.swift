import Acoustics
import Base
import Procedures

/// Levels of equal loudness over frequency, at which tones of different pitch are compared.
extension ProcedurePlanning {
  /// Frequencies of a usual pitch match, Hz (from memory).
  private static let pitchRange = 500.0...16_000

  /// Tones as loud as the tinnitus: as far above each threshold as the last loudness match, or 10 dB.
  func curve() throws(Failure) -> (LevelCurve, String?) {
    let ear = try ear()
    let (audiogram, source) = known.audiogram(ear)
    var measured: [(frequency: Double, range: MatchRange)] = []
    for point in audiogram.sorted(by: { $0.frequency < $1.frequency })
    where Self.pitchRange.contains(point.frequency) {
      guard let (reference, limit) = toneBounds(ear, point.frequency),
        let softest = reachable(ear, point.frequency)?.lowerBound
      else { continue }
      // One that was measured with a finer format would make tones that are rounded to silence: the softest one stands for it.
      let range = MatchRange(
        threshold: max(point.level, softest), reference: reference, limit: limit, softest: softest)
      if let range { measured.append((point.frequency, range)) }
    }
    let points = (measured + rangesBetween(measured, ear)).sorted { $0.frequency < $1.frequency }
    let sensation = known.sensation(ear) ?? 10
    let curve = LevelCurve(
      points.map { frequency, range in
        LevelCurve.Point(
          frequency: frequency, level: min(range.threshold + sensation, range.ceiling),
          ceiling: range.ceiling)
      })
    guard let curve else {
      throw Failure(
        "pitch",
        found:
          "\(measured.count) thresholds of the \(ear.rawValue) ear from 500 Hz up "
          + "that tones can be heard above",
        expected: "two or more, so that tones are equally loud",
        remedy: "Measure them first: auricle hearing-test --ear \(ear.rawValue)", exit: .unavailable
      ).logged(asKind: "too few thresholds for this match")
    }
    return (curve, source)
  }

  /// Thresholds that lie too close together to search a pitch among them.
  func narrow(_ curve: LevelCurve, _ ear: Ear) -> Failure {
    let (lowest, highest) = (curve.range.lowerBound.shortText, curve.range.upperBound.shortText)
    return Failure(
      order.name.rawValue, found: "thresholds from \(lowest) to \(highest) Hz",
      expected: "a wider range, 500 to 8000 Hz for example",
      remedy: "Measure more frequencies: auricle hearing-test --ear \(ear.rawValue)", exit: .unavailable
    ).logged(asKind: "too few thresholds for this match")
  }

  /// Level of 0 dB HL of a tone, and the loudest that may sound, dB SPL; nil: the earphone has no such tone.
  private func toneBounds(
    _ ear: Ear, _ frequency: Double
  ) -> (reference: SoundPressureLevel, limit: SoundPressureLevel)? {
    let unit = Stimulus(.tone, ear, frequency: frequency, level: HearingLevel(-100), duration: 1)
    guard let level = try? rendering.checked(unit) else { return nil }
    let reach = level.sound + (rendering.greatest[ear] - level.digital)
    // 0 dB HL lies 100 dB above.
    return (level.sound + 100, min(rendering.limit[ear], reach))
  }

  /// Ranges at the rows of the reference and earphone tables that lie between measured frequencies.
  ///
  /// Both tables bend at their rows and are straight in between, as the curve is: with a ceiling at every row
  /// no frequency has a level above the loudest that may be played.
  ///
  /// - Parameter measured: By rising frequency.
  private func rangesBetween(
    _ measured: [(frequency: Double, range: MatchRange)], _ ear: Ear
  ) -> [(frequency: Double, range: MatchRange)] {
    guard let first = measured.first, let last = measured.last else { return [] }
    let thresholds = LogFrequencyTable(
      measured.map(\.frequency), measured.map(\.range.threshold.decibels))
    let calibration = rendering.calibration
    let rows = Set(calibration.transducer?.referenceThresholds.frequencies ?? [])
      .union(calibration.sensitivity[ear].frequencies ?? [])
      .subtracting(measured.map(\.frequency))
      .filter { $0 > first.frequency && $0 < last.frequency }
    return rows.compactMap { frequency -> (frequency: Double, range: MatchRange)? in
      guard let (reference, limit) = toneBounds(ear, frequency) else { return nil }
      // Where the threshold lies above all that may be played, the loudest tone stands for it; where it lies below all that the device
      // resolves, the softest one.
      let loudest = HearingLevel(min(MatchRange.greatestLevel, limit) - reference)
      let softest = reachable(ear, frequency)?.lowerBound ?? loudest
      let threshold = min(max(HearingLevel(thresholds.held(at: frequency)), softest), loudest)
      return MatchRange(threshold: threshold, reference: reference, limit: limit, softest: softest)
        .map { (frequency: frequency, range: $0) }
    }
  }
}
