import Acoustics
import Procedures
import Testing

@testable import Service

/// Thresholds and masking levels that are no exact ones, or in doubt.
extension ProcedurePlanningTests {
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

  /// A loudness match of one trial in the left ear, which begins 5 dB above its threshold.
  func match(
    at frequency: Double, threshold: Double, _ turns: [Double], reservation: ThresholdReservation? = nil,
    began: Double = ProcedurePlanningTests.january + 10, ended: Double? = nil
  ) throws -> ProcedureSummary {
    let range = try #require(
      MatchRange(
        threshold: HearingLevel(threshold), reference: SoundPressureLevel(5.5),
        limit: SoundPressureLevel(110)))
    let plan = LoudnessPlan(
      ear: .left, frequency: frequency, range: range, trialCount: 1, reservation: reservation)
    var left = turns
    return try RecordedProcedure.summary(.loudness, .loudness(plan), at: began, ended: ended) { _ in
      left.isEmpty ? .accept : .turn(left.removeFirst())
    }
  }

  @Test(
    "sounds by a loudness match above a threshold that is no exact one are named, but at the frequency of the match, at which they are as loud as it"
  )
  func reservedMatch() throws {
    // The softest tone of −10 dB HL is heard at 1 kHz; no threshold of 2 kHz is known.
    let test = try RecordedProcedure.hearingTest([500: 20, 1000: -20, 4000: 30])
    let orBelow = ThresholdReservation(isOrBelow: true, isInDoubt: false)
    let cases: [(match: ProcedureSummary, pitch: [Double], at1000: [Double], at4000: [Double])] = [
      (try match(at: 1000, threshold: -10, [5]), [500, 4000], [], [4000]),
      (try match(at: 4000, threshold: 30, [5]), [1000], [1000], []),
      (
        try match(at: 2000, threshold: 20, [5], reservation: orBelow), [500, 1000, 4000], [1000], [4000]
      ),
      (try match(at: 2000, threshold: 20, [5]), [1000], [1000], []),
    ]
    for (match, pitch, at1000, at4000) in cases {
      func uncertain(_ name: ProcedureOrder.Name, at frequency: Double? = nil) throws -> [Double]? {
        var order = ProcedureOrder(name)
        (order.ear, order.frequency) = (.left, frequency)
        return try planning(order, records: [test, match]).plan().plan.uncertainFrequencies
      }
      for name in [ProcedureOrder.Name.pitch, .likeness] { #expect(try uncertain(name) == pitch) }
      #expect(try uncertain(.bandwidth, at: 1000) == at1000)
      #expect(try uncertain(.bandwidth, at: 4000) == at4000)
    }
    // A threshold that is given has no reservation.
    var order = ProcedureOrder(.bandwidth)
    (order.ear, order.frequency, order.threshold) = (.left, 1000, 0)
    let given = try planning(order, records: [test, cases[0].match]).plan().plan
    #expect(given.uncertainFrequencies == [])
  }

  @Test(
    "above a threshold in doubt a sound is named unless it is the match's own, as one that is held to the threshold is not, nor broad noise that is held by another one"
  )
  func doubtedMatch() throws {
    let test = try RecordedProcedure.hearingTest(
      [250: 10, 1000: 40, 4000: 55], pressesInSilence: true)
    // 10 dB below the threshold, from 5 dB above it; and 10 dB above.
    let (below, above) = (
      try match(at: 1000, threshold: 40, [-5, -5, -5]), try match(at: 4000, threshold: 55, [5])
    )
    for (match, pitch, bandwidth) in [(below, [1000, 4000], [1000]), (above, [1000], [4000])]
      as [(ProcedureSummary, [Double], [Double])]
    {
      for name in [ProcedureOrder.Name.pitch, .bandwidth] {
        var order = ProcedureOrder(name)
        (order.ear, order.frequency) = (.left, name == .bandwidth ? bandwidth[0] : nil)
        let plan = try planning(order, records: [test, match]).plan().plan
        #expect(plan.uncertainFrequencies == (name == .pitch ? pitch : bandwidth))
      }
    }
  }

  @Test(
    "frequencies that were not heard while the plug may have been out are told apart, by the newest test of them"
  )
  func unheardInDoubt() throws {
    let out = try RecordedProcedure.hearingTest([
      1000: 20, 3000: 20, 4000: 20, 6000: .infinity, 8000: .infinity,
    ])
    // 90 dB HL lie no more than 40 dB above these: nothing is in doubt.
    let sure = try RecordedProcedure.hearingTest(
      [3000: 55, 4000: 60, 6000: .infinity, 8000: .infinity], at: Self.january + 20)
    #expect(sure.result?.hearingTest?.doubts == [])
    // A person who presses too much heard nothing there all the same.
    let pressed = try RecordedProcedure.hearingTest(
      [3000: 55, 4000: 60, 6000: .infinity, 8000: .infinity], pressesInSilence: true,
      at: Self.january + 20)
    #expect(pressed.result?.hearingTest?.doubts.count == 1)
    // Not one tone was heard.
    let silent = try RecordedProcedure.hearingTest(
      [6000: .infinity, 8000: .infinity], at: Self.january + 40)
    var order = ProcedureOrder(.pitch)
    order.ear = .left
    for (records, expected) in [
      ([out], [6000, 8000]), ([out, sure], []), ([out, pressed], []), ([sure, out, silent], [6000, 8000]),
    ]
      as [([ProcedureSummary], [Double])]
    {
      let plan = try planning(order, records: records).plan().plan
      let curve = try #require(plan.pitchCurve)
      #expect(curve.unheard == [6000, 8000] && curve.unheardInDoubt == expected)
    }
  }

  /// A search for the masking level of broad noise in the left ear by somebody whose tinnitus vanishes at a level.
  func search(
    masking: Double, volumes: [VolumeSetting]? = nil, began: Double = ProcedurePlanningTests.january,
    ended: Double? = nil
  ) throws -> ProcedureSummary {
    let plan = MaskingPlan(
      ear: .left, signal: .broadNoise, frequency: 1000, range: RecordedProcedure.range)
    return try RecordedProcedure.summary(
      .masking, .masking(plan), volumes: volumes, at: began, ended: ended
    ) { step in
      (step.cues[0].stimulus?.level.decibels ?? 0) < masking ? .present : .absent
    }
  }

  @Test(
    "an inhibition behind a masking level or below tells that; behind an exact one it tells there is no such doubt, and of one that is given nothing"
  )
  func boundedInhibition() throws {
    // The noise's threshold is 10 dB HL.
    for (masking, given, expected) in [(5, nil, true), (20, nil, false), (5, 20, nil)]
      as [(Double, Double?, Bool?)]
    {
      var order = ProcedureOrder(.inhibition)
      (order.ear, order.threshold, order.masking) = (.left, 10, given)
      let plan = try planning(order, records: [try search(masking: masking)]).plan().plan
      var procedure = plan.begin(seed: 0)
      while let step = procedure.nextStep {
        let isTaken = procedure.take(
          step.question == .listening ? .ended : .rate(100, after: Double(step.number)))
        #expect(isTaken)
      }
      #expect(try #require(procedure.result?.inhibition).isMaskingOrBelow == expected)
    }
  }
}
