import Acoustics
import Base
import Procedures

/// Results of former procedures with the same levels.
struct KnownResults: Sendable {
  /// Newest first, by their beginning: a hearing test that was gone on with has tones of that time.
  private let records: [ProcedureSummary]
  /// The same by their end: the last match, or search, is that which was finished last.
  private let finished: [ProcedureSummary]
  /// Records that count but for a volume control, which stood elsewhere, newest first.
  private let turned: [ProcedureSummary]
  private let volumes: [VolumeSetting]?

  /// Age up to which a threshold counts, days, from the beginning of its test: one that was gone on with has tones of that time. Own choice.
  static let longestAge = 180.0

  /// - Parameters:
  ///   - records: Of any procedures.
  ///   - calibration: Levels through another earphone are others.
  ///   - volumes: Volume controls of its card as they stand: with others levels are others too. Nil, by default: nobody can read them.
  ///   - now: s since 1970-01-01 UTC.
  init(
    _ records: [ProcedureSummary], calibration: OutputCalibration, volumes: [VolumeSetting]? = nil,
    now: Double
  ) {
    let all = records.filter {
      guard $0.ended != nil else { return false }
      return $0.beginning.hasLevels(of: calibration) && $0.beginning.age(at: now) <= Self.longestAge
    }
    .sorted { Self.time($0, now) > Self.time($1, now) }
    let own = all.filter { $0.beginning.hasSameVolume(as: volumes) }
    (self.records, self.volumes) = (own, volumes)
    finished = own.sorted { Self.end($0, now) > Self.end($1, now) }
    turned = all.filter { !$0.beginning.hasSameVolume(as: volumes) }
  }

  /// Time of its beginning in the order of the records. A clock that was ahead wrote one of the future: it must not hide those that
  /// were made since.
  private static func time(_ record: ProcedureSummary, _ now: Double) -> Double {
    let began = record.beginning.at
    return began <= now ? began : now - longestAge * 86_400 - (began - now)
  }

  /// Time of its end in the order of what was finished; of one by a clock that was ahead, that of its beginning as above.
  private static func end(_ record: ProcedureSummary, _ now: Double) -> Double {
    guard let ended = record.ended, ended <= now else { return time(record, now) }
    return ended
  }

  /// A tone's threshold holds for tones of any kind; a noise's for the same noise.
  private func isSame(_ a: Stimulus.Signal, _ b: Stimulus.Signal) -> Bool {
    a == b || (!a.isNoise && !b.isNoise)
  }

  private func thresholds(
    _ record: ProcedureSummary, _ signal: Stimulus.Signal
  ) -> [HearingTestSummary.Threshold] {
    guard case .hearingTest(let plan) = record.beginning.plan, isSame(plan.signal, signal) else {
      return []
    }
    let all = record.result?.hearingTest?.thresholds ?? []
    // One found without noise may be the other ear's, where it was searched again with noise.
    return all.filter { found in
      found.noise != nil
        || !all.contains { $0.noise != nil && $0.ear == found.ear && $0.frequency == found.frequency }
    }
  }

  /// True of an ear that noise in the other one showed not to hear the tone: no older threshold holds, for it may be the other ear's.
  private static func isDeaf(_ found: HearingTestSummary.Threshold) -> Bool {
    found.noise != nil && !found.hasResponse
  }

  /// The threshold at exactly this frequency, the record that has it, and reservations about it: the newest one, unless a newer test reached
  /// its level and nothing was heard.
  func threshold(
    _ ear: Ear, _ signal: Stimulus.Signal, at frequency: Double
  ) -> (level: HearingLevel, record: String, reservation: ThresholdReservation?)? {
    // The loudest that newer tests have tried in vain. One whose answers contradict each other has no level.
    var unheard = HearingLevel(-.infinity)
    for record in records {
      let found = thresholds(record, signal).filter { $0.ear == ear && $0.frequency == frequency }
      if let level = found.filter(\.hasResponse).compactMap(\.level).min() {
        guard level > unheard else { return nil }
        let lowest = found.filter { $0.hasResponse && $0.level == level }
        return (
          level, record.beginning.identifier, record.result?.hearingTest?.reservation(about: lowest)
        )
      }
      if found.contains(where: Self.isDeaf) { return nil }
      for level in found.filter({ !$0.hasResponse }).compactMap(\.level) { unheard = max(unheard, level) }
    }
    return nil
  }

  /// A threshold of an audiogram.
  struct Point {
    /// Hz.
    let frequency: Double
    let level: HearingLevel
    let reservation: ThresholdReservation?
  }

  /// A frequency at which an ear heard no tone.
  struct Silence {
    /// Hz.
    let frequency: Double
    /// True: by a doubt of the newest test that heard none the plug may have been out.
    let isInDoubt: Bool
  }

  /// The newest search for a tone at this frequency that heard none; nil: there is no such search.
  private func silence(_ ear: Ear, at frequency: Double) -> Silence? {
    for record in records {
      let silent = thresholds(record, .tone).filter {
        $0.ear == ear && $0.frequency == frequency && !$0.hasResponse && $0.level != nil
      }
      guard !silent.isEmpty else { continue }
      return Silence(
        frequency: frequency, isInDoubt: silent.contains { $0.isUnheardInDoubt == true })
    }
    return nil
  }

