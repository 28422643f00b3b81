import Acoustics
import Base
import Glibc
import Procedures
import Testing

@testable import Service

/// Thresholds that count, and the levels that plans make of them.
extension ProcedurePlanningTests {
  private static let day = 86_400.0
  private static let january = 1_790_000_000.0

  /// The curve of a match of the left ear's pitch.
  private func curve(
    _ records: [ProcedureSummary], resolution: Int? = nil, _ name: ProcedureOrder.Name = .pitch
  ) throws -> LevelCurve {
    var order = ProcedureOrder(name)
    order.ear = .left
    switch try planning(order, resolution: resolution, records: records).plan().plan {
    case .pitch(let plan): return plan.curve
    case .likeness(let plan): return plan.curve
    default: throw Failure("plan", found: "another one", exit: .software)
    }
  }

  /// A loudness match of one trial in the left ear, turned down from its beginning by steps of 5 dB, or up where there are less than none; by 0
  /// turned up and back.
  private func loudness(
    threshold: Double, turns: Int, at began: Double = 1_790_000_000
  ) throws -> ProcedureSummary {
    let range = try #require(
      MatchRange(
        threshold: HearingLevel(threshold), reference: SoundPressureLevel(5.5),
        limit: SoundPressureLevel(110)))
    let plan = LoudnessPlan(ear: .left, frequency: 1000, range: range, trialCount: 1)
    let changes: [Double] = turns == 0 ? [5, -5] : Array(repeating: turns < 0 ? 5 : -5, count: abs(turns))
    var count = 0
    return try RecordedProcedure.summary(.loudness, .loudness(plan), at: began) { _ in
      count += 1
      return count > changes.count ? .accept : .turn(changes[count - 1])
    }
  }

  @Test(
    "a threshold no longer counts once a newer test hears nothing at its level, and counts above all that one tried",
    arguments: [(90, nil), (60, nil), (40, 60)] as [(Double, Double?)])
  func unheard(highest: Double, expected: Double?) throws {
    let older = try RecordedProcedure.hearingTest([1000: 20, 4000: 60], at: Self.january)
    let newer = try RecordedProcedure.hearingTest(
      [4000: .infinity], upTo: highest, at: Self.january + 60 * Self.day)
    let silent = try #require(newer.result?.hearingTest?.thresholds)
    #expect(silent.allSatisfy { !$0.hasResponse && $0.level == HearingLevel(highest) && $0.noise == nil })
    func known(_ records: [ProcedureSummary]) -> KnownResults {
      KnownResults(
        records, calibration: RecordedProcedure.calibration, now: Self.january + 100 * Self.day)
    }
    let both = known([older, newer])
    let level = expected.map { HearingLevel($0) }
    #expect(both.threshold(.left, .tone, at: 4000)?.level == level)
    // Thresholds at other frequencies stay, and so does the record that they are from.
    #expect(both.threshold(.left, .tone, at: 1000)?.level == HearingLevel(20))
    let audiogram = both.audiogram(.left)
    #expect(audiogram.points.map(\.level) == [HearingLevel(20), level].compactMap(\.self))
    #expect(audiogram.record == older.beginning.identifier)
    // A threshold that was found since counts, wherever it lies.
    let newest = try RecordedProcedure.hearingTest([4000: 30], at: Self.january + 90 * Self.day)
    let all = known([newest, older, newer])
    #expect(all.threshold(.left, .tone, at: 4000)?.level == HearingLevel(30))
    #expect(all.audiogram(.left).points.map(\.frequency) == [1000, 4000])
    #expect(all.audiogram(.left).record == newest.beginning.identifier)
    // A test that heard nothing has no threshold of its own.
    #expect(known([newer]).audiogram(.left).points.isEmpty)
  }

  @Test("thresholds count by a calibration that was held to provisional for a reason that no record keeps")
  func held() throws {
    let stated = RecordedProcedure.calibration
    let date = CalendarDate(year: 2026, month: 5, day: 1)
    let verified = DeviceCalibration(device: "HDA 200", date: date, status: .verified)
    let device = verified.held(to: .provisional, because: "nothing holds the volume")
    let calibration = stated.with(device, transducer: stated.transducer)
    let record = try RecordedProcedure.hearingTest([1000: 20], by: calibration)
    #expect(record.beginning.calibration != calibration)
    func level(by calibration: OutputCalibration) -> HearingLevel? {
      KnownResults([record], calibration: calibration, now: Self.january + Self.day)
        .threshold(.left, .tone, at: 1000)?.level
    }
    #expect(level(by: calibration) == HearingLevel(20))
    // The name that a kept route writes into the configuration.
    var named = device
    named.device = "hw:CARD=PCH (HDA 200)"
    #expect(level(by: stated.with(named, transducer: stated.transducer)) == HearingLevel(20))
    #expect(level(by: stated.with(device, transducer: Transducer.named("supra-aural"))) == nil)
  }

  @Test(
    "a record from before version 101 counts by the same status alone where volume controls were measured with: one may have been turned",
    arguments: [
      (100, .provisional, true, false), (100, .verified, true, true), (101, .provisional, true, true),
      (100, .provisional, false, true),
    ] as [(Int, CalibrationStatus, Bool, Bool)])
  func turnedBefore(schema: Int, status: CalibrationStatus, hasVolumes: Bool, counts: Bool) throws {
    let readings = try Ear.allCases.map { ear throws in
      try EarphoneMeasurement.Reading(
        ear: ear, frequency: 1000, played: FullScaleLevel(-20), read: SoundPressureLevel(94))
    }
    let master = VolumeSetting(control: "Master", gain: Binaural(both: 0), isOn: true)
    let measurement = try EarphoneMeasurement(
      readings: readings, examiner: "N. N.", coupler: "c", volumes: hasVolumes ? [master] : nil)
    func calibration(_ status: CalibrationStatus) throws -> OutputCalibration {
      try OutputCalibration(
        device: DeviceCalibration(
          device: "HDA 200", date: CalendarDate(year: 2026, month: 5, day: 1), status: status),
        measurement: measurement, transducer: Transducer.named("hda200"))
    }
    let record = try RecordedProcedure.hearingTest([1000: 20], by: try calibration(status), schema: schema)
    let now = try calibration(.verified)
    // By it a record that was left is resumed too.
    #expect(record.beginning.hasLevels(of: now) == counts)
    let known = KnownResults([record], calibration: now, now: Self.january + Self.day)
    #expect((known.threshold(.left, .tone, at: 1000) != nil) == counts)
  }

  @Test("a threshold that was measured with volume controls known to stand elsewhere now does not count")
  func otherVolume() throws {
    func master(_ gain: Double) -> [VolumeSetting] {
      [VolumeSetting(control: "Master", gain: Binaural(both: gain), isOn: true)]
    }
    // The first record is from before they were kept.
    let cases: [(present: [VolumeSetting]?, level: Double)] = [
      (master(-20), 20), (master(-20.4), 20), (master(0), 35), (nil, 35), ([], 30),
    ]
    let records = [
      try RecordedProcedure.hearingTest([1000: 30], at: Self.january),
      try RecordedProcedure.hearingTest([1000: 20], volumes: master(-20), at: Self.january + 100),
      try RecordedProcedure.hearingTest([1000: 35], volumes: master(0), at: Self.january + 200),
    ]
    for (present, level) in cases {
      let known = KnownResults(
        records, calibration: RecordedProcedure.calibration, volumes: present, now: Self.january + Self.day)
      #expect(known.threshold(.left, .tone, at: 1000)?.level == HearingLevel(level), "\(level)")
    }
  }

  @Test("behind a loudness match below the threshold no tone of a pitch match lies below its own threshold")
  func softMatch() throws {
    let test = try RecordedProcedure.hearingTest([500: 30, 1000: 40, 4000: 50])
    // The first trial begins 5 dB above the threshold: five turns lead 20 dB below.
    let soft = try loudness(threshold: 40, turns: 5)
    let found = try #require(soft.result?.loudness)
    #expect(found.sensationLevel == SensationLevel(-20) && !found.isAtLimit)
    for name in [ProcedureOrder.Name.pitch, .likeness] {
      let curve = try curve([test, soft], name)
      for (frequency, threshold) in [(500.0, 30.0), (1000, 40), (4000, 50)] {
        #expect(abs(curve.level(at: frequency).decibels - threshold) < 1e-9)
      }
      // Thresholds lie on straight lines over the octaves.
      for point in curve.points {
        let octaves = log2(point.frequency / 1000)
        #expect(point.level.decibels >= 40 + octaves * (octaves < 0 ? 10 : 5) - 1e-9)
      }
    }
  }

  @Test(
    "a loudness match counts above the threshold that is known now, whichever it went by, and above its own where none is"
  )
  func corrected() throws {
    let test = try RecordedProcedure.hearingTest([500: 30, 1000: 40, 4000: 50])
    // Matched at 45 dB HL by a threshold that was given, from 5 dB above it: 45 dB SL were kept, or −15.
    for (given, turns) in [(0, -8), (60, 4)] as [(Double, Int)] {
      let match = try loudness(threshold: given, turns: turns)
      #expect(try #require(match.result?.loudness).level == HearingLevel(45))
      for name in [ProcedureOrder.Name.pitch, .likeness] {
        let curve = try curve([test, match], name)
        for (frequency, threshold) in [(500.0, 30.0), (1000, 40), (4000, 50)] {
          #expect(abs(curve.level(at: frequency).decibels - (threshold + 5)) < 1e-9)
        }
      }
      // No threshold is known at 1000 Hz: as far above the others as the match lay above the one it went by.
      let elsewhere = try RecordedProcedure.hearingTest([500: 30, 4000: 20])
      let level = try curve([elsewhere, match]).level(at: 4000).decibels
      #expect(abs(level - (20 + max(0, 45 - given))) < 1e-9)
    }
  }

  @Test(
    "a match of bandwidth by the threshold that the loudness match was given too is as loud as that match")
  func givenTwice() throws {
    let test = try RecordedProcedure.hearingTest([500: 30, 1000: 40, 4000: 50])
    let match = try loudness(threshold: 20, turns: -4)
    #expect(try #require(match.result?.loudness).level == HearingLevel(45))
    var order = ProcedureOrder(.bandwidth)
    (order.ear, order.frequency, order.threshold) = (.left, 1000, 20)
    guard case .bandwidth(let plan) = try planning(order, records: [test, match]).plan().plan else {
      Issue.record("another plan")
      return
    }
    #expect(plan.tone.level == HearingLevel(45))
    // At another frequency it is 5 dB above what is given, as the match lay above what was measured.
    #expect(try bandwidth([test, match], threshold: 30).tone.level == HearingLevel(35))
  }

  @Test("a loudness match that ended at the softest tone below the threshold says nothing of the tinnitus")
  func matchAtFloor() throws {
    let test = try RecordedProcedure.hearingTest([500: 30, 1000: 40, 4000: 50])
    // The softest tone is the lower one of −10 dB HL and 10 dB below the threshold: five turns from 15 dB HL.
    let silent = try loudness(threshold: 10, turns: 5, at: Self.january + 20)
    let found = try #require(silent.result?.loudness)
    #expect(found.sensationLevel == SensationLevel(-20) && found.isAtLimit)
    // 10 dB above the threshold unless a match tells more, and 5 dB by one that was turned and back.
    let unknown = try curve([test, silent])
    #expect(abs(unknown.level(at: 1000).decibels - 50) < 1e-9)
    let usual = try loudness(threshold: 40, turns: 0)
    let known = try curve([test, usual, silent])
    #expect(abs(known.level(at: 1000).decibels - 45) < 1e-9)
  }

  @Test(
    "a match goes down to the softest tone that the device resolves, and one that ends there is told so"
  )
  func softest() throws {
    var order = ProcedureOrder(.loudness)
    (order.ear, order.frequency, order.threshold, order.trials) = (.left, 1000, 40, 1)
    func plan(_ resolution: Int?) throws -> LoudnessPlan {
      guard case .loudness(let plan) = try planning(order, resolution: resolution).plan().plan else {
        throw Failure("plan", found: "another one", exit: .software)
      }
      return plan
    }
    // A peak of four of 32768 steps, where 0 dB HL at 1 kHz are 5.5 − 120 dB FS.
    let softest = 20 * log10(4.0 / 32_768) + 120 - 5.5
    let coarse = try plan(16)
    #expect(abs(coarse.range.floor.decibels - softest) < 1e-9)
    #expect(coarse.range.threshold == HearingLevel(40))
    // From 45 dB HL: one turn leads to 40, two to the softest tone.
    for (turns, isAtLimit) in [(1, false), (2, true)] {
      var match = ProcedurePlan.loudness(coarse).begin(seed: 0)
      for answer in Array(repeating: ProcedureAnswer.turn(-5), count: turns) + [.accept] {
        let isTaken = match.take(answer)
        #expect(isTaken)
      }
      #expect(match.result?.loudness?.isAtLimit == isAtLimit)
    }
    // Of 24 bits four steps are −126.4 dB FS, −11.9 dB HL.
    for resolution in [24, nil] as [Int?] {
      #expect(try plan(resolution).range.floor == HearingLevel(-10))
    }
  }

  @Test("a threshold below all that the device resolves is refused, with its format and test as a way out")
  func unresolved() throws {
    var order = ProcedureOrder(.loudness)
    (order.ear, order.frequency, order.threshold) = (.left, 1000, 30)
    // 36.2 dB HL, as above.
    let failure = #expect(throws: Failure.self) { try planning(order, resolution: 16).plan() }
    #expect(
      failure?.message
        == "loudness: found a threshold of 30 dB HL at 1000 Hz, expected 37 dB HL or more, for this format of the "
        + "device resolves nothing softer. Take a device.format of 24 bits or more, or measure with this one: "
        + "auricle hearing-test --ear left --frequency 1000")
    // A log is told nothing of the threshold.
    #expect(
      failure?.logMessage == "loudness: found a sound that this format of the device does not resolve.")
  }

  @Test(
    "tones about a threshold measured with a finer format lie above it as others do, and no softer than the softest tone of this one"
  )
  func lifted() throws {
    let test = try RecordedProcedure.hearingTest([500: 60, 1000: 30, 4000: 60])
    // 36.2 dB HL, as above.
    let softest = 20 * log10(4.0 / 32_768) + 120 - 5.5
    for name in [ProcedureOrder.Name.pitch, .likeness] {
      // 10 dB above each threshold, as no match tells more.
      let coarse = try curve([test], resolution: 16, name)
      for coarse in [coarse, try curve([test], resolution: 24, name)] {
        for (frequency, level) in [(500.0, 70.0), (1000, 40), (4000, 70)] {
          #expect(abs(coarse.level(at: frequency).decibels - level) < 1e-9)
        }
        #expect(coarse.uncertain.isEmpty)
      }
    }
    // Matched at 30 dB HL with 24 bits: 20 dB above the threshold, from 5 dB above it.
    let low = try RecordedProcedure.hearingTest([500: 50, 1000: 10, 4000: 50])
    let match = try loudness(threshold: 10, turns: -3)
    #expect(match.result?.loudness?.level == HearingLevel(30))
    for name in [ProcedureOrder.Name.pitch, .likeness] {
      for (resolution, level, isRaised) in [(16, softest, true), (24, 30, false)]
        as [(Int, Double, Bool)]
      {
        let curve = try curve([low, match], resolution: resolution, name)
        for (frequency, level) in [(500.0, 70.0), (1000, level), (4000, 70)] {
          #expect(abs(curve.level(at: frequency).decibels - level) < 1e-9)
        }
        #expect(curve.uncertain.contains(1000) == isRaised)
        #expect(!curve.uncertain.contains(500) && !curve.uncertain.contains(4000))
      }
    }
  }

  @Test("where even the softest tone of the device lies more than 60 dB above the threshold none is played")
  func liftedFar() throws {
    // 20 dB above those of the other tests: 56.2 dB HL at 1 kHz.
    let calibration = OutputCalibration(
      device: RecordedProcedure.calibration.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(140))),
      transducer: Transducer.named("hda200"))
    let test = try RecordedProcedure.hearingTest(
      [500: 50, 1000: -10, 2000: 50, 4000: 50], by: calibration)
    var order = ProcedureOrder(.pitch)
    order.ear = .left
    let plan = try planning(order, fullScale: 140, resolution: 16, records: [test]).plan().plan
    let curve = try #require(plan.pitchCurve)
    #expect(curve.unheard == [1000] && curve.unheardInDoubt.isEmpty && curve.range == 2000...4000)
  }

  /// The match of bandwidth at 4 kHz of the left ear with this audiogram.
  private func bandwidth(
    _ records: [ProcedureSummary], threshold: Double? = nil
  ) throws -> BandwidthPlan {
    var order = ProcedureOrder(.bandwidth)
    (order.ear, order.frequency, order.threshold) = (.left, 4000, threshold)
    guard case .bandwidth(let plan) = try planning(order, records: records).plan().plan else {
      throw Failure("plan", found: "another one", exit: .software)
    }
    return plan
  }

  @Test(
    "with a sloping loss no band of a bandwidth match's broad noise lies further above its threshold than the tone"
  )
  func slopingBandwidth() throws {
    let sloping = try RecordedProcedure.hearingTest([250: 10, 1000: 20, 4000: 55])
    // 10 dB above the threshold, as no match tells more: at 4 kHz, and of the noise at 250 Hz, where it is lowest.
    let plan = try bandwidth([sloping])
    #expect(plan.tone.level == HearingLevel(65) && plan.narrowNoise.level == HearingLevel(65))
    #expect(plan.broadNoise.level == HearingLevel(20))
    // 5 dB above it by a match that was turned and back.
    let soft = try bandwidth([sloping, try loudness(threshold: 20, turns: 0)])
    #expect(soft.tone.level == HearingLevel(60) && soft.broadNoise.level == HearingLevel(15))
    // A threshold that is given holds at its frequency: at 250 Hz the ear hears as before.
    #expect(try bandwidth([sloping], threshold: 50).broadNoise.level == HearingLevel(20))
  }

  @Test("the broad noise of a bandwidth match is 10 dB softer than the narrow noise, or softer still")
  func flatBandwidth() throws {
    let flat = try RecordedProcedure.hearingTest([250: 40, 4000: 40])
    #expect(try bandwidth([flat]).narrowNoise.level == HearingLevel(50))
    #expect(try bandwidth([flat]).broadNoise.level == HearingLevel(40))
    // Where the ear hears best at the pitch, thresholds elsewhere make nothing louder.
    let rising = try RecordedProcedure.hearingTest([250: 60, 4000: 30])
    #expect(try bandwidth([rising]).broadNoise.level == HearingLevel(30))
    // Nothing is known but the threshold that is given.
    #expect(try bandwidth([], threshold: 40).broadNoise.level == HearingLevel(40))
  }

  @Test(
    "a pitch is not searched between thresholds less than an octave apart, as no profile is made of them"
  )
  func narrow() throws {
    let close = try RecordedProcedure.hearingTest([3000: 30, 3150: 30])
    for name in [ProcedureOrder.Name.pitch, .likeness] {
      let failure = #expect(throws: Failure.self) { try curve([close], name) }
      #expect(
        failure?.message
          == "\(name.rawValue): found thresholds from 3000 to 3150 Hz, expected a wider range, 500 to 8000 Hz for "
          + "example. Measure more frequencies: auricle hearing-test --ear left")
      #expect(failure?.logMessage == "\(name.rawValue): found too few thresholds for this match.")
    }
    let octave = try RecordedProcedure.hearingTest([1500: 30, 3000: 30])
    #expect(try curve([octave]).range == 1500...3000)
  }

  @Test(
    "no tone of a match of pitch lies about a frequency that is not heard: comparisons keep to the widest part, ratings leave it out",
    arguments: [80, .infinity] as [Double])
  func unheardTones(threshold: Double) throws {
    // A notch of noise. HDA 200: 85 dB SPL are 75.5 dB HL at 4 kHz (ISO 389-8), below a threshold of 80.
    let notch = try RecordedProcedure.hearingTest([
      500: 20, 1000: 20, 2000: 30, 3000: 55, 4000: threshold, 6000: 60, 8000: 40,
    ])
    let pitch = try curve([notch])
    #expect(pitch.range == 500...3000 && pitch.parts == [500...3000] && pitch.unheard == [4000])
    let likeness = try curve([notch], .likeness)
    #expect(likeness.parts == [500...3000, 6000...8000] && likeness.unheard == [4000])
    #expect(!likeness.points.contains { 3000 < $0.frequency && $0.frequency < 6000 })
    for curve in [pitch, likeness] { #expect(abs(curve.level(at: 3000).decibels - 65) < 1e-9) }
    // Where it hears 4 kHz there is nothing to be left out.
    let heard = try curve([try RecordedProcedure.hearingTest([500: 20, 3000: 55, 4000: 60, 8000: 40])])
    #expect(heard.range == 500...8000 && heard.unheard.isEmpty)
  }

  @Test("a match of pitch with too little beside a frequency that is not heard says at which one")
  func unheardEnds() throws {
    let edge = try RecordedProcedure.hearingTest([4000: .infinity, 6000: 60, 8000: 40])
    let failure = #expect(throws: Failure.self) { try curve([edge]) }
    #expect(
      failure?.message
        == "pitch: found thresholds from 6000 to 8000 Hz, and no tone that may be played is heard at 4000 Hz, expected a "
        + "wider range, 500 to 8000 Hz for example. Measure more frequencies: auricle hearing-test --ear left"
    )
    // One that stands alone between two has no tone beside it.
    let alone = try RecordedProcedure.hearingTest([2000: .infinity, 4000: 30, 8000: .infinity])
    let alike = #expect(throws: Failure.self) { try curve([alone]) }
    #expect(
      alike?.found
        == "1 thresholds of the left ear from 500 Hz up that tones can be heard above, and no tone that may be played is "
        + "heard at 2000 and 8000 Hz")
    // Beyond the highest threshold the range ends there.
    let high = try curve([try RecordedProcedure.hearingTest([500: 20, 4000: 30, 8000: .infinity])])
    #expect(high.range == 500...4000 && high.unheard == [8000])
  }

  @Test(
    "the list of records says of each pitch whether it lies at an end of its range, and of nothing otherwise"
  )
  func listedEdge() throws {
    let plan = ProcedurePlan.pitch(PitchPlan(ear: .left, curve: RecordedProcedure.curve))
    // A pitch is more like the nearer tone on the axis of octaves. The range is 500 to 4000 Hz.
    for (pitch, isAtEdge) in [(12_000.0, true), (200, true), (1400, false)] {
      let record = try RecordedProcedure.summary(.pitch, plan) { step in
        let distances = step.cues.compactMap { $0.stimulus.map { abs(log2($0.frequency / pitch)) } }
        return distances[0] < distances[1] ? .first : .second
      }
      #expect(ProcedureList.Entry(record).isPitchAtEdge == isAtEdge)
      // An octave from each end lies within the range, and so do both from the middle of its three octaves.
      let octave = pitch > 4000 ? PitchMatchResult.Octave.above : .below
      #expect(ProcedureList.Entry(record).uncomparedOctaves == (isAtEdge ? [octave] : []))
    }
    let other = ProcedureList.Entry(try loudness(threshold: 10, turns: 0))
    #expect(other.isPitchAtEdge == nil && other.uncomparedOctaves == nil)
  }

  @Test(
    "the list of records tells calibrations with the same levels from others, whatever their names and days are"
  )
  func listedLevels() throws {
    let stated = RecordedProcedure.calibration
    func digest(_ calibration: OutputCalibration) throws -> String? {
      ProcedureList.Entry(try RecordedProcedure.hearingTest([1000: 20], by: calibration)).calibrationLevels
    }
    var device = stated.device
    (device.device, device.date) = ("hw:CARD=PCH (HDA 200)", CalendarDate(year: 2026, month: 5, day: 1))
    let first = try #require(try digest(stated))
    #expect(try digest(stated.with(device, transducer: stated.transducer)) == first)
    #expect(try digest(stated.with(stated.device, transducer: Transducer.named("supra-aural"))) != first)
    let louder = OutputCalibration(
      device: stated.device,
      sensitivity: Binaural(
        left: stated.sensitivity.left, right: try Sensitivity(flat: SoundPressureLevel(126))),
      transducer: stated.transducer)
    #expect(try digest(louder) != first)
  }
}
