import Base
import Foundation
import Testing

@testable import Acoustics

typealias Reading = EarphoneMeasurement.Reading

/// A reading of a tone at −20 dB FS, unless told otherwise.
func reading(
  _ ear: Ear, _ frequency: Double, _ level: Double, at played: Double = -20
) throws(AcousticsError) -> Reading {
  try Reading(
    ear: ear, frequency: frequency, played: FullScaleLevel(played), read: SoundPressureLevel(level))
}

/// 90 dB SPL at −20 dB FS at every frequency that is needed, and 80 at −30 where linearity is checked.
func wholeReadings() throws -> [Reading] {
  try Ear.allCases.flatMap { ear in
    try [500.0, 1000, 2000, 4000].map { try reading(ear, $0, 90) } + [try reading(ear, 1000, 80, at: -30)]
  }
}

@Suite("Measurement of earphones") struct EarphoneMeasurementTests {
  @Test("full scale is the level on the meter less that of the tone; the loudest tone counts")
  func sensitivity() throws {
    let measurement = try EarphoneMeasurement(
      readings: [
        try reading(.left, 1000, 84.2, at: -30), try reading(.left, 1000, 94.1),
        try reading(.left, 250, 88),
        try reading(.right, 1000, 93),
      ], examiner: "N. N.", coupler: "IEC 60318-4")
    let sensitivity = try measurement.sensitivity()
    // 94.1 + 20 and 88 + 20, in the rounding of a double.
    #expect(abs(try sensitivity.left.level(at: 1000).decibels - 114.1) < 1e-9)
    #expect(try sensitivity.left.level(at: 250) == SoundPressureLevel(108))
    #expect(sensitivity.left.range == 250...1000)
    #expect(sensitivity.right.nominalLevel == SoundPressureLevel(113))
  }

  @Test("a digit too many or too few is refused, with what is allowed")
  func digits() {
    func words(_ level: Double, _ frequency: Double = 1000) -> String? {
      refusal { () throws(AcousticsError) in try reading(.left, frequency, level) }
    }
    #expect(words(940) == "940 dB SPL for a tone at −20 dB FS: expected 40 to 130")
    #expect(words(9.4) == "9.4 dB SPL for a tone at −20 dB FS: expected 40 to 130")
    #expect(words(94) == nil)
    #expect(words(.nan) != nil)
    #expect(words(.infinity) != nil)
    #expect(words(94, 0) == "0 Hz: expected 20 to 20000 Hz")
    #expect(refusal { () throws(AcousticsError) in try reading(.left, 1000, 94, at: 3) } != nil)
  }

