import Acoustics
import Base
import Procedures

/// Results of former procedures with the same levels, newest first.
struct KnownResults: Sendable {
  private let records: [ProcedureSummary]

  /// Age up to which a threshold counts, days. Own choice.
  static let longestAge = 180.0

  /// - Parameters:
  ///   - records: Of any procedures.
  ///   - calibration: Levels through another earphone are others.
  ///   - now: s since 1970-01-01 UTC.
  init(_ records: [ProcedureSummary], calibration: OutputCalibration, now: Double) {
    self.records =
      records.filter {
        guard let ended = $0.ended else { return false }
        return $0.beginning.hasLevels(of: calibration)
          && now - ended <= Self.longestAge * 86_400
      }
      .sorted { Self.time($0, now) > Self.time($1, now) }
  }

  /// Time of its end in the order of the records. A clock that was ahead wrote one of the future: it must not hide those that
  /// were made since.
  private static func time(_ record: ProcedureSummary, _ now: Double) -> Double {
    let ended = record.ended ?? 0
    return ended <= now ? ended : now - longestAge * 86_400 - (ended - now)
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

  /// The threshold at exactly this frequency, and the record that has it: the newest one, unless a newer test reached its level and nothing
  /// was heard.
  func threshold(
    _ ear: Ear, _ signal: Stimulus.Signal, at frequency: Double
  ) -> (level: HearingLevel, record: String)? {
    // The loudest that newer tests have tried in vain. One whose answers contradict each other has no level.
    var unheard = HearingLevel(-.infinity)
    for record in records {
      let found = thresholds(record, signal).filter { $0.ear == ear && $0.frequency == frequency }
      if let level = found.filter(\.hasResponse).compactMap(\.level).min() {
        guard level > unheard else { return nil }
        return (level, record.beginning.identifier)
      }
      if found.contains(where: Self.isDeaf) { return nil }
      for level in found.filter({ !$0.hasResponse }).compactMap(\.level) { unheard = max(unheard, level) }
    }
    return nil
  }

  /// The threshold of an ear at each frequency, for tones, by rising frequency; the frequencies at which it heard none, rising, Hz; and the
  /// newest record among those of the thresholds. A frequency whose answers contradict each other is neither.
  func audiogram(
    _ ear: Ear
  ) -> (points: [(frequency: Double, level: HearingLevel)], unheard: [Double], record: String?) {
    let tested = records.flatMap { thresholds($0, .tone) }.filter { $0.ear == ear }
    var points: [(frequency: Double, level: HearingLevel)] = []
    var unheard: [Double] = []
    var sources: Set<String> = []
    for frequency in Set(tested.map(\.frequency)).sorted() {
      if let found = threshold(ear, .tone, at: frequency) {
        points.append((frequency: frequency, level: found.level))
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

  /// The last minimum masking level of the same noise.
  func masking(_ ear: Ear, _ signal: Stimulus.Signal, at frequency: Double) -> HearingLevel? {
    records.lazy.compactMap { $0.result?.masking }
      .first {
        $0.ear == ear && $0.signal == signal && ($0.frequency == frequency || signal == .broadNoise)
      }?
      .level
  }
}
