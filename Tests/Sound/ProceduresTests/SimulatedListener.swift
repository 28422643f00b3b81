import Acoustics
import CommonTesting
import Glibc

@testable import Procedures

/// A listener whose threshold and answers are known.
struct SimulatedListener {
  /// dB HL.
  var threshold: Double
  var model: ListenerModel
  var random: SeededGenerator

  mutating func hears(_ level: HearingLevel) -> Bool {
    Double.random(in: 0..<1, using: &random)
      < model.probability(ofHearing: level.decibels, threshold: threshold)
  }

  /// Answers until the search has ended.
  mutating func finish(_ search: inout some ThresholdSearch, atMost count: Int = 200) {
    while let level = search.next, search.toneCount < count { search.answer(isHeard: hears(level)) }
  }
}

/// Errors and tones of many searches.
struct SearchStatistics {
  var errors: [Double] = []
  var tones: [Double] = []
  var failures = 0

  /// Runs searches of listeners whose thresholds lie anywhere from 0 to 80 dB HL.
  init(_ model: ListenerModel, runs: Int, seed: UInt64, _ make: () -> some ThresholdSearch) {
    var random = SeededGenerator(seed)
    for _ in 0..<runs {
      let threshold = Double.random(in: 0...80, using: &random)
      var listener = SimulatedListener(threshold: threshold, model: model, random: random)
      var search = make()
      listener.finish(&search)
      random = listener.random
      tones.append(Double(search.toneCount))
      if case .threshold(let found) = search.outcome {
        errors.append(found.decibels - threshold)
      } else {
        failures += 1
      }
    }
  }

  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  static func deviation(_ values: [Double]) -> Double {
    let mean = mean(values)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }
}

extension SeededGenerator {
  /// A number of the normal distribution, mean 0 and standard deviation 1 (Box & Muller 1958).
  mutating func normal() -> Double {
    (-2 * log(Double.random(in: 1e-12...1, using: &self))).squareRoot()
      * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}
