import Acoustics
import Glibc

/// A Bayesian search for a threshold: each tone lies where the threshold is believed to be, each answer changes the belief, and the
/// search ends once that is narrow enough.
///
/// The threshold T is the level heard half of the time by a listener of
///
///     P(heard | L) = g + (1 − g − l) / (1 + exp(−1.702 (L − T) / s))
///
/// with the guesses g and lapses l of ``ListenerModel`` (placement at the mean of the belief: Watson & Pelli 1983, QUEST, and
/// King-Smith et al. 1994, ZEST; from memory). The belief before the first tone is normal about 30 dB HL with 25 dB, which holds nearly all
/// audiograms and prefers none.
///
/// - Threads: any.
struct BayesianThreshold: ThresholdSearch, Hashable {
  /// dB HL, from the softest to the loudest tone that may be asked for.
  let limits: ClosedRange<Double>
  let model: ListenerModel
  private(set) var answers: [Answer] = []
  /// Belief in each of ``grid``; sums to 1.
  private var belief: [Double]

  /// A tone and what came of it.
  struct Answer: Sendable, Hashable, Codable {
    /// dB HL.
    let level: Double
    let isHeard: Bool
  }

  /// Thresholds that are thought possible, dB HL; beyond the limits of any audiometer, so that a threshold outside of those is found
  /// to be outside.
  private static let grid = Array(stride(from: -40.0, through: 140, by: 1))
  /// Mean and standard deviation before the first tone, dB HL.
  private static let prior = (mean: 30.0, deviation: 25.0)
  /// Standard deviation at which the search ends, dB, and the tones that it takes at least and at most. Own choices, by simulated
  /// listeners: nine tones on average at a spread of 4 dB.
  private static let (enough, least, most) = (3.0, 3, 30)
  /// Share of the belief that must lie beyond a limit for the threshold to count as out of reach. Own choice.
  private static let beyond = 0.9

  init(limits: ClosedRange<HearingLevel>, model: ListenerModel = .usual) {
    self.limits = limits.lowerBound.decibels...limits.upperBound.decibels
    self.model = model
    belief = Self.grid.map { exp(-0.5 * pow(($0 - Self.prior.mean) / Self.prior.deviation, 2)) }
    normalise()
  }

  var toneCount: Int { answers.count }

  var next: HearingLevel? {
    outcome == nil ? HearingLevel(min(max(mean.rounded(), limits.lowerBound), limits.upperBound)) : nil
  }

  var outcome: ThresholdOutcome? {
    guard answers.count >= Self.least else { return nil }
    if share({ $0 > limits.upperBound }) > Self.beyond, hasAsked(limits.upperBound) {
      return .noResponse(upTo: HearingLevel(limits.upperBound))
    }
    if share({ $0 < limits.lowerBound }) > Self.beyond, hasAsked(limits.lowerBound) {
      return .atFloor(HearingLevel(limits.lowerBound))
    }
    if deviation <= Self.enough, let narrow { return narrow }
    return answers.count >= Self.most ? .unsettled : nil
  }

  /// Outcome of a belief that is narrow enough; nil: it lies beyond a limit whose own tone has not been asked for yet.
  private var narrow: ThresholdOutcome? {
    let mean = mean
    if mean > limits.upperBound {
      return hasAsked(limits.upperBound) ? .noResponse(upTo: HearingLevel(limits.upperBound)) : nil
    }
    if mean < limits.lowerBound {
      return hasAsked(limits.lowerBound) ? .atFloor(HearingLevel(limits.lowerBound)) : nil
    }
    return .threshold(HearingLevel(mean))
  }

  private func hasAsked(_ level: Double) -> Bool { answers.contains { $0.level == level } }

  mutating func answer(isHeard: Bool) {
    guard let level = next?.decibels else { return }
    answers.append(Answer(level: level, isHeard: isHeard))
    for (index, threshold) in Self.grid.enumerated() {
      let heard = model.probability(ofHearing: level, threshold: threshold)
      belief[index] *= isHeard ? heard : 1 - heard
    }
    normalise()
  }

  // MARK: - The belief

  /// Mean of the belief, dB HL.
  var mean: Double { zip(belief, Self.grid).reduce(0) { $0 + $1.0 * $1.1 } }

  /// Standard deviation of the belief, dB.
  var deviation: Double {
    let mean = mean
    return zip(belief, Self.grid).reduce(0) { $0 + $1.0 * pow($1.1 - mean, 2) }.squareRoot()
  }

  /// The range, dB HL, in which the threshold lies with this probability, as much left out above as below.
  func interval(_ probability: Double) -> ClosedRange<Double> {
    let tail = (1 - probability) / 2
    return quantile(tail)...quantile(1 - tail)
  }

  private func quantile(_ share: Double) -> Double {
    var sum = 0.0
    for (index, part) in belief.enumerated() {
      // Each belief stands for its decibel, half below and half above.
      if sum + part >= share { return Self.grid[index] - 0.5 + (part > 0 ? (share - sum) / part : 0) }
      sum += part
    }
    return Self.grid[Self.grid.count - 1]
  }

  private func share(_ isMeant: (Double) -> Bool) -> Double {
    zip(belief, Self.grid).reduce(0) { isMeant($1.1) ? $0 + $1.0 : $0 }
  }

  private mutating func normalise() {
    let sum = belief.reduce(0, +)
    for index in belief.indices { belief[index] /= sum }
  }
}

/// A listener as a search imagines them.
///
/// - Threads: any.
public struct ListenerModel: Sendable, Hashable, Codable {
  /// Spread of the answers about the threshold, dB: about 2 to 4 for trained ears (from memory).
  public var spread: Double
  /// Share of tones far below the threshold that are called heard, and of those far above that are not.
  public var (guesses, lapses): (Double, Double)

  /// - Parameters:
  ///   - spread: dB, above 0.
  ///   - guesses: Share, 0…1.
  ///   - lapses: Share, 0…1.
  public init(spread: Double, guesses: Double, lapses: Double) {
    (self.spread, self.guesses, self.lapses) = (spread, guesses, lapses)
  }

  /// Own choice: between a listener who attends and one who misses one tone of twenty.
  public static let usual = ListenerModel(spread: 4, guesses: 0.03, lapses: 0.03)

  /// Probability of an answer "heard".
  ///
  /// - Parameters:
  ///   - level: Of the tone, dB HL.
  ///   - threshold: dB HL.
  public func probability(ofHearing level: Double, threshold: Double) -> Double {
    guesses + (1 - guesses - lapses) / (1 + exp(-1.702 * (level - threshold) / spread))
  }
}
