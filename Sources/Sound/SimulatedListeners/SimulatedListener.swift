import Acoustics
import Base
import Glibc
import Procedures

/// A listener whose threshold and answers are known.
///
/// A tone of L dB HL is called heard with the probability
///
///     g + (1 − g − l) / (1 + exp(−1.702 (L − T) / s))
///
/// of ``ListenerModel``: the logistic form of the psychometric function with guesses g and lapses l (Watson & Pelli 1983; from memory); 1.702 makes s the
/// standard deviation of the normal distribution that it stands for, within 0.01 (Haley 1952; from memory).
///
/// - Threads: any, one at a time.
package struct SimulatedListener: Sendable {
  /// dB HL.
  package var threshold: Double
  package var model: ListenerModel
  package var random: SeededNumbers

  package init(threshold: Double, model: ListenerModel, random: SeededNumbers) {
    (self.threshold, self.model, self.random) = (threshold, model, random)
  }

  /// Answer to a tone.
  ///
  /// - Parameter level: Nil: a silence, which is called heard as often as the listener guesses.
  package mutating func hears(_ level: HearingLevel?) -> Bool {
    let probability =
      level.map { model.probability(ofHearing: $0.decibels, threshold: threshold) } ?? model.guesses
    return Double.random(in: 0..<1, using: &random) < probability
  }

  /// Answers until the search has ended.
  package mutating func finish(_ search: inout some ThresholdSearch, atMost count: Int = 200) {
    while let level = search.next, search.toneCount < count { search.answer(isHeard: hears(level)) }
  }
}

extension ListenerModel {
  /// Listeners of the table in docs/procedures.md, by whom searches for a threshold are judged: practised, usual, inattentive, vague.
  package static let simulated = [
    ListenerModel(spread: 2, guesses: 0.01, lapses: 0.01),
    ListenerModel(spread: 4, guesses: 0.01, lapses: 0.01),
    ListenerModel(spread: 4, guesses: 0.05, lapses: 0.05),
    ListenerModel(spread: 6, guesses: 0.02, lapses: 0.02),
  ]
}

extension SeededNumbers {
  /// A number of the normal distribution, mean 0 and standard deviation 1 (Box & Muller 1958).
  package mutating func normal() -> Double {
    (-2 * log(Double.random(in: 1e-12...1, using: &self))).squareRoot()
      * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}