  /// The threshold of an ear at each frequency, for tones, by rising frequency; the frequencies at which it heard none, rising; and the
  /// newest record among those of the thresholds. A frequency whose answers contradict each other is neither.
  func audiogram(_ ear: Ear) -> (points: [Point], unheard: [Silence], record: String?) {
    let tested = records.flatMap { thresholds($0, .tone) }.filter { $0.ear == ear }
    var points: [Point] = []
    var unheard: [Silence] = []
    var sources: Set<String> = []
    for frequency in Set(tested.map(\.frequency)).sorted() {
      if let found = threshold(ear, .tone, at: frequency) {
        points.append(
          Point(frequency: frequency, level: found.level, reservation: found.reservation))
        sources.insert(found.record)
      } else if let silence = silence(ear, at: frequency) {
        unheard.append(silence)
      }
    }
    return (points, unheard, records.lazy.map(\.beginning.identifier).first { sources.contains($0) })
  }

  /// Distance of a loudness match from a threshold.
  struct Sensation {
    /// dB, 0 at least: at a tone below the threshold nobody can compare another one.
    let level: Double
    /// Frequency of the match, Hz.
    let frequency: Double
    /// dB HL.
    let match: HearingLevel
    /// About that threshold: a tone as far above another one is not known to be as loud as the match. Nil: there is none.
    let reservation: ThresholdReservation?

    /// True of a tone that is the match's: it is as loud as that, whatever the threshold is.
    func isMatch(_ frequency: Double, _ level: HearingLevel) -> Bool {
      // A level worked out there and back is the same but for its last digit.
      frequency == self.frequency && abs(level - match) < 1e-6
    }
  }

  /// Sensation level of the last loudness match in an ear. A match at the softest tone tells nothing, for the true one may be silence, and
  /// neither does one whose tone was not turned.
  ///
  /// It is added to thresholds that are known now, so the match's own counts as it is known now; the one that the match went by may have been
  /// given, or measured anew since, and stands in where none is.
  ///
  /// - Parameter given: A threshold that counts at its frequency whatever was measured.
  func sensation(_ ear: Ear, above given: (frequency: Double, level: HearingLevel)? = nil) -> Sensation? {
    let matches = finished.lazy.compactMap { $0.result?.loudness }.filter { $0.ear == ear }
    let telling = matches.filter {
      $0.isNotTurned != true && (!$0.isAtLimit || $0.sensationLevel >= SensationLevel(0))
    }
    guard let last = telling.first else { return nil }
    func above(_ threshold: HearingLevel, _ reservation: ThresholdReservation?) -> Sensation {
      Sensation(
        level: max(0, last.level - threshold), frequency: last.frequency, match: last.level,
        reservation: reservation)
    }
    if let given, given.frequency == last.frequency { return above(given.level, nil) }
    if let known = threshold(ear, .tone, at: last.frequency) {
      return above(known.level, known.reservation)
    }
    let reservation = ThresholdReservation(
      isOrBelow: last.isThresholdOrBelow == true, isInDoubt: last.isThresholdInDoubt == true)
    return above(last.threshold, reservation)
  }

  /// The last search for the masking level of the same noise.
  func masking(_ ear: Ear, _ signal: Stimulus.Signal, at frequency: Double) -> MaskingSummary? {
    finished.lazy.compactMap { $0.result?.masking }
      .first { Self.isSearch($0, ear, signal, at: frequency) }
  }

  private static func isSearch(
    _ search: MaskingSummary, _ ear: Ear, _ signal: Stimulus.Signal, at frequency: Double
  ) -> Bool {
    search.ear == ear && search.signal == signal
      && (search.frequency == frequency || signal == .broadNoise)
  }

  // MARK: - Results of another volume

  /// Reason for which a threshold does not count that would by all but the volume controls, a clause; nil: there is no such threshold.
  ///
  /// - Parameter isMeant: True of a frequency, Hz, at which one would help.
  func turnedThreshold(
    _ ear: Ear, _ signal: Stimulus.Signal, where isMeant: (Double) -> Bool
  ) -> String? {
    exclusion { record in
      thresholds(record, signal).contains { $0.ear == ear && $0.hasResponse && isMeant($0.frequency) }
    }
  }

  /// The same of a masking level.
  func turnedMasking(_ ear: Ear, _ signal: Stimulus.Signal, at frequency: Double) -> String? {
    exclusion { record in
      guard let search = record.result?.masking, search.level != nil else { return false }
      return Self.isSearch(search, ear, signal, at: frequency)
    }
  }

  private func exclusion(of isMeant: (ProcedureSummary) -> Bool) -> String? {
    guard let record = turned.first(where: isMeant),
      let difference = record.beginning.volumeDifference(of: volumes)
    else { return nil }
    return "one of \(Timestamp(record.beginning.at).day) does not count: \(difference)"
  }
}
