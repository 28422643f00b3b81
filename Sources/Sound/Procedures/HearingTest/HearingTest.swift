public import Acoustics
import Base
import Glibc

/// A hearing test of both ears: a pure machine that asks for trials and is told what came of them.
///
/// Its state is the plan, a seed and the responses so far: whoever keeps these resumes it after a crash, and from them alone the result
/// can be worked out again. A trial that was interrupted is asked for anew and stands in the record.
///
/// Where the ears differ so much that one may have heard the other's tones, these are searched again at the end, with noise in the ear that is
/// not tested (``HearingTestPlan/attenuation``).
///
/// - Threads: any.
public struct HearingTest: Sendable {
  /// A tone, or a silence that is to be heard as one.
  public struct Trial: Sendable, Hashable, Codable {
    /// From 1.
    public let number: Int
    /// Ear that is tested.
    public let ear: Ear
    /// Hz.
    public let frequency: Double
    /// Nil: nothing sounds.
    public let level: HearingLevel?
    /// Silence before it, s.
    public let gap: Double
    /// Effective level of narrow-band noise about the frequency in the ear opposite, which sounds with the tone and with a silence; nil: none.
    public let noise: HearingLevel?
  }

  /// Outcome of a trial.
  public enum Response: Sendable, Hashable, Codable {
    /// The key was pressed this long after the beginning, s.
    case heard(after: Double)
    case notHeard
    /// Its sound was broken off, by noise in the room, a drop-out or a pause: it counts for nothing.
    case interrupted
  }

  /// Octaves within which a threshold tells where another one lies, and the loudest first tone by one that is further
  /// away (own choices): a loss that slopes may lie 80 dB higher at 8 kHz than at 500 Hz.
  private static let (neighbourhood, greatestDistantStart) = (1.0, HearingLevel(60))
  /// Silences that a plan may ask for, s: one that was read from a file may ask for anything.
  private static let gaps = 0.0...60

  let plan: HearingTestPlan
  let seed: UInt64
  /// All trials so far, each with its response.
  public private(set) var record: [(trial: Trial, response: Response)] = []
  /// The trial to be played and answered now; nil: finished.
  public private(set) var next: Trial?

  /// Searches of all ears that have ended, in their order.
  private(set) var found: [FoundThreshold] = []
  /// Ears and frequencies that are still to be searched.
  private var waiting: [(ear: Ear, frequency: Double)]
  /// Thresholds that are still to be searched with noise; nil: those without noise have not ended.
  private var crossHeard: [CrossHearing]?
  private var search: EarSearch?
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
    case .interrupted: return next = drawn(trial.ear, trial.frequency, trial.level, trial.noise)
    case .heard where trial.level != nil: search?.answer(isHeard: true)
    case .notHeard where trial.level != nil: search?.answer(isHeard: false)
    case .heard, .notHeard: break
    }
    advance()
  }

  /// Share of the searches that have ended, 0…1, of those known of: what has to be searched again is added when it is found.
  public var progress: Double {
    let count = found.count + waiting.count + (crossHeard?.count ?? 0) + (search == nil ? 0 : 1)
    return count == 0 ? 1 : Double(found.count) / Double(count)
  }

  // MARK: - The next trial

  private mutating func advance() {
    while true {
      if let search, let (level, noise) = search.next {
        let isSilent = Double.random(in: 0..<1, using: &random) < plan.catchShare
        return next = drawn(search.ear, search.frequency, isSilent ? nil : level, noise)
      }
      if let ended = search?.found {
        found.append(ended)
        if ended.masking == .none, isRetestInDoubt(ended.ear) {
          waiting.insert((ended.ear, ended.frequency), at: 0)
        }
      }
      search = nil
      if !waiting.isEmpty {
        let (ear, frequency) = waiting.removeFirst()
        search = EarSearch(plan, ear, frequency, from: start(frequency, ear))
      } else if !beginMasked() {
        return next = lackingSilence()
      }
    }
  }

  /// A silence behind the last tone where too few were drawn to tell a key that is always pressed; nil: there were enough.
  private mutating func lackingSilence() -> Trial? {
    guard !plan.hasFormerDoubts, plan.catchShare > 0, let last = record.last?.trial else { return nil }
    let silences = record.count { $0.trial.level == nil && $0.response != .interrupted }
    return silences < HearingTestResult.leastSilences
      ? drawn(last.ear, last.frequency, nil, nil) : nil
  }

  /// Begins the next search with noise.
  ///
  /// - Returns: False where there is none left.
  private mutating func beginMasked() -> Bool {
    var open = crossHeard ?? (plan.canMask ? CrossHearing.all(in: found, of: plan) : [])
    let first = open.isEmpty ? nil : open.removeFirst()
    crossHeard = open
    guard let first else { return false }
    search = EarSearch(plan, first.ear, first.frequency, from: nil, against: first)
    return true
  }

  /// True when the frequency that is tested twice has differed once: a third search tells chance from a drift.
  private func isRetestInDoubt(_ ear: Ear) -> Bool {
    let retest = Retest(of: ear, in: found)
    return retest.searchCount == 2 && retest.difference > HearingTestResult.greatestDifference
  }

  private mutating func drawn(
    _ ear: Ear, _ frequency: Double, _ level: HearingLevel?, _ noise: HearingLevel?
  ) -> Trial {
    Trial(
      number: record.count + 1, ear: ear, frequency: frequency, level: level,
      gap: Double.random(in: plan.gap.clamped(to: Self.gaps), using: &random), noise: noise)
  }

  /// Level of a search's first tone: somewhat above the threshold of this ear that was found nearest, at the frequency
  /// itself where that is tested again; of two that are as near above the lower one. Nil: none was found.
  private func start(_ frequency: Double, _ ear: Ear) -> HearingLevel? {
    let own = found.filter { $0.ear == ear && $0.masking == .none }
    if plan.hasFirstRules {
      guard let last = own.last, case .threshold(let level) = last.outcome else { return nil }
      return level + EarSearch.startDistance
    }
    let thresholds = own.compactMap { found -> (octaves: Double, level: HearingLevel)? in
      // At the floor the threshold lies there or below, so no tone above it need be louder.
      let level: HearingLevel
      switch found.outcome {
      case .threshold(let known), .atFloor(let known): level = known
      case .noResponse, .unsettled: return nil
      }
      return (abs(log2(found.frequency / frequency)), level)
    }
    guard let nearest = thresholds.min(by: { ($0.octaves, $0.level) < ($1.octaves, $1.level) }) else {
      return nil
    }
    let start = nearest.level + EarSearch.startDistance
    return nearest.octaves <= Self.neighbourhood ? start : min(start, Self.greatestDistantStart)
  }
}
