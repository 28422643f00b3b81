import Acoustics
import Base
import Procedures

/// Results of former procedures with the same calibration, newest first.
struct KnownResults: Sendable {
  private let records: [ProcedureSummary]

  /// Age up to which a threshold counts, days (TinniTrack's study; facts: tinnitus-study).
  static let longestAge = 180.0

  /// - Parameters:
  ///   - records: Of any procedures.
  ///   - calibration: Levels through another earphone are others.
  ///   - now: s since 1970-01-01 UTC.
  init(_ records: [ProcedureSummary], calibration: OutputCalibration, now: Double) {
    self.records =
      records.filter {
        guard let ended = $0.ended else { return false }
        return $0.beginning.calibration == calibration && now - ended <= Self.longestAge * 86_400
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

  /// True of an ear that noise in the other one showed not to hear the tone: no threshold found without noise holds.
  private static func isDeaf(_ found: HearingTestSummary.Threshold) -> Bool {
    found.noise != nil && !found.hasResponse
  }

  /// The threshold at exactly this frequency, and the record that has it.
  func threshold(
    _ ear: Ear, _ signal: Stimulus.Signal, at frequency: Double
  ) -> (level: HearingLevel, record: String)? {
    for record in records {
      let found = thresholds(record, signal).filter { $0.ear == ear && $0.frequency == frequency }
      let levels = found.filter(\.hasResponse).compactMap(\.level)
      if let level = levels.min() { return (level, record.beginning.identifier) }
      if found.contains(where: Self.isDeaf) { return nil }
    }
    return nil
  }

  /// The newest threshold of an ear at each frequency, for tones, and the newest record among them.
  func audiogram(_ ear: Ear) -> (points: [(frequency: Double, level: HearingLevel)], record: String?) {
    // Nil: the ear does not hear it.
    var points: [Double: HearingLevel?] = [:]
    var source: String?
    for record in records {
      var own: [Double: HearingLevel] = [:]
      let all = thresholds(record, .tone).filter { $0.ear == ear }
      for found in all where found.hasResponse {
        guard let level = found.level else { continue }
        own[found.frequency] = min(level, own[found.frequency] ?? level)
      }
      if !own.isEmpty { source = source ?? record.beginning.identifier }
      points.merge(own.mapValues(Optional.some)) { newer, _ in newer }
      for deaf in all where Self.isDeaf(deaf) && points[deaf.frequency] == nil {
        points.updateValue(nil, forKey: deaf.frequency)
      }
    }
    return (points.compactMap { frequency, level in level.map { (frequency, $0) } }, source)
  }

  /// Sensation level of the last loudness match in an ear, dB.
  func sensation(_ ear: Ear) -> Double? {
    records.lazy.compactMap { $0.result?.loudness }.first { $0.ear == ear }?.sensationLevel.decibels
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
