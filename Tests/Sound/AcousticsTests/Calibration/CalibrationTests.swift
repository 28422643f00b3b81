import Base
import Foundation
import Testing

@testable import Acoustics

@Suite("Calibration") struct CalibrationTests {
  static let measured = DeviceCalibration(
    device: "Coupler rig", date: CalendarDate(year: 2026, month: 2, day: 28), status: .verified)

  /// 1 kHz: 114 dB SPL at 0 dB FS; 4 kHz: 118 on the left; right flat 110.
  static func output(_ transducer: Transducer?) throws -> OutputCalibration {
    OutputCalibration(
      device: measured,
      sensitivity: Binaural(
        left: try Sensitivity(table: [(1000, SoundPressureLevel(114)), (4000, SoundPressureLevel(118))]),
        right: try Sensitivity(flat: SoundPressureLevel(110))),
      transducer: transducer)
  }

  @Test("the worse status wins")
  func status() {
    #expect(CalibrationStatus.none < .provisional && CalibrationStatus.provisional < .verified)
    let a = Calibrated(60.0, status: .verified)
    let b = Calibrated(5.0, status: .provisional)
    #expect(a.combined(with: b) { $0 + $1 } == Calibrated(65.0, status: .provisional))
    #expect(b.map { $0 * 2 } == Calibrated(10.0, status: .provisional))
  }

