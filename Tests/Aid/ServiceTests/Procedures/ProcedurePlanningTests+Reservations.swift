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
    let again = try search(.absent, at: Self.january + 50)
    #expect(throws: Never.self) { try planning(order, records: [unmasked, again]).plan() }
    order.masking = 20
    #expect(throws: Never.self) { try planning(order, records: [unmasked]).plan() }
  }

  /// A loudness match of one trial in the left ear, which begins 5 dB above its threshold.
  private func match(
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
    "a loudness match whose tone was not turned sets no level: the one before it counts, or the usual one")
  func notTurnedMatch() throws {
    let test = try RecordedProcedure.hearingTest([500: 20, 1000: 20, 4000: 30])
    // 15 dB above the threshold; a later one as it began, 5 dB above.
    let turned = try match(at: 1000, threshold: 20, [5, 5])
    let unturned = try match(at: 1000, threshold: 20, [], began: Self.january + 40)
    #expect(unturned.result?.loudness?.isNotTurned == true)
    for (records, sensation) in [([turned, unturned], 15), ([unturned], 10)]
      as [([ProcedureSummary], Double)]
    {
      var order = ProcedureOrder(.pitch)
      order.ear = .left
      let plan = try planning(order, records: [test] + records).plan().plan
      let curve = try #require(plan.pitchCurve)
      #expect(abs(curve.level(at: 1000).decibels - (20 + sensation)) < 1e-9)
      #expect(abs(curve.level(at: 4000).decibels - (30 + sensation)) < 1e-9)
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
  private func search(
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

  @Test("the last match and the last search are those that were finished last, whichever began last")
  func finishedLast() throws {
    let (begun, between) = (Self.january, Self.january + 5 * Self.day)
    let now = Self.january + 7 * Self.day
    func known(_ records: [ProcedureSummary]) -> KnownResults {
      KnownResults(records, calibration: RecordedProcedure.calibration, now: now)
    }
    let found = try search(masking: 20, began: begun, ended: Self.january + 6 * Self.day)
    let unmasked = try search(masking: .infinity, began: between)
    #expect(known([found, unmasked]).masking(.left, .broadNoise, at: 1000)?.level == HearingLevel(20))
    let (soft, loud) = (
      try match(at: 1000, threshold: 20, [5], began: between),
      try match(at: 1000, threshold: 20, [5, 5], began: begun, ended: Self.january + 6 * Self.day)
    )
    #expect(known([soft, loud]).sensation(.left)?.level == 15)
    // A clock that was ahead at the end hides nothing that was finished since.
    let ahead = try match(
      at: 1000, threshold: 20, [5, 5, 5], began: begun, ended: Self.january + 300 * Self.day)
    #expect(known([soft, loud, ahead]).sensation(.left)?.level == 15)
  }

  private func master(_ gain: Double) -> [VolumeSetting] {
    [VolumeSetting(control: "Master", gain: Binaural(both: gain), isOn: true)]
  }

  @Test("where a threshold or a masking level does not count for the volume alone the refusal says so")
  func otherVolumeRefusal() throws {
    let test = try RecordedProcedure.hearingTest([500: 20, 1000: 20, 4000: 30], volumes: master(-20))
    let records = [test, try search(masking: 20, volumes: master(-20))]
    let reason =
      "(one of \(Timestamp(Self.january).day) does not count: the volume control Master stands at −15 dB, and it was begun at "
      + "−20 dB)"
    var (loudness, pitch, inhibition) = (
      ProcedureOrder(.loudness), ProcedureOrder(.pitch), ProcedureOrder(.inhibition)
    )
    (loudness.ear, loudness.frequency, pitch.ear) = (.left, 1000, .left)
    (inhibition.ear, inhibition.threshold) = (.left, 10)
    for (order, message) in [
      (
        loudness,
        "loudness: found no threshold of the left ear for this sound at 1000 Hz with this earphone \(reason), expected one of "
          + "a test that began in the last 180 days. Put the control back, or measure it anew: auricle hearing-test --ear "
          + "left --frequency 1000"
      ),
      (
        pitch,
        "pitch: found 0 thresholds of the left ear from 500 Hz up that tones can be heard above \(reason), expected two or "
          + "more, so that tones are equally loud. Put the control back, or measure them anew: auricle hearing-test --ear left"
      ),
      (
        inhibition,
        "inhibition: found no minimum masking level \(reason), expected one of this ear and noise. Put the control back, or "
          + "find the level anew: auricle match masking"
      ),
    ] as [(ProcedureOrder, String)] {
      let failure = #expect(throws: Failure.self) {
        try planning(order, records: records, volumes: master(-15)).plan()
      }
      #expect(failure?.message == message)
      // Put back, and where nobody can read them, they count.
      for volumes in [master(-20), nil] {
        #expect(throws: Never.self) { try planning(order, records: records, volumes: volumes).plan() }
      }
    }
    // Nobody has measured this one.
    loudness.frequency = 2000
    let missing = #expect(throws: Failure.self) {
      try planning(loudness, records: records, volumes: master(-15)).plan()
    }
    #expect(missing?.message.contains("does not count") == false)
    #expect(missing?.remedy == "Measure it first: auricle hearing-test --ear left --frequency 2000")
  }

  @Test(
    "a threshold at another volume is told in a match of pitch where none counts at its frequency, and where the match goes"
  )
  func otherVolumeElsewhere() throws {
    var order = ProcedureOrder(.pitch)
    order.ear = .left
    func failure(_ records: [ProcedureSummary]) -> Failure? {
      let failure = #expect(throws: Failure.self) {
        try planning(order, records: records, volumes: master(-15)).plan()
      }
      return failure
    }
    // A match of pitch begins at 500 Hz.
    let low = failure([try RecordedProcedure.hearingTest([250: 20], volumes: master(-20))])
    #expect(low?.message.contains("does not count") == false)
    #expect(low?.remedy == "Measure them first: auricle hearing-test --ear left")
    let close = try RecordedProcedure.hearingTest([3000: 30, 3150: 30], volumes: master(-15))
    let same = try RecordedProcedure.hearingTest([3000: 30, 3150: 30], volumes: master(-20))
    #expect(failure([close, same])?.found == "thresholds from 3000 to 3150 Hz")
    // Put back, those that count now would not.
    let other = failure([close, try RecordedProcedure.hearingTest([500: 30], volumes: master(-20))])
    #expect(
      other?.found
        == "thresholds from 3000 to 3150 Hz (one of \(Timestamp(Self.january).day) does not count: the volume control "
        + "Master stands at −15 dB, and it was begun at −20 dB)")
    #expect(other?.remedy == "Measure more frequencies: auricle hearing-test --ear left")
  }

  @Test("the list of records has the volume controls of matches of level, and of nothing otherwise")
  func listedVolumes() throws {
    let match = try search(masking: 20, volumes: master(-20))
    #expect(ProcedureList.Entry(match).volumes == master(-20))
    #expect(ProcedureList.Entry(try search(masking: 20)).volumes == nil)
    let test = try RecordedProcedure.hearingTest([1000: 20], volumes: master(-20))
    #expect(ProcedureList.Entry(test).volumes == nil)
  }
}
