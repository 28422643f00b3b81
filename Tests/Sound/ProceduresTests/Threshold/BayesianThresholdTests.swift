import Acoustics
import CommonTesting
import SimulatedListeners
import Testing

@testable import Procedures

@Suite("Bayesian threshold") struct BayesianThresholdTests {
  private static let limits = HearingLevel(-10)...HearingLevel(120)

  @Test("the first tone lies at the mean of all audiograms, and a heard one leads down, a missed one up")
  func begin() {
    var search = BayesianThreshold(limits: Self.limits)
    #expect(search.next == HearingLevel(30))
    search.answer(isHeard: true)
    #expect((search.next ?? HearingLevel(30)) < HearingLevel(30))
    var other = BayesianThreshold(limits: Self.limits)
    other.answer(isHeard: false)
    #expect((other.next ?? HearingLevel(30)) > HearingLevel(30))
  }

  @Test(
    "deviation at most 3 dB at a spread of 4 dB with 1 % lapses, 3.5 with 5 %, bias at most 1 dB, at most nine tones, and intervals of 90 % hold 90 ± 3 %",
    arguments: [(0.01, 3.0), (0.05, 3.5)])
  func simulated(error: Double, greatest: Double) {
    let model = ListenerModel(spread: 4, guesses: error, lapses: error)
    var random = SeededGenerator(2)
    var (errors, tones, held) = ([Double](), [Double](), 0)
    let runs = 2000
    for _ in 0..<runs {
      let threshold = Double.random(in: 0...80, using: &random)
      var listener = SimulatedListener(threshold: threshold, model: model, random: random)
      var search = BayesianThreshold(limits: Self.limits)
      listener.finish(&search)
      random = listener.random
      errors.append(search.mean - threshold)
      tones.append(Double(search.toneCount))
      if search.interval(0.9).contains(threshold) { held += 1 }
    }
    #expect(SearchStatistics.deviation(errors) <= greatest)
    #expect(abs(SearchStatistics.mean(errors)) <= 1)
    #expect(SearchStatistics.mean(tones) <= 9)
    #expect(abs(Double(held) / Double(runs) - 0.9) <= 0.03)
  }

  @Test("a threshold beyond a limit is no response, or at the softest tone or below, which was asked for")
  func beyond() {
    let limits = HearingLevel(0)...HearingLevel(90)
    var random = SeededGenerator(3)
    var (above, below) = (0, 0)
    for _ in 0..<500 {
      // So near to a limit that the belief is narrow before nine tenths of it lie beyond.
      for threshold in [-1.0, 91] {
        var listener = SimulatedListener(threshold: threshold, model: .usual, random: random)
        var search = BayesianThreshold(limits: limits)
        listener.finish(&search)
        random = listener.random
        switch search.outcome {
        case .threshold(let level): #expect(limits.contains(level))
        case .noResponse(let level):
          above += 1
          #expect(level == limits.upperBound && search.answers.contains { $0.level == 90 })
        case .atFloor(let level):
          below += 1
          #expect(level == limits.lowerBound && search.answers.contains { $0.level == 0 })
        case .unsettled, nil: break
        }
      }
    }
    #expect(above > 0 && below > 0)
  }

  @Test("who never responds ends at the ceiling, who always responds at the softest tone")
  func ends() {
    var silent = BayesianThreshold(limits: HearingLevel(-10)...HearingLevel(90))
    while silent.next != nil { silent.answer(isHeard: false) }
    #expect(silent.outcome == .noResponse(upTo: HearingLevel(90)) && silent.toneCount <= 15)
    var always = BayesianThreshold(limits: Self.limits)
    while always.next != nil { always.answer(isHeard: true) }
    #expect(always.outcome == .atFloor(HearingLevel(-10)) && always.toneCount <= 15)
  }
}
