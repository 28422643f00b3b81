import Acoustics
import CommonTesting
import SimulatedListeners

@testable import Procedures

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
