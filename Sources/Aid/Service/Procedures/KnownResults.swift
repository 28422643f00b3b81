import Acoustics
import Base
import Procedures

/// Results of former procedures with the same levels, newest first.
struct KnownResults: Sendable {
  private let records: [ProcedureSummary]

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
    self.records =
      records.filter {
        guard $0.ended != nil else { return false }
        return $0.beginning.hasLevels(of: calibration) && $0.beginning.hasSameVolume(as: volumes)
          && $0.beginning.age(at: now) <= Self.longestAge
      }
      .sorted { Self.time($0, now) > Self.time($1, now) }
  }

  /// Time of its beginning in the order of the records. A clock that was ahead wrote one of the future: it must not hide those that
  /// were made since.
  private static func time(_ record: ProcedureSummary, _ now: Double) -> Double {
    let began = record.beginning.at
    return began <= now ? began : now - longestAge * 86_400 - (began - now)
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

  /// The threshold of an ear at each frequency, for tones, by rising frequency; the frequencies at which it heard none, rising, Hz; and the
  /// newest record among those of the thresholds. A frequency whose answers contradict each other is neither.
  func audiogram(_ ear: Ear) -> (points: [Point], unheard: [Double], record: String?) {
    let tested = records.flatMap { thresholds($0, .tone) }.filter { $0.ear == ear }
    var points: [Point] = []
    var unheard: [Double] = []
    var sources: Set<String> = []
    for frequency in Set(tested.map(\.frequency)).sorted() {
      if let found = threshold(ear, .tone, at: frequency) {
        points.append(
          Point(frequency: frequency, level: found.level, reservation: found.reservation))
        sources.insert(found.record)
      } else if tested.contains(where: { $0.frequency == frequency && !$0.hasResponse && $0.level != nil })
      {
        unheard.append(frequency)
      }
    }
    return (points, unheard, records.lazy.map(\.beginning.identifier).first { sources.contains($0) })
  }

  /// Sensation level of the last loudness match in an ear, dB, 0 at least: at a tone below the threshold nobody can compare another one. A
  /// match at the softest tone tells nothing, for the true one may be silence.
  ///
  /// It is added to thresholds that are known now, so the match's own counts as it is known now; the one that the match went by may have been
  /// given, or measured anew since, and stands in where none is.
  ///
  /// - Parameter given: A threshold that counts at its frequency whatever was measured.
  func sensation(_ ear: Ear, above given: (frequency: Double, level: HearingLevel)? = nil) -> Double? {
    let matches = records.lazy.compactMap { $0.result?.loudness }.filter { $0.ear == ear }
    let telling = matches.filter { !$0.isAtLimit || $0.sensationLevel >= SensationLevel(0) }
    guard let last = telling.first else { return nil }
    let known =
      given?.frequency == last.frequency
      ? given?.level : threshold(ear, .tone, at: last.frequency)?.level
    return max(0, last.level - (known ?? last.threshold))
  }

  /// The last search for the masking level of the same noise.
  func masking(_ ear: Ear, _ signal: Stimulus.Signal, at frequency: Double) -> MaskingSummary? {
    records.lazy.compactMap { $0.result?.masking }
      .first {
        $0.ear == ear && $0.signal == signal && ($0.frequency == frequency || signal == .broadNoise)
      }
  }
}
