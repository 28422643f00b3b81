public import Acoustics
import Base

/// A hearing test of both ears: a pure machine that asks for trials and is told what came of them.
///
/// Its state is the plan, a seed and the responses so far: whoever keeps these resumes it after a crash, and from them alone the result
/// can be worked out again. A trial that was interrupted is asked for anew and stands in the record.
///
/// - Threads: any.
public struct HearingTest: Sendable {
  /// A tone, or a silence that is to be heard as one.
  public struct Trial: Sendable, Hashable, Codable {
    /// From 1.
    public let number: Int
    public let ear: Ear
    /// Hz.
    public let frequency: Double
    /// Nil: nothing sounds.
    public let level: HearingLevel?
    /// Silence before it, s.
    public let gap: Double
  }

  /// Outcome of a trial.
  public enum Response: Sendable, Hashable, Codable {
    /// The key was pressed this long after the beginning, s.
    case heard(after: Double)
    case notHeard
    /// Its sound was broken off, by noise in the room, a drop-out or a pause: it counts for nothing.
    case interrupted
  }

  public let plan: HearingTestPlan
  public let seed: UInt64
  /// All trials so far, each with its response.
  public private(set) var record: [(trial: Trial, response: Response)] = []
  /// The trial to be played and answered now; nil: finished.
  public private(set) var next: Trial?

  /// Searches of all ears that have ended, in their order.
  private(set) var found: [FoundThreshold] = []
  /// Ears and frequencies that are still to be searched.
  private var waiting: [(ear: Ear, frequency: Double)]
  private var search: Search?
  private var random: SeededNumbers

  /// - Parameters:
  ///   - seed: Of gaps, and of the places of silent trials.
  ///   - responses: Of a test that was left; it goes on behind them.
  public init(_ plan: HearingTestPlan, seed: UInt64, resuming responses: [Response] = []) {
    (self.plan, self.seed) = (plan, seed)
    random = SeededNumbers(seed: seed)
    waiting = plan.ears.flatMap { ear in plan.searches(of: ear).map { (ear, $0) } }
    advance()
    for response in responses { answer(response) }
  }

  /// Takes the response to ``next``. Does nothing once the test is finished.
  public mutating func answer(_ response: Response) {
    guard let trial = next else { return }
    record.append((trial, response))
    switch response {
    case .interrupted: return next = drawn(trial.ear, trial.frequency, trial.level)
    case .heard where trial.level != nil: search?.answer(isHeard: true)
    case .notHeard where trial.level != nil: search?.answer(isHeard: false)
    case .heard, .notHeard: break
    }
    advance()
  }

  /// Share of the searches that have ended, 0…1.
  public var progress: Double {
    let count = plan.ears.reduce(0) { $0 + plan.searches(of: $1).count }
    return count == 0 ? 1 : Double(found.count) / Double(count)
  }

  // MARK: - The next trial

  private mutating func advance() {
    while true {
      if let search, let level = search.next {
        let (ear, frequency) = (search.ear, search.frequency)
        let isSilent = Double.random(in: 0..<1, using: &random) < plan.catchShare
        return next = drawn(ear, frequency, isSilent ? nil : level)
      }
      if let ended = search?.found {
        found.append(ended)
        if isRetestInDoubt(ended.ear) { waiting.insert((ended.ear, ended.frequency), at: 0) }
      }
      search = nil
      guard !waiting.isEmpty else { return next = nil }
      let (ear, frequency) = waiting.removeFirst()
      guard let limits = plan.limits[ear][frequency] else { continue }
      search = Search(plan.method, ear, frequency, limits, beside: neighbour(of: frequency, ear))
    }
  }

  /// True when the frequency that is tested twice has differed once: a third search tells chance from a drift.
  private func isRetestInDoubt(_ ear: Ear) -> Bool {
    let retest = Retest(of: ear, in: found)
    return retest.levels.count == 2 && retest.difference > HearingTestResult.greatestDifference
  }

  private mutating func drawn(_ ear: Ear, _ frequency: Double, _ level: HearingLevel?) -> Trial {
    Trial(
      number: record.count + 1, ear: ear, frequency: frequency, level: level,
      gap: Double.random(in: plan.gap, using: &random))
  }

  /// Threshold found last in this ear, from which the next one is not far as a rule.
  private func neighbour(of frequency: Double, _ ear: Ear) -> HearingLevel? {
    guard let last = found.last(where: { $0.ear == ear }), case .threshold(let level) = last.outcome else {
      return nil
    }
    return level
  }
}

/// A search of the test, by whichever method.
private struct Search: Sendable {
  let ear: Ear
  let frequency: Double
  private var searching: any ThresholdSearch

  init(
    _ method: HearingTestPlan.Method, _ ear: Ear, _ frequency: Double, _ limits: HearingTestPlan.Limits,
    beside neighbour: HearingLevel?
  ) {
    (self.ear, self.frequency) = (ear, frequency)
    let range = limits.lowest...limits.highest
    searching =
      switch method {
      // 10 dB above the threshold found before, so that the first tone is heard (own choice).
      case .hughsonWestlake:
        HughsonWestlake(start: neighbour.map { $0 + 10 } ?? HughsonWestlake.usualStart, limits: range)
      case .bayesian: BayesianThreshold(limits: range)
      }
  }

  var next: HearingLevel? { searching.next }

  mutating func answer(isHeard: Bool) { searching.answer(isHeard: isHeard) }

  /// Nil until it has ended.
  var found: FoundThreshold? {
    searching.outcome.map {
      FoundThreshold(
        ear: ear, frequency: frequency, outcome: $0, toneCount: searching.toneCount,
        interval: (searching as? BayesianThreshold)?.interval(0.9))
    }
  }
}

/// Thresholds of the frequency that an ear is tested at more than once.
struct Retest {
  /// dB HL, in the order of the searches; those that say nothing are left out.
  let levels: [Double]

  init(of ear: Ear, in found: [FoundThreshold]) {
    let own = found.filter { $0.ear == ear }
    levels = own.filter { $0.frequency == own.first?.frequency }.compactMap { $0.outcome.level?.decibels }
  }

  /// Distance of the first one from the mean of the others, dB; 0 where there are none.
  var difference: Double {
    guard let first = levels.first, levels.count > 1 else { return 0 }
    return abs(levels.dropFirst().reduce(0, +) / Double(levels.count - 1) - first)
  }
}

/// Threshold of one ear at one frequency, as a test found it.
///
/// - Threads: any.
public struct FoundThreshold: Sendable, Hashable {
  public let ear: Ear
  /// Hz.
  public let frequency: Double
  public let outcome: ThresholdOutcome
  public let toneCount: Int
  /// Range that holds the threshold with a probability of 90 %, dB HL; nil: the method tells none.
  public let interval: ClosedRange<Double>?
}
