import Acoustics
import Base
import CommonTesting
import Control
import Procedures
import Testing

@testable import Service

/// Records that count: by their calibration and age, and by what was measured since.
extension ProcedurePlanningTests {
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