  @Test("a jump of more than 20 dB from the next frequency contradicts, and no less does")
  func jump() throws {
    let earlier = [
      try reading(.left, 1000, 94), try reading(.left, 4000, 60), try reading(.right, 2000, 60),
    ]
    // 2000 Hz lies as near to 4000 as to 1000; the first of both counts.
    #expect(
      EarphoneMeasurement.contradiction(of: try reading(.left, 1500, 73.9), after: earlier)
        == "73.9 dB SPL at 1500 Hz after 94 at 1000 Hz: expected 74 to 114, for an earphone differs by less from one "
        + "frequency to the next")
    #expect(EarphoneMeasurement.contradiction(of: try reading(.left, 1500, 74), after: earlier) == nil)
    #expect(EarphoneMeasurement.contradiction(of: try reading(.right, 1500, 79), after: earlier) == nil)
    #expect(EarphoneMeasurement.contradiction(of: try reading(.left, 500, 94), after: []) == nil)
    // The same tone once more, elsewhere: nobody knows which is right.
    #expect(EarphoneMeasurement.contradiction(of: try reading(.left, 1000, 95.1), after: earlier) != nil)
    #expect(EarphoneMeasurement.contradiction(of: try reading(.left, 1000, 95), after: earlier) == nil)
    // Another level of the tone is no jump.
    #expect(
      EarphoneMeasurement.contradiction(of: try reading(.left, 1500, 64, at: -50), after: earlier) == nil)
  }

  @Test("a tone 10 dB softer has to read 10 ± 1 dB less")
  func linearity() throws {
    let earlier = [try reading(.left, 1000, 94)]
    for (level, isGood) in [
      (84.0, true), (83, true), (85, true), (82.9, false), (85.1, false), (94, false),
    ] {
      let words = EarphoneMeasurement.contradiction(
        of: try reading(.left, 1000, level, at: -30), after: earlier)
      #expect((words == nil) == isGood, "\(level)")
    }
    #expect(
      EarphoneMeasurement.contradiction(of: try reading(.left, 1000, 94, at: -30), after: earlier)?
        .hasPrefix(
          "94 dB SPL at −30 dB FS after 94 at −20: expected 84 ± 1") == true)
  }

  @Test("500, 1000, 2000 and 4000 Hz of both ears and a softer tone of each make it whole")
  func shortcomings() throws {
    func shortcomings(_ readings: [Reading]) throws -> [String] {
      try EarphoneMeasurement(readings: readings, examiner: "N. N.", coupler: "coupler").shortcomings
    }
    let whole = try wholeReadings()
    #expect(try shortcomings(whole).isEmpty)
    #expect(
      try shortcomings(whole.filter { $0.ear != .left || ![500, 4000].contains($0.frequency) })
        == ["no reading of the left ear at 500 and 4000 Hz"])
    #expect(
      try shortcomings(whole.filter { $0.ear != .right || $0.played == FullScaleLevel(-20) })
        == ["no second, softer tone of the right ear that would show that levels are linear"])
    #expect(
      try shortcomings(whole + [try reading(.right, 8000, 60)]).first?.hasPrefix(
        "right ear, 60 dB SPL at 8000 Hz")
        == true)
    #expect(
      refusal { () throws(AcousticsError) in
        try EarphoneMeasurement(
          readings: whole.filter { $0.ear == .left }, examiner: "N. N.", coupler: "coupler")
      } == "no reading of the right ear: expected one of each ear at least")
  }

  // MARK: - Files

  static let device = DeviceCalibration(
    device: "hw:CARD=PCH (HDA 200)", date: CalendarDate(year: 2026, month: 11, day: 26), status: .verified)

  @Test("a file keeps readings instead of levels, and comes back as it was")
  func roundTrip() throws {
    let calibration = try OutputCalibration(
      device: Self.device,
      measurement: EarphoneMeasurement(
        readings: wholeReadings(), examiner: "N. N.", coupler: "IEC 60318-1"),
      transducer: Transducer.named("hda200"), maximumLevel: SoundPressureLevel(115))
    let data = try JSONEncoder().encode(calibration)
    #expect(!String(decoding: data, as: UTF8.self).contains("sensitivity"))
    #expect(try JSONDecoder().decode(OutputCalibration.self, from: data) == calibration)
  }

  @Test("levels beside readings have to follow from them")
  func contradicted() throws {
    func file(_ left: String) -> Data {
      Data(
        """
        {"device": {"device": "x", "date": "2026-11-26", "status": "verified"},
         "sensitivity": {"left": \(left), "right": 113},
         "measurement": {"examiner": "N. N.", "coupler": "c", "readings": [
           {"ear": "left", "frequency": 1000, "played": -20, "read": 94},
           {"ear": "right", "frequency": 1000, "played": -20, "read": 93}]}}
        """.utf8)
    }
    _ = try JSONDecoder().decode(OutputCalibration.self, from: file("114.05"))
    #expect(throws: AcousticsError.self) {
      try JSONDecoder().decode(OutputCalibration.self, from: file("111"))
    }
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(
        OutputCalibration.self,
        from: Data(String(decoding: file("114"), as: UTF8.self).replacing("94", with: "940").utf8))
    }
  }

  @Test("a status is held to a worse one with the reason, and never raised")
  func held() {
    let held = Self.device.held(to: .provisional, because: "no readings")
    #expect((held.status, held.caveat) == (.provisional, "no readings"))
    #expect(DeviceCalibration.unknown.held(to: .provisional, because: "x") == .unknown)
  }
}

@Suite("Readings as a table") struct ReadingsCSVTests {
  @Test("columns stand in any order; one level may hold for all tones")
  func table() throws {
    let readings = try Reading.list(
      parsing: "Frequency (Hz),ear,level\n1k,left,94.2\n250,R,90\n", played: FullScaleLevel(-20))
    #expect(readings == [try reading(.left, 1000, 94.2), try reading(.right, 250, 90)])
    let played = try Reading.list(parsing: "ear;frequency;level;played\nl;1000;84,2;-30\n", played: nil)
    #expect(played == [try reading(.left, 1000, 84.2, at: -30)])
  }

  @Test("what is wrong is told with its line")
  func wrong() {
    func words(_ text: String, _ played: Double? = -20) -> String? {
      refusal { () throws(AcousticsError) in
        try Reading.list(parsing: text, played: played.map { FullScaleLevel($0) })
      }
    }
    #expect(
      words("ear,frequency,level\nleft,1000,940")
        == "line 2: 940 dB SPL for a tone at −20 dB FS: expected 40 to 130")
    #expect(words("ear,frequency,level\nleft,1000,94", nil)?.hasPrefix("no column \"played\"") == true)
    #expect(words("ear,level\nleft,94")?.hasPrefix("line 1: no column \"frequency\"") == true)
    #expect(
      words("ear,frequency,level,colour\nleft,1000,94,red")?.contains("unknown column \"colour\"") == true)
    #expect(words("ear,frequency,level\nmiddle,1000,94")?.hasPrefix("line 2: \"middle\" as an ear") == true)
    #expect(words("ear,frequency,level\nleft,1000") == "line 2: 2 fields: expected 3, as in the header")
    #expect(
      words("ear,frequency,level\nleft,1000,loud") == "line 2: \"loud\" as level: expected dB SPL, as 94.2")
    #expect(words("ear,ear,frequency,level\n")?.contains("given twice") == true)
    #expect(words("ear,frequency,level\n") == "no rows below the header")
    #expect(words("") != nil)
    #expect(words("ear,frequency,level\nleft,\"1000,94") != nil)
  }
}