  @Test(
    "a reason that somebody can put right is told first, also of a calibration that is provisional already")
  func provisional() {
    let turned = Self.measured.provisional(because: "Master stands at −12 dB")
    #expect(turned.status == .provisional && turned.caveat == "Master stands at −12 dB")
    let held = Self.measured.held(to: .provisional, because: "no reading of the left ear")
    #expect(
      held.provisional(because: "Master stands at −12 dB").caveat
        == "Master stands at −12 dB; no reading of the left ear")
    var stated = Self.measured
    stated.status = .provisional
    #expect(stated.provisional(because: "Master stands at −12 dB").caveat == "Master stands at −12 dB")
    #expect(DeviceCalibration.unknown.provisional(because: "Master stands at −12 dB") == .unknown)
  }

  @Test(
    "name, day, status, its caveat and the check by ears change no level; sensitivity, transducer and model do"
  )
  func levels() throws {
    let calibration = try Self.output(Transducer.named("hda200"))
    func with(_ change: (inout DeviceCalibration) -> Void) -> OutputCalibration {
      var device = Self.measured
      change(&device)
      return calibration.with(device, transducer: calibration.transducer)
    }
    let held = with { $0 = $0.held(to: .provisional, because: "nothing holds the volume") }
    let kept = try JSONDecoder().decode(OutputCalibration.self, from: JSONEncoder().encode(held))
    // The caveat is kept in no file, so the two are not equal.
    #expect(kept != held && kept.hasLevels(of: held))
    var checked = calibration
    let thresholds = (1...3).map {
      EarCheck.Threshold(person: "\($0)", ear: .left, frequency: 1000, level: HearingLevel(0))
    }
    let day = try #require(CalendarDate(year: 2026, month: 3, day: 1))
    checked.earCheck = try EarCheck(thresholds, date: day)
    for same in [
      held, checked, with { $0.device = "hw:1 (Coupler rig)" }, with { $0.date = day },
      with { $0.source = "s" },
      with { $0.identity = DeviceIdentity([], name: "HDA Intel PCH") },
    ] {
      #expect(same != calibration && same.hasLevels(of: calibration) && calibration.hasLevels(of: same))
    }
    let pch = with { $0.identity = DeviceIdentity([], name: "HDA Intel PCH") }
    let usb = with { $0.identity = DeviceIdentity([DeviceProduct(.usb, vendor: 0x46D, product: 0xA4D)]) }
    #expect(!pch.hasLevels(of: usb) && !usb.hasLevels(of: pch))
    #expect(!calibration.hasLevels(of: try Self.output(Transducer.named("supra-aural"))))
    let louder = OutputCalibration(
      device: Self.measured,
      sensitivity: Binaural(
        left: calibration.sensitivity.left, right: try Sensitivity(flat: SoundPressureLevel(110.1))),
      transducer: calibration.transducer)
    #expect(!louder.hasLevels(of: calibration))
  }

  @Test(
    "levels in dB HL are as reliable as the reference thresholds at their frequencies, however the earphone was calibrated"
  )
  func hearingDevice() throws {
    // ISO 389-8 was read whole; of ISO 389-2 four rows are from memory; of ResearchKit's nobody states the coupler.
    let er3a = "the reference thresholds of er3a at"
    let earpods = "the source of the reference thresholds of earpods does not state their coupler"
    for (name, frequencies, words) in [
      ("hda200", [125, 750, 1000, 16_000], nil), ("er3a", [125, 1000, 4000, 8000], nil),
      ("er3a", [1000, 1500, 750, 1500], "\(er3a) 750 and 1500 Hz are from memory"),
      // Between rows both neighbours count; beyond the table there is none.
      ("er3a", [700], "\(er3a) 700 Hz are from memory"), ("er3a", [10_000], nil), ("er3a", [], nil),
      ("earpods", [1000], earpods), ("earpods", [20], nil), (nil, [1000], nil),
    ] as [(String?, [Double], String?)] {
      let transducer = name.flatMap { Transducer.named($0) }
      #expect((transducer == nil) == (name == nil))
      let device = try Self.output(transducer).hearingDevice(at: frequencies)
      #expect(device.status == (words == nil ? .verified : .provisional) && device.caveat == words)
      #expect(device.device == Self.measured.device && device.date == Self.measured.date)
    }
    // A level that counts for less stays that.
    var device = Self.measured
    device.status = .none
    let earphones = try Self.output(Transducer.named("earpods"))
    let uncalibrated = earphones.with(device, transducer: earphones.transducer)
    #expect(uncalibrated.hearingDevice(at: [1000]) == device)
  }

  @Test("a number says when it is not verified")
  func description() {
    #expect("\(Calibrated(SoundPressureLevel(65), status: .verified))" == "65.0 dB SPL")
    #expect("\(Calibrated(SoundPressureLevel(65), status: .none))" == "65.0 dB SPL (not calibrated)")
  }

  @Test("a microphone's 94 dB SPL at −26 dB FS puts 0 dB FS at 120 dB SPL")
  func input() throws {
    let calibration = try InputCalibration(
      device: Self.measured, channels: [Sensitivity(flat: SoundPressureLevel(120))])
    let level = try calibration.soundPressureLevel(of: FullScaleLevel(-26), channel: 0)
    #expect(level == Calibrated(SoundPressureLevel(94), status: .verified))
    #expect(try calibration.fullScaleLevel(of: level.value, channel: 0).value == FullScaleLevel(-26))
  }

  @Test("each channel has its own sensitivity; a single one stands for all")
  func channels() throws {
    let two = try InputCalibration(
      device: Self.measured,
      channels: [Sensitivity(flat: SoundPressureLevel(120)), Sensitivity(flat: SoundPressureLevel(117))])
    #expect(
      try two.soundPressureLevel(of: FullScaleLevel(-20), channel: 1).value == SoundPressureLevel(97))
    #expect(
      refusal { () throws(AcousticsError) in try two.sensitivity(channel: 2) }
        == "channel 2: 2 are calibrated")
    #expect(
      refusal { () throws(AcousticsError) in try InputCalibration.assumed.sensitivity(channel: -1) }
        == "channel -1: 1 are calibrated")
    #expect(try InputCalibration.assumed.sensitivity(channel: 7).nominalLevel == SoundPressureLevel(120))
  }

  @Test("what is assumed without a calibration says so with every number")
  func assumed() throws {
    let heard = try InputCalibration.assumed.soundPressureLevel(of: FullScaleLevel(-55), channel: 0)
    #expect(heard == Calibrated(SoundPressureLevel(65), status: .none))
    let played = try OutputCalibration.assumed.soundPressureLevel(
      of: FullScaleLevel(-9), at: 1000, ear: .left)
    #expect(played == Calibrated(SoundPressureLevel(111), status: .none))
    #expect(InputCalibration.assumed.device.device == "unknown")
    let words = refusal { () throws(AcousticsError) in
      try OutputCalibration.assumed.hearingLevel(of: FullScaleLevel(-9), at: 1000, ear: .left)
    }
    #expect(words == "the earphone's reference thresholds are not known: expected a transducer")
  }

  @Test("a sensitivity table is read in dB over log frequency, and refuses to go beyond its ends")
  func table() throws {
    let left = try Self.output(nil).sensitivity.left
    #expect(try left.level(at: 2000) == SoundPressureLevel(116))
    #expect(left.nominalLevel == SoundPressureLevel(114))
    #expect(
      refusal { () throws(AcousticsError) in try left.level(at: 999) }
        == "999 Hz lies outside the table, 1000 to 4000 Hz")
    #expect(throws: AcousticsError.self) { try left.level(at: .nan) }
    #expect(try Self.output(nil).sensitivity.right.level(at: 31.5) == SoundPressureLevel(110))
  }

  @Test("30 dB HL at 1 kHz on AirPods Pro 2 is −74.40 dB FS: the chain of ResearchKit at full volume")
  func hearingLevelToFullScale() throws {
    // RETSPL 9.27 + 30 dB HL, less 83.67 dB SPL at −30 dB FS brought to 0 dB FS.
    let calibration = OutputCalibration(
      device: Self.measured, sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(113.67))),
      transducer: .airPodsPro2)
    let level = try calibration.fullScaleLevel(of: HearingLevel(30), at: 1000, ear: .left)
    #expect(abs(level.value.decibels + 74.40) < 1e-9)
    #expect(abs(level.value.sinePeak - 1.905e-4) < 1e-7)
    #expect(level.status == .provisional)
  }

  @Test("dB FS to dB HL and back is the same level, with a verified transducer a verified one")
  func roundTrip() throws {
    let calibration = try Self.output(.hda200)
    // HDA 200 at 4 kHz: RETSPL 9.5 dB; −50 dB FS + 118 − 9.5 = 58.5 dB HL.
    let heard = try calibration.hearingLevel(of: FullScaleLevel(-50), at: 4000, ear: .left)
    #expect(heard == Calibrated(HearingLevel(58.5), status: .verified))
    let back = try calibration.fullScaleLevel(of: heard.value, at: 4000, ear: .left)
    #expect(back == Calibrated(FullScaleLevel(-50), status: .verified))
  }

  @Test("a sensation level counts from the person's threshold, and the reference threshold cancels")
  func sensation() throws {
    let calibration = try Self.output(.hda200)
    let threshold = try calibration.hearingLevel(of: FullScaleLevel(-70), at: 1000, ear: .right).value
    let level = try calibration.sensationLevel(
      of: FullScaleLevel(-50), above: threshold, at: 1000, ear: .right)
    #expect(level == Calibrated(SensationLevel(20), status: .verified))
    #expect(
      SensationLevel(of: FullScaleLevel(-50), aboveThreshold: FullScaleLevel(-70)) == SensationLevel(20))
    let tone = try calibration.fullScaleLevel(
      of: SensationLevel(20), above: threshold, at: 1000, ear: .right)
    #expect(tone.value == FullScaleLevel(-50))
  }

  @Test("bad calibrations are refused by name")
  func refuses() {
    let noChannel = refusal { () throws(AcousticsError) in
      try InputCalibration(device: Self.measured, channels: [])
    }
    #expect(noChannel == "no entry: expected at least one")
    let noRow = refusal { () throws(AcousticsError) in try Sensitivity(table: []) }
    #expect(noRow == "no entry: expected at least one")
    let soft = refusal { () throws(AcousticsError) in try Sensitivity(flat: SoundPressureLevel(0)) }
    #expect(soft == "0 dB SPL at 0 dB FS: expected 40 to 180 dB SPL")
    let level = SoundPressureLevel(100)
    let twice = refusal { () throws(AcousticsError) in
      try Sensitivity(table: [(1000, level), (1000, level)])
    }
    #expect(twice == "frequency number 2: expected positive frequencies in rising order")
    let zero = refusal { () throws(AcousticsError) in try Sensitivity(table: [(0, level)]) }
    #expect(zero == "frequency number 1: expected positive frequencies in rising order")
    #expect(throws: AcousticsError.self) { try Sensitivity(flat: SoundPressureLevel(.nan)) }
  }

  @Test("calibrations written and read are the same, and bad ones are refused on reading")
  func coding() throws {
    let output = try Self.output(.er3aCoupler)
    let data = try JSONEncoder().encode(output)
    #expect(try JSONDecoder().decode(OutputCalibration.self, from: data) == output)
    let input = InputCalibration.assumed
    #expect(try JSONDecoder().decode(InputCalibration.self, from: JSONEncoder().encode(input)) == input)
    let text = String(decoding: data, as: UTF8.self)
    for (good, bad) in [("er3a-2cc", "er3b"), ("2026-02-28", "2026-02-29"), (":110", ":500")] {
      let broken = text.replacing(good, with: bad)
      #expect(broken != text, "\(good) is in the file")
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(OutputCalibration.self, from: Data(broken.utf8))
      }
    }
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(
        InputCalibration.self,
        from: Data(#"{"device":{"device":"m","status":"none"},"channels":[]}"#.utf8))
    }
  }

  @Test("a date is a day that exists, in four, two and two digits")
  func dates() throws {
    #expect(CalendarDate("2024-02-29")?.description == "2024-02-29")
    #expect(CalendarDate(year: 2000, month: 2, day: 29) != nil)
    for bad in ["2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "+026-01-01", "", "x"]
    {
      #expect(CalendarDate(bad) == nil, "\(bad)")
    }
    let early = try #require(CalendarDate("2025-12-31"))
    #expect(early < (try #require(CalendarDate("2026-01-01"))))
  }
}
