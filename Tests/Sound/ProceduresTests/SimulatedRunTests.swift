import Acoustics
import Glibc
import Testing

@testable import Procedures
@testable import SimulatedListeners

@Suite("Numbers of a simulated run") struct SimulatedRunTests {
  @Test("a threshold at the softest tone is told to lie there or below; no response has its loudest tone")
  func ends() throws {
    let limits = try #require(
      HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90)))
    let frequencies = [1000.0, 4000]
    var test = HearingTest(
      HearingTestPlan(
        method: .hughsonWestlake, frequencies: frequencies,
        limits: Binaural(both: Dictionary(uniqueKeysWithValues: frequencies.map { ($0, limits) }))),
      seed: 1)
    // The right ear hears every tone, the left one none.
    while let trial = test.next {
      test.answer(trial.level != nil && trial.ear == .right ? .heard(after: 0.4) : .notHeard)
    }
    let run = SimulatedRun(HearingTestSummary(try #require(HearingTestResult(test))), 1)
    let found = run.figures.map { "\($0.name) \(Int($0.value)) \($0.unit)" }
    #expect(
      found == [
        "right_1000_hz -10 dB HL", "right_1000_hz_or_below 1 ", "right_4000_hz -10 dB HL",
        "right_4000_hz_or_below 1 ", "left_1000_hz_no_response_up_to 90 dB HL",
        "left_4000_hz_no_response_up_to 90 dB HL",
        // Not one tone was heard in the left ear.
        "doubts 1 ",
      ])
  }

  @Test("a pitch at an end of the tones is told as one, and another is not")
  func edge() throws {
    let points = [500.0, 8000].map {
      LevelCurve.Point(frequency: $0, level: HearingLevel(30), ceiling: HearingLevel(70))
    }
    let plan = PitchPlan(ear: .left, curve: try #require(LevelCurve(points)))
    for (pitch, value) in [(12_000.0, 1.0), (2000, 0)] {
      var procedure = ProcedurePlan.pitch(plan).begin(seed: 1)
      while let step = procedure.nextStep {
        let octaves = step.cues.compactMap(\.stimulus).map { abs(log2($0.frequency / pitch)) }
        _ = procedure.take(octaves[0] < octaves[1] ? .first : .second)
      }
      let found = try #require(procedure.result?.pitch)
      let run = SimulatedRun(found, of: plan, 1)
      #expect(run.figures.first { $0.name == "at_edge" }?.value == value)
      // From 2000 Hz both octaves lie within the tones; from the end the one above does not.
      #expect(run.figures.first { $0.name == "octave_above_uncompared" }?.value == value)
      #expect(run.figures.first { $0.name == "octave_below_uncompared" }?.value == 0)
    }
  }
}
