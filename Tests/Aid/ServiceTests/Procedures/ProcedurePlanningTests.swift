import Acoustics
import Base
import CommonTesting
import Control
import Glibc
import Procedures
import Testing

@testable import Service

/// Orders that become plans by earphone, limits and what is known.
@Suite("Plans of procedures") struct ProcedurePlanningTests {
  /// A day, s.
  static let day = 86_400.0
  /// Time of the first records, s since 1970.
  static let january = 1_790_000_000.0

  func planning(
    _ order: ProcedureOrder, limit: Double = 110, fullScale: Double = 120, resolution: Int? = nil,
    records: [ProcedureSummary] = [], volumes: [VolumeSetting]? = nil
  ) throws -> ProcedurePlanning {
    let calibration = OutputCalibration(
      device: RecordedProcedure.calibration.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(fullScale))),
      transducer: Transducer.named("hda200"))
    return ProcedurePlanning(
      order: order,
      rendering: StimulusRendering(
        calibration: calibration, rate: 48_000, limit: Binaural(both: SoundPressureLevel(limit))),
      resolution: resolution,
      known: KnownResults(records, calibration: calibration, volumes: volumes, now: 1_790_000_100))
  }

  private func limits(_ plan: ProcedurePlan, _ frequency: Double) -> HearingTestPlan.Limits? {
    if case .hearingTest(let test) = plan { test.limits.left[frequency] } else { nil }
  }

  @Test("a hearing test goes up to 90 dB HL, or as far as the limit lets it, at each frequency")
  func hearingTest() throws {
    let order = ProcedureOrder(.hearingTest)
    let free = try planning(order).plan().plan
    // 1 kHz: 5.5 dB SPL at 0 dB HL (ISO 389-8).
    #expect(limits(free, 1000)?.highest == HearingLevel(90))
    let held = try planning(order, limit: 85).plan().plan
    #expect(abs((limits(held, 1000)?.highest.decibels ?? 0) - 79.5) < 1e-9)
    // 8 kHz: 17.5 dB; full scale of 100 dB SPL less 1 dB ends at 81.5 dB HL.
    let weak = try planning(order, fullScale: 100).plan().plan
    #expect(abs((limits(weak, 8000)?.highest.decibels ?? 0) - 81.5) < 1e-9)
    var loud = order
    loud.highest = 100
    #expect(limits(try planning(loud).plan().plan, 1000)?.highest == HearingLevel(100))
  }

  @Test("below 200 Hz tones end 1 dB below the aid's limit in the digits, at which it would lower them")
  func lowTones() throws {
    let calibration = RecordedProcedure.calibration
    let known = KnownResults([], calibration: calibration, now: 1_790_000_100)
    let rendering = StimulusRendering(
      calibration: calibration, rate: 48_000, limit: Binaural(both: SoundPressureLevel(110)),
      greatest: Binaural(both: FullScaleLevel(-40)))
    func plan(_ order: ProcedureOrder) throws -> ProcedurePlan {
      try ProcedurePlanning(order: order, rendering: rendering, resolution: nil, known: known).plan().plan
    }
    var test = ProcedureOrder(.hearingTest)
    test.frequencies = [125, 250]
    // HDA 200: 30.5 and 18 dB SPL at 0 dB HL (ISO 389-8), full scale of 120.
    let found = try plan(test)
    #expect(abs((limits(found, 125)?.highest.decibels ?? 0) - 48.5) < 1e-9)
    #expect(abs((limits(found, 250)?.highest.decibels ?? 0) - 62) < 1e-9)
    var match = ProcedureOrder(.loudness)
    (match.ear, match.frequency, match.threshold) = (.left, 125, 20)
    guard case .loudness(let loudness) = try plan(match) else {
      Issue.record("another plan")
      return
    }
    #expect(abs(loudness.range.ceiling.decibels - 48.5) < 1e-9)
  }

  @Test("a hearing test by noise knows the earphone's attenuation as one by tones does")
  func attenuation() throws {
    for signal in [Stimulus.Signal.pulsed, .narrowNoise] {
      var order = ProcedureOrder(.hearingTest)
      order.signal = signal
      guard case .hearingTest(let test) = try planning(order).plan().plan else {
        Issue.record("another plan")
        return
      }
      // An earphone around the ear: 40 dB.
      #expect(test.attenuation == 40)
    }
  }

  @Test("a device of 16 bits that cannot resolve 0 dB HL begins where it can, one of 24 bits at −10 dB HL")
  func resolution() throws {
    let order = ProcedureOrder(.hearingTest)
    let coarse = try planning(order, resolution: 16).plan().plan
    // Four of 32768 steps are −78.3 dB FS; 0 dB HL at 1 kHz are 5.5 − 120 dB FS.
    let expected = 20 * log10(4.0 / 32_768) + 120 - 5.5
    #expect(abs((limits(coarse, 1000)?.lowest.decibels ?? 0) - expected) < 1e-9)
    #expect(limits(try planning(order, resolution: 24).plan().plan, 1000)?.lowest == HearingLevel(-10))
    #expect(limits(try planning(order).plan().plan, 1000)?.lowest == HearingLevel(-10))
  }

  @Test(
    "a match rests on the newest threshold by the same earphone at exactly its frequency, or on one that is given"
  )
  func thresholds() throws {
    var order = ProcedureOrder(.loudness)
    (order.ear, order.frequency) = (.left, 1000)
    let failure = #expect(throws: Failure.self) { try planning(order).plan() }
    #expect(failure?.remedy == "Measure it first: auricle hearing-test --ear left --frequency 1000")
    order.threshold = 12
    let (plan, source) = try planning(order).plan()
    guard case .loudness(let loudness) = plan else {
      Issue.record("another plan")
      return
    }
    #expect(loudness.range.threshold == HearingLevel(12) && source == nil)
    // min(85 − 5.5, 12 + 60) dB HL.
    #expect(loudness.range.ceiling == HearingLevel(72))
    // A record of a hearing test with this calibration.
    let lines = try RecordedProcedure.lines(.hearingTest, RecordedProcedure.plans[0].1)
    let text = try lines.flatMap { try JSON.bytes($0) + [UInt8(ascii: "\n")] }
    let folder = TemporaryFolder()
    try WholeFile.save(text, to: folder.file("r.jsonl"))
    let record = try ProcedureSummary(at: folder.file("r.jsonl"))
    let found = try #require(
      record.result?.hearingTest?.thresholds.compactMap { $0.hasResponse ? $0.level : nil }.min())
    order.threshold = nil
    let (known, from) = try planning(order, records: [record]).plan()
    guard case .loudness(let second) = known else {
      Issue.record("another plan")
      return
    }
    #expect(second.range.threshold == found && from == record.beginning.identifier)
    // Not at another frequency, not in the other ear, not by another earphone, not after half a year.
    order.frequency = 1500
    #expect(throws: Failure.self) { try planning(order, records: [record]).plan() }
    (order.frequency, order.ear) = (1000, .right)
    #expect(throws: Failure.self) { try planning(order, records: [record]).plan() }
    order.ear = .left
    #expect(throws: Failure.self) { try planning(order, fullScale: 119, records: [record]).plan() }
    let old = KnownResults(
      [record], calibration: RecordedProcedure.calibration, now: 1_790_000_100 + 181 * 86_400)
    #expect(old.threshold(.left, .tone, at: 1000) == nil)
  }

  @Test(
    "a match rests on the threshold found with noise in the other ear, and on none of an ear that does not hear",
    arguments: [80, .infinity] as [Double])
  func masked(threshold: Double) throws {
    let plan = HearingTestPlan(
      method: .hughsonWestlake, frequencies: [1000],
      limits: Binaural(both: [1000: RecordedProcedure.limits]),
      attenuation: HearingTestPlan.supraAuralAttenuation)
    var test = HearingTest(plan, seed: 1)
    // The right ear hears from 5 dB HL on, and without noise in it the left one's tones 50 dB softer.
    while let trial = test.next {
      let level = trial.level?.decibels ?? -.infinity
      let isOwn = level >= (trial.ear == .right ? 5 : threshold)
      let isHeard = isOwn || (trial.ear == .left && trial.noise == nil && level >= 55)
      test.answer(isHeard ? .heard(after: 0.4) : .notHeard)
    }
    let summary = HearingTestSummary(try #require(HearingTestResult(test)))
    #expect(summary.thresholds.contains { $0.ear == .left && $0.level == HearingLevel(55) })
    let lines = try RecordedProcedure.lines(.hearingTest, RecordedProcedure.plans[0].1)
    guard case .end(var result, let end)? = lines.last else {
      Issue.record("no end")
      return
    }
    result.hearingTest = summary
    let text = try [lines[0], .end(result, at: end)].flatMap {
      try JSON.bytes($0) + [UInt8(ascii: "\n")]
    }
    let folder = TemporaryFolder()
    try WholeFile.save(text, to: folder.file("r.jsonl"))
    let known = KnownResults(
      [try ProcedureSummary(at: folder.file("r.jsonl"))], calibration: RecordedProcedure.calibration,
      now: end)
    let expected = threshold.isFinite ? HearingLevel(threshold) : nil
    #expect(known.threshold(.left, .tone, at: 1000)?.level == expected)
    #expect(known.audiogram(.left).points.map(\.level) == [expected].compactMap(\.self))
    #expect(known.threshold(.right, .tone, at: 1000)?.level == HearingLevel(5))
  }

  @Test("a test made while the clock was a year ahead hides none that was made since")
  func clockAhead() throws {
    let folder = TemporaryFolder()
    func record(_ seed: UInt64, at began: Double) throws -> ProcedureSummary {
      let lines = try RecordedProcedure.lines(
        .hearingTest, RecordedProcedure.plans[0].1, seed: seed, at: began)
      let text = try lines.flatMap { try JSON.bytes($0) + [UInt8(ascii: "\n")] }
      try WholeFile.save(text, to: folder.file("\(seed).jsonl"))
      return try ProcedureSummary(at: folder.file("\(seed).jsonl"))
    }
    func level(_ records: [ProcedureSummary], at now: Double) -> HearingLevel? {
      KnownResults(records, calibration: RecordedProcedure.calibration, now: now)
        .threshold(.left, .tone, at: 1000)?.level
    }
    let now = 1_790_000_000.0 + 86_400
    let right = try record(3, at: 1_790_000_000)
    let levels = try (4...20).map { try record($0, at: now + 365 * 86_400) }
    // One whose threshold tells it from the right one.
    let ahead = try #require(levels.first { level([$0], at: now) != level([right], at: now) })
    #expect(level([right], at: now) != nil && level([ahead], at: now) != nil)
    #expect(level([right, ahead], at: now) == level([right], at: now))
    // Once that time has come it is the newest.
    #expect(level([right, ahead], at: now + 366 * 86_400) == level([ahead], at: now + 366 * 86_400))
  }

  @Test(
    "where the threshold lies above what may be played the match is refused as not safe, and closed as such"
  )
  func unsafe() throws {
    var order = ProcedureOrder(.loudness)
    (order.ear, order.frequency, order.threshold) = (.left, 1000, 85)
    let failure = #expect(throws: Failure.self) { try planning(order).plan() }
    #expect(failure?.remedy == "It cannot be measured safely in this ear at this frequency.")
    // A log is told nothing of the threshold.
    #expect(failure?.logMessage == "loudness: found a sound that may not be played.")
  }

  @Test(
    "a pitch match without two thresholds, an inhibition without a masking level, a test beyond every limit: what has to be done first"
  )
  func missing() throws {
    var order = ProcedureOrder(.pitch)
    order.ear = .left
    let pitch = #expect(throws: Failure.self) { try planning(order).plan() }
    #expect(pitch?.logMessage == "pitch: found too few thresholds for this match.")
    order = ProcedureOrder(.inhibition)
    (order.ear, order.threshold) = (.left, 10)
    let failure = #expect(throws: Failure.self) { try planning(order).plan() }
    #expect(failure?.remedy == "Find it first: auricle match masking")
    #expect(throws: Failure.self) { try planning(ProcedureOrder(.hearingTest), limit: -20).plan() }
  }

  @Test(
    "no tone of a pitch match is above 85 dB SPL, nor refused, where the reference bends between thresholds",
    arguments: [
      // HDA 200 at 5 kHz: 85 − 14 dB (ISO 389-8). Supra-aural at 6.3 kHz: 85 − 21 dB (ISO 389-1); that is
      // below a threshold of 65 dB HL.
      ("hda200", [4000.0, 6000], 65.0, 5000.0, 71.0),
      ("supra-aural", [6000, 8000], 55, 6300, 64),
      ("supra-aural", [6000, 8000], 65, 6300, 64),
    ])
  func bends(
    earphone: String, treble: [Double], threshold: Double, frequency: Double, expected: Double
  ) throws {
    let transducer = try #require(Transducer.named(earphone))
    let calibration = OutputCalibration(
      device: RecordedProcedure.calibration.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(120))), transducer: transducer)
    var thresholds = [500.0: 20.0, 1000: 20, 2000: 20]
    for place in treble { thresholds[place] = threshold }
    var order = ProcedureOrder(.pitch)
    order.ear = .left
    let rendering = StimulusRendering(
      calibration: calibration, rate: 48_000, limit: Binaural(both: MatchRange.greatestLevel))
    let planning = ProcedurePlanning(
      order: order, rendering: rendering, resolution: nil,
      known: KnownResults(
        [try RecordedProcedure.hearingTest(thresholds, by: calibration)], calibration: calibration,
        now: 1_790_000_100))
    guard case .pitch(let pitch) = try planning.plan().plan else {
      Issue.record("another plan")
      return
    }
    #expect(abs(pitch.curve.level(at: frequency).decibels - expected) < 1e-9)
    // A hundredth of an octave each; the last frequency is the end itself.
    let range = pitch.curve.range
    let steps = Int(100 * log2(range.upperBound / range.lowerBound))
    #expect(range == 500...treble[1] && steps > 300)
    for step in 0...steps {
      let place = range.lowerBound * exp2(Double(step) / 100)
      let level = pitch.curve.level(at: place)
      let sound = try transducer.soundPressureLevel(of: level, at: place).value
      #expect(sound.decibels <= 85 + 1e-9, "\(sound) at \(place) Hz")
      let tone = Stimulus(.tone, .left, frequency: place, level: level, duration: 1)
      #expect(throws: Never.self) { try rendering.checked(tone) }
    }
  }

  @Test("noise at its plan's own ceiling is played, where full scale is what holds it")
  func noiseAtCeiling() throws {
    var order = ProcedureOrder(.masking)
    (order.ear, order.threshold) = (.left, 10)
    let planning = try planning(order, fullScale: 80)
    guard case .masking(let masking) = try planning.plan().plan else {
      Issue.record("another plan")
      return
    }
    let noise = Stimulus(
      .broadNoise, .left, frequency: 1000, level: masking.range.ceiling, duration: 2)
    // A full scale of 80 dB SPL lies below 85: −1 dB FS, and 13.5 dB for the peaks.
    let level = try StimulusLevel(noise, by: planning.rendering.calibration)
    #expect(abs(level.digital.decibels + 14.5) < 1e-6)
    // With 10 dB two of three were refused.
    for seed in 1...4 as ClosedRange<UInt64> {
      #expect(throws: Never.self) { try planning.rendering.samples(of: noise, seed: seed) }
    }
  }

  @Test("orders out of range are refused by the name of what is wrong")
  func orders() {
    func refusal(_ change: (inout ProcedureOrder) -> Void) -> String? {
      var order = ProcedureOrder(.loudness)
      order.ear = .left
      change(&order)
      do throws(ControlFailure) { try order.check() } catch { return error.message }
      return nil
    }
    #expect(refusal { _ in } == nil)
    #expect(refusal { $0.frequency = 20 } == "order: found 20 Hz, expected 125 to 16000 Hz.")
    #expect(refusal { $0.frequency = .nan } != nil)
    #expect(refusal { $0.threshold = 940 } == "order: found 940 dB HL, expected -10 to 120 dB HL.")
    #expect(refusal { $0.trials = 0 } != nil && refusal { $0.trials = 21 } != nil)
    #expect(refusal { $0.ears = [] } != nil && refusal { $0.ears = [.left, .left] } != nil)
    #expect(refusal { $0.frequencies = Array(repeating: 1000, count: 2) } != nil)
    #expect(refusal { $0.frequencies = (0..<25).map { 200 + Double($0) } } != nil)
    #expect(refusal { $0.ear = nil } == "order: found no ear, expected left or right.")
    let impossible = QuietRoomRule(
      threshold: 45, passes: 0, release: 43, rise: 8, confirmations: 2, adaptation: 0.05, helpAfter: 12)
    #expect(refusal { $0.room = impossible } != nil)
    #expect(refusal { $0.room = .tinnitusStudy } == nil)
    #expect(
      refusal { $0.signal = .broadNoise }
        == "order: found broad-noise for a loudness match, expected tone, pulsed or warble.")
    #expect(refusal { ($0.name, $0.signal) = (.bracketing, .narrowNoise) } != nil)
    #expect(refusal { $0.signal = .warble } == nil)
    #expect(refusal { ($0.name, $0.signal) = (.masking, .broadNoise) } == nil)
    #expect(
      refusal { ($0.name, $0.signal) = (.hearingTest, .broadNoise) }
        == "order: found broad-noise at 8 frequencies, expected one to name its threshold by, such as 1000 Hz, for "
        + "broad noise has all of them.")
    #expect(
      refusal { ($0.name, $0.signal, $0.frequencies) = (.hearingTest, .broadNoise, [1000, 2000]) } != nil)
    #expect(refusal { ($0.name, $0.signal, $0.frequencies) = (.hearingTest, .broadNoise, [1000]) } == nil)
    #expect(refusal { ($0.name, $0.signal) = (.hearingTest, .narrowNoise) } == nil)
  }

  @Test("a cue that asks for more than its plan is refused and not played softer")
  func beyondPlan() throws {
    let plan = RecordedProcedure.plans[1].1
    let loud = Stimulus(.tone, .left, frequency: 1000, level: HearingLevel(71), duration: 1)
    let step = ProcedureStep(1, [ProcedureStep.Cue(gap: 0.4, loud)], .adjustment)
    #expect(throws: ProcedureFault.self) {
      try CueSound(step.cues[0], of: step, in: plan, by: RecordedProcedure.rendering)
    }
    let other = Stimulus(.tone, .right, frequency: 1000, level: HearingLevel(20), duration: 1)
    let elsewhere = ProcedureStep(1, [ProcedureStep.Cue(gap: 0.4, other)], .adjustment)
    #expect(throws: ProcedureFault.self) {
      try CueSound(elsewhere.cues[0], of: elsewhere, in: plan, by: RecordedProcedure.rendering)
    }
  }

  @Test("a cue leaves the unused ear without samples, begins with silence, and has a ceiling of its plan")
  func cues() throws {
    let plan = RecordedProcedure.plans[1].1
    let step = try #require(plan.begin(seed: 0).nextStep)
    let sound = try CueSound(step.cues[0], of: step, in: plan, by: RecordedProcedure.rendering)
    #expect(sound.presentation.samples.right.isEmpty)
    #expect(
      sound.presentation.samples.left.prefix(Int(0.4 * Double(RecordedProcedure.rate))).allSatisfy {
        $0 == 0
      })
    // 70 dB HL, 60 above the threshold of 10, at 1 kHz: 75.5 dB SPL, 44.5 dB below the full scale of 120.
    #expect(abs(sound.presentation.ceiling.decibels + 44.5) < 1e-9)
  }
}
