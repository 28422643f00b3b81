import Acoustics
import Base
import Glibc
import Procedures

/// Levels of equal loudness over frequency, at which tones of different pitch are compared.
extension ProcedurePlanning {
  /// Frequencies of a usual pitch match, Hz (from memory).
  private static let pitchRange = 500.0...16_000

  /// A frequency with the levels of its tones.
  private typealias Place = (frequency: Double, range: MatchRange)

  /// Tones as loud as the tinnitus: as far above each threshold as the last loudness match, or 10 dB. About a frequency of which the ear hears
  /// no tone that may sound, up to the thresholds beside it, there are none: a tone below its threshold is compared as silence.
  ///
  /// - Parameter isWhole: False: of the widest part of the curve alone, where such a frequency divides it.
  func curve(isWhole: Bool) throws(Failure) -> (LevelCurve, String?) {
    let ear = try ear()
    let audiogram = known.audiogram(ear)
    var measured: [Place] = []
    var unheard = audiogram.unheard.filter(Self.pitchRange.contains)
    for point in audiogram.points where Self.pitchRange.contains(point.frequency) {
      if let range = range(ear, point.frequency, threshold: point.level) {
        measured.append((point.frequency, range))
      } else {
        unheard.append(point.frequency)
      }
    }
    unheard.sort()
    var parts = Self.parts(of: measured, without: unheard)
    if !isWhole, let widest = parts.max(by: { Self.width(of: $0) < Self.width(of: $1) }) {
      parts = [widest]
    }
    let points = parts.flatMap { part in
      (part + rangesBetween(part, ear)).sorted { $0.frequency < $1.frequency }
    }
    let sensation = known.sensation(ear) ?? 10
    let uncertain = Set(audiogram.points.filter { $0.reservation != nil }.map(\.frequency))
    let curve = LevelCurve(
      points.map { frequency, range in
        LevelCurve.Point(
          frequency: frequency, level: min(range.threshold + sensation, range.ceiling),
          ceiling: range.ceiling)
      }, unheard: unheard, uncertain: points.map(\.frequency).filter(uncertain.contains))
    guard let curve else {
      throw Failure(
        "pitch",
        found:
          "\(measured.count) thresholds of the \(ear.rawValue) ear from 500 Hz up "
          + "that tones can be heard above" + Self.words(unheard),
        expected:
          "two or more\(unheard.isEmpty ? "" : " beside each other"), so that tones are equally loud",
        remedy: "Measure them first: auricle hearing-test --ear \(ear.rawValue)", exit: .unavailable
      ).logged(asKind: "too few thresholds for this match")
    }
    return (curve, audiogram.record)
  }

  /// Frequencies at which nothing is heard, a clause behind another; empty without any.
  private static func words(_ unheard: [Double]) -> String {
    unheard.isEmpty
      ? ""
      : ", and no tone that may be played is heard at \(English.list(unheard.map(\.shortText), "and")) Hz"
  }

  /// Frequencies that follow each other without one that is not heard between them. One that stands alone has no tone beside it.
  ///
  /// - Parameter measured: By rising frequency.
  private static func parts(of measured: [Place], without unheard: [Double]) -> [[Place]] {
    var parts: [[Place]] = []
    for place in measured {
      if let last = parts.last?.last,
        !unheard.contains(where: { last.frequency < $0 && $0 < place.frequency })
      {
        parts[parts.count - 1].append(place)
      } else {
        parts.append([place])
      }
    }
    return parts.filter { $0.count > 1 }
  }

  /// Octaves from the first place to the last one.
  private static func width(of part: [Place]) -> Double {
    guard let first = part.first, let last = part.last else { return 0 }
    return log2(last.frequency / first.frequency)
  }

  /// Levels of tones about a threshold; nil: none that may sound is heard.
  private func range(_ ear: Ear, _ frequency: Double, threshold: HearingLevel) -> MatchRange? {
    guard let (reference, limit) = toneBounds(ear, frequency),
      let softest = reachable(ear, frequency)?.lowerBound
    else { return nil }
    // One that was measured with a finer format would make tones that are rounded to silence: the softest one stands for it.
    return MatchRange(
      threshold: max(threshold, softest), reference: reference, limit: limit, softest: softest)
  }

  /// Thresholds that lie too close together to search a pitch among them.
  func narrow(_ curve: LevelCurve, _ ear: Ear) -> Failure {
    let parts = curve.parts.map { "\($0.lowerBound.shortText) to \($0.upperBound.shortText)" }
    return Failure(
      order.name.rawValue,
      found: "thresholds from \(English.list(parts, "and from")) Hz" + Self.words(curve.unheard),
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
  /// - Parameter measured: By rising frequency, without one that is not heard between them.
  private func rangesBetween(_ measured: [Place], _ ear: Ear) -> [Place] {
    guard let first = measured.first, let last = measured.last else { return [] }
    let thresholds = LogFrequencyTable(
      measured.map(\.frequency), measured.map(\.range.threshold.decibels))
    let calibration = rendering.calibration
    let rows = Set(calibration.transducer?.referenceThresholds.frequencies ?? [])
      .union(calibration.sensitivity[ear].frequencies ?? [])
      .subtracting(measured.map(\.frequency))
      .filter { $0 > first.frequency && $0 < last.frequency }
    return rows.compactMap { frequency -> Place? in
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
