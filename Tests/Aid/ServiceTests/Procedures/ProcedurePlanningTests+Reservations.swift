import Acoustics
import Base
import CommonTesting
import Control
import Procedures
import Testing

@testable import Service

/// Thresholds and masking levels that are no exact ones, or none at all, and their age.
extension ProcedurePlanningTests {
  private static let day = 86_400.0
  private static let january = 1_790_000_000.0

  /// A hearing test of the left ear by somebody who presses at each trial, from a softest tone on.
  private func pressed(
    lowest: Double, rules: Int? = HearingTestPlan.presentRules
  ) throws -> ProcedureSummary {
    let limits = try #require(
      HearingTestPlan.Limits(lowest: HearingLevel(lowest), highest: HearingLevel(90)))
    var plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.left], frequencies: [1000], limits: Binaural(both: [1000: limits]))
    plan.rules = rules
    return try RecordedProcedure.summary(.hearingTest, .hearingTest(plan)) { _ in .heard(after: 0.4) }
  }

  @Test(
    "a match knows whether its threshold is one or below, or in doubt, and tells both; of one that is given neither"
  )
  func reservations() throws {
    // The softest tone of −10 dB HL is heard at 1 kHz.
    let test = try RecordedProcedure.hearingTest([500: 20, 1000: -20, 4000: 30])
    let orBelow = ThresholdReservation(isOrBelow: true, isInDoubt: false)
    #expect(test.result?.hearingTest?.doubts == [])
    func known(_ record: ProcedureSummary) -> KnownResults {
      KnownResults([record], calibration: RecordedProcedure.calibration, now: Self.january + Self.day)
    }
    #expect(known(test).threshold(.left, .tone, at: 1000)?.reservation == orBelow)
    let exact = try #require(known(test).threshold(.left, .tone, at: 4000))
    #expect(exact.reservation == nil && exact.level == HearingLevel(30))
    let doubted = try #require(try known(pressed(lowest: -10)).threshold(.left, .tone, at: 1000))
    #expect(doubted.reservation == ThresholdReservation(isOrBelow: true, isInDoubt: true))
    // By the second rules nothing told which threshold a doubt is about, so that of a softest tone of 26 dB HL counts.
    let former = try #require(try known(pressed(lowest: 26, rules: 2)).threshold(.left, .tone, at: 1000))
    #expect(former.reservation == ThresholdReservation(isOrBelow: true, isInDoubt: true))

    func loudness(_ given: Double?, at frequency: Double) throws -> LoudnessSummary {
      var order = ProcedureOrder(.loudness)
      (order.ear, order.frequency, order.threshold, order.trials) = (.left, frequency, given, 1)
      var match = try planning(order, records: [test]).plan().plan.begin(seed: 0)
      for answer in [ProcedureAnswer.turn(5), .accept] {
        let isTaken = match.take(answer)
        #expect(isTaken)
      }
      return try #require(match.result?.loudness)
    }
    for (given, frequency, isOrBelow) in [(nil, 1000, true), (nil, 4000, false), (0, 1000, false)]
      as [(Double?, Double, Bool)]
    {
      let found = try loudness(given, at: frequency)
      #expect(found.isThresholdOrBelow == isOrBelow && found.isThresholdInDoubt == false)
      #expect(found.sensationLevel == SensationLevel(10) && found.isNotTurned == false)
    }
    // Tones of a pitch go by both thresholds, sounds of a bandwidth by the one at their frequency.
    for (name, frequency, expected) in [
      (.pitch, nil, [1000]), (.likeness, nil, [1000]), (.bandwidth, 1000, [1000]), (.bandwidth, 4000, []),
    ] as [(ProcedureOrder.Name, Double?, [Double])] {
      var order = ProcedureOrder(name)
      (order.ear, order.frequency) = (.left, frequency)
      let plan = try planning(order, records: [test]).plan().plan
      #expect(plan.uncertainFrequencies == expected, "\(name)")
    }
  }

  @Test("masking levels tell that the noise's threshold is one or below, as levels of loudness do")
  func maskingReservation() throws {
    let limits = try #require(
      HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90)))
    let plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.left], frequencies: [1000], limits: Binaural(both: [1000: limits]),
      signal: .narrowNoise)
    let test = try RecordedProcedure.summary(.hearingTest, .hearingTest(plan)) { step in
      step.cues[0].stimulus == nil ? .notHeard : .heard(after: 0.4)
    }
    var order = ProcedureOrder(.masking)
    (order.ear, order.frequency, order.signal) = (.left, 1000, .narrowNoise)
    var search = try planning(order, records: [test]).plan().plan.begin(seed: 0)
    // Masked by the first noise of each rise, at the threshold.
    while search.nextStep != nil {
      let isTaken = search.take(.absent)
      #expect(isTaken)
    }
    let found = try #require(search.result?.masking)
    #expect(found.level == HearingLevel(-10) && found.isLevelOrBelow == true)
    #expect(found.isThresholdOrBelow == true && found.isThresholdInDoubt == false)
  }

  @Test("a test that was gone on with is as old as its beginning: its first tones are")
  func ageOfBeginning() throws {
    let folder = TemporaryFolder()
    var lines = try RecordedProcedure.lines(.hearingTest, RecordedProcedure.plans[0].1, at: Self.january)
    guard case .end(let result, _)? = lines.popLast() else {
      Issue.record("no end")
      return
    }
    lines.append(.end(result, at: Self.january + 20 * Self.day))
    try WholeFile.save(
      try lines.flatMap { try JSON.bytes($0) + [UInt8(ascii: "\n")] }, to: folder.file("r.jsonl"))
    let record = try ProcedureSummary(at: folder.file("r.jsonl"))
    for (days, counts) in [(179.0, true), (181, false)] {
      let known = KnownResults(
        [record], calibration: RecordedProcedure.calibration, now: Self.january + days * Self.day)
      #expect((known.threshold(.left, .tone, at: 1000) != nil) == counts)
    }
    // A test of the days between is newer, whichever ended last.
    let between = try RecordedProcedure.hearingTest([1000: 65], at: Self.january + 10 * Self.day)
    let both = KnownResults(
      [between, record], calibration: RecordedProcedure.calibration, now: Self.january + 30 * Self.day)
    #expect(both.threshold(.left, .tone, at: 1000)?.level == HearingLevel(65))
  }

  @Test(
    "behind a search in which no noise masked, inhibition is refused by that, and not sent to search first")
  func unmaskedInhibition() throws {
    func search(_ answer: ProcedureAnswer, at began: Double) throws -> ProcedureSummary {
      let plan = MaskingPlan(
        ear: .left, signal: .broadNoise, frequency: 1000, range: RecordedProcedure.range)
      return try RecordedProcedure.summary(.masking, .masking(plan), at: began) { _ in answer }
    }
    var order = ProcedureOrder(.inhibition)
    (order.ear, order.threshold) = (.left, 10)
    let (masked, unmasked) = (
      try search(.absent, at: Self.january), try search(.present, at: Self.january + 30)
    )
    let failure = #expect(throws: Failure.self) {
      try planning(order, records: [masked, unmasked]).plan()
    }
    #expect(
      failure?.message
        == "inhibition: no noise which may be played masked the tinnitus in the last search, expected a minimum masking "
        + "level of this ear and noise. Try another noise, --signal narrow-noise for example, or search once more: "
        + "auricle match masking")
    // A log is told nothing of the tinnitus.
    #expect(failure?.logMessage == "inhibition: found no minimum masking level.")
    // A newer search that found one counts, and so does a level that is given.
    let again = try search(.absent, at: Self.january + 60)
    #expect(throws: Never.self) { try planning(order, records: [unmasked, again]).plan() }
    order.masking = 20
    #expect(throws: Never.self) { try planning(order, records: [unmasked]).plan() }
  }
}
