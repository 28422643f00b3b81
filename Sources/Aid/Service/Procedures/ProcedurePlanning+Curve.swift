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

  /// Tones as loud as the tinnitus: as far above each threshold as the last loudness match, or 10 dB, but no softer than the device
  /// resolves. About a frequency of which the ear hears
  /// no tone that may sound, up to the thresholds beside it, there are none: a tone below its threshold is compared as silence.
  ///
  /// - Parameter isWhole: False: of the widest part of the curve alone, where such a frequency divides it.
  func curve(isWhole: Bool) throws(Failure) -> (LevelCurve, String?) {
    let ear = try ear()
    let audiogram = known.audiogram(ear)
    var measured: [Place] = []
    var silences = audiogram.unheard.filter { Self.pitchRange.contains($0.frequency) }
    for point in audiogram.points where Self.pitchRange.contains(point.frequency) {
      if let range = range(ear, point.frequency, threshold: point.level) {
        measured.append((point.frequency, range))
      } else {
        // It is heard, so no plug was out.
        silences.append(KnownResults.Silence(frequency: point.frequency, isInDoubt: false))
      }
    }
    silences.sort { $0.frequency < $1.frequency }
    let unheard = silences.map(\.frequency)
    var parts = Self.parts(of: measured, without: unheard)
    if !isWhole, let widest = parts.max(by: { Self.width(of: $0) < Self.width(of: $1) }) {
      parts = [widest]
    }
    let points = parts.flatMap { part in
      (part + rangesBetween(part, ear)).sorted { $0.frequency < $1.frequency }
    }
    let sensation = known.sensation(ear)
    let reserved = Self.reserved(audiogram.points, by: sensation)
    let uncertain = points.filter { place in
      let level = Self.level(place.range, by: sensation)
      if let sensation, sensation.isMatch(place.frequency, level) { return false }
      return reserved.contains(place.frequency) || Self.isRaised(place.range, by: sensation)
    }
    let curve = LevelCurve(
      points.map { frequency, range in
        LevelCurve.Point(
          frequency: frequency, level: Self.level(range, by: sensation), ceiling: range.ceiling)
      }, unheard: unheard, unheardInDoubt: silences.filter(\.isInDoubt).map(\.frequency),
      uncertain: uncertain.map(\.frequency))
    guard let curve else {
      let turned = turned(ear)
      let way = turned == nil ? "Measure them first" : "Put the control back, or measure them anew"
      throw Failure(
        "pitch",
        found:
          "\(measured.count) thresholds of the \(ear.rawValue) ear from 500 Hz up "
          + "that tones can be heard above\(Self.words(unheard))\(Self.aside(turned))",
        expected:
          "two or more\(unheard.isEmpty ? "" : " beside each other"), so that tones are equally loud",
        remedy: "\(way): auricle hearing-test --ear \(ear.rawValue)", exit: .unavailable
      ).logged(asKind: "too few thresholds for this match")
    }
    return (curve, audiogram.record)
  }

  /// Level of a tone as loud as the tinnitus, as far as limits and device let it.
  private static func level(_ range: MatchRange, by sensation: KnownResults.Sensation?) -> HearingLevel {
    min(max(wished(range, by: sensation), range.floor), range.ceiling)
  }

  private static func wished(_ range: MatchRange, by sensation: KnownResults.Sensation?) -> HearingLevel {
    range.threshold + (sensation?.level ?? 10)
  }

  /// True where the device resolves no tone that is as soft, so that one lies further above its threshold than the others. A level
  /// worked out there and back is not raised for its last digit.
  private static func isRaised(_ range: MatchRange, by sensation: KnownResults.Sensation?) -> Bool {
    range.floor > wished(range, by: sensation) + 1e-6
  }

  /// Frequencies of tones of which one of the two thresholds that they go by has a reservation, Hz.
  private static func reserved(
    _ points: [KnownResults.Point], by sensation: KnownResults.Sensation?
  ) -> Set<Double> {
    Set(points.filter { ($0.reservation ?? sensation?.reservation) != nil }.map(\.frequency))
  }

  /// Reason for which a threshold for a match of pitch does not count, at a frequency at which no other one does, a clause; nil:
  /// there is no such threshold.
  private func turned(_ ear: Ear) -> String? {
    let counting = known.audiogram(ear).points.map(\.frequency)
    return known.turnedThreshold(ear, .tone) {
      Self.pitchRange.contains($0) && !counting.contains($0)
    }
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
    let range = MatchRange(threshold: threshold, reference: reference, limit: limit, softest: softest)
    // Above a threshold that was measured with a much finer format even the softest tone may be too loud.
    guard let range, range.floor >= softest - 1e-6 else { return nil }
    return range
  }

  /// Thresholds that lie too close together to search a pitch among them.
  func narrow(_ curve: LevelCurve, _ ear: Ear) -> Failure {
    let parts = curve.parts.map { "\($0.lowerBound.shortText) to \($0.upperBound.shortText)" }
    return Failure(
      order.name.rawValue,
      found: "thresholds from \(English.list(parts, "and from")) Hz" + Self.words(curve.unheard)
        + Self.aside(turned(ear)),
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
      // Where the threshold lies above all that may be played, the loudest tone stands for it.
      let loudest = HearingLevel(min(MatchRange.greatestLevel, limit) - reference)
      let softest = reachable(ear, frequency)?.lowerBound ?? loudest
      let threshold = min(HearingLevel(thresholds.held(at: frequency)), loudest)
      return MatchRange(threshold: threshold, reference: reference, limit: limit, softest: softest)
        .map { (frequency: frequency, range: $0) }
    }
  }
}
