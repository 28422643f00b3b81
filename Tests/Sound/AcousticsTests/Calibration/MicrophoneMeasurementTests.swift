import Base
import Foundation
import Testing

@testable import Acoustics

@Suite("Measurement of microphones") struct MicrophoneMeasurementTests {
  static func reading(
    _ channel: Int, _ sound: Double = 94, _ measured: Double = -26
  ) throws(AcousticsError) -> MicrophoneMeasurement.Reading {
    try MicrophoneMeasurement.Reading(
      channel: channel, frequency: 1000, sound: SoundPressureLevel(sound),
      measured: FullScaleLevel(measured))
  }

  @Test("94 dB SPL at −26 dB FS is 120 dB SPL at full scale")
  func sensitivity() throws {
    let measurement = try MicrophoneMeasurement(
      readings: [Self.reading(0), Self.reading(1, 114, -4)], examiner: "N. N.", calibrator: "type 4231")
    #expect(try measurement.sensitivities().map(\.nominalLevel.decibels) == [120, 118])
    let calibration = try InputCalibration(
      device: EarphoneMeasurementTests.device, measurement: measurement)
    let data = try JSONEncoder().encode(calibration)
    #expect(!String(decoding: data, as: UTF8.self).contains("channels"))
    #expect(try JSONDecoder().decode(InputCalibration.self, from: data) == calibration)
  }

  @Test("where the microphone responds more, full scale is less sound")
  func response() throws {
    let response = try FrequencyResponse(
      """
      "Sens Factor =-1.378dB, SERNO: 7000000"
      20.0 -3.0
      1000 1.0 0
      10000\t4.0
      """)
    let measurement = try MicrophoneMeasurement(
      readings: [Self.reading(0)], examiner: "N. N.", calibrator: "c", response: response)
    let sensitivity = try measurement.sensitivities()[0]
    #expect(try sensitivity.level(at: 1000) == SoundPressureLevel(120))
    #expect(try sensitivity.level(at: 20) == SoundPressureLevel(124))
    #expect(try sensitivity.level(at: 10_000) == SoundPressureLevel(117))
    #expect(response.notes == ["\"Sens Factor =-1.378dB, SERNO: 7000000\""])
  }

  @Test(
    "a comma within a number is a decimal one where blanks, tabs or semicolons separate, and separates where nothing else does",
    arguments: [
      "20,00\t-3,45\t0\n1000,50\t1,0\t0", "20,00 -3,45\n1000,50 1,0", "20,00;-3,45;90,1\n1000,50;1,0;2,0",
      "20 -3,45\n1000,5 1", "20.00,-3.45\n1000.5,1", "20, -3.45\n1000.5, 1.0, 12",
      "20.0,-3.45,90\n1000.5,1.0,2",
    ])
  func decimalCommas(text: String) throws {
    let response = try FrequencyResponse(text)
    #expect(response.rows.map(\.frequency) == [20, 1000.5] && response.rows.map(\.level) == [-3.45, 1])
  }

  @Test("a response that does not rise, is no number or too short is refused with its line")
  func wrongResponse() {
    func words(_ text: String) -> String? {
      refusal { () throws(AcousticsError) in try FrequencyResponse(text) }
    }
    #expect(words("1000 0\n500 0") == "line 2: 500 Hz: expected positive frequencies in rising order")
    #expect(words("1000 0\n2000 900")?.hasPrefix("line 2: a response of 900 dB") == true)
    #expect(words("1000 0\n2000 nan") != nil)
    #expect(words("1000 0")?.hasPrefix("1 rows") == true)
    #expect(words("hello") != nil)
    #expect(words("-5 0\n5 0") != nil)
  }

  @Test("levels that no calibrator makes and no microphone has are refused")
  func wrong() throws {
    func words(_ sound: Double, _ measured: Double) -> String? {
      refusal { () throws(AcousticsError) in try Self.reading(0, sound, measured) }
    }
    #expect(words(940, -26) == "a calibrator of 940 dB SPL: expected 70 to 130 dB SPL, such as 94 or 114")
    #expect(words(94, 20) == "20 dB FS for 94 dB SPL: expected −66 to 14 dB FS")
    #expect(words(94, -.infinity) != nil)
    #expect(words(94, .nan) != nil)
    let one = try Self.reading(1)
    #expect(
      refusal { () throws(AcousticsError) in
        try MicrophoneMeasurement(readings: [one], examiner: "", calibrator: "")
      } == "readings of channels 1: expected each channel once, from 0")
  }
}

@Suite("Check by ears") struct EarCheckTests {
  static let day = CalendarDate(year: 2026, month: 11, day: 26)

  static func threshold(
    _ person: String, _ level: Double, _ frequency: Double = 1000, _ ear: Ear = .left
  ) -> EarCheck.Threshold {
    EarCheck.Threshold(person: person, ear: ear, frequency: frequency, level: HearingLevel(level))
  }

  @Test("the mean of three ears has to lie within 10 dB of 0 dB HL")
  func mean() throws {
    let day = try #require(Self.day)
    let good = try EarCheck(
      [Self.threshold("a", 5), Self.threshold("a", 15, 1000, .right), Self.threshold("b", 10)], date: day)
    #expect(good.means == [EarCheck.Mean(frequency: 1000, level: HearingLevel(10), ears: 3)])
    #expect(good.outliers.isEmpty && good.ears == 3)
    let bad = try EarCheck(
      ["a", "b", "c"].map { Self.threshold($0, 10.1) }
        + ["a", "b", "c"].map { Self.threshold($0, -10, 4000) },
      date: day)
    #expect(bad.outliers.map(\.frequency) == [1000])
  }

  @Test("fewer ears, one ear twice and thresholds of no audiometer are refused")
  func wrong() throws {
    let day = try #require(Self.day)
    func words(_ thresholds: [EarCheck.Threshold]) -> String? {
      refusal { () throws(AcousticsError) in try EarCheck(thresholds, date: day) }
    }
    #expect(
      words([Self.threshold("a", 5), Self.threshold("b", 5)]) == "2 ears at 1000 Hz: expected at least 3")
    #expect(
      words([Self.threshold("a", 5), Self.threshold("a", 5)])
        == "the left ear at 1000 Hz of one person twice")
    #expect(words(["a", "b", "c"].map { Self.threshold($0, 500) }) != nil)
    #expect(words(["a", "b", "c"].map { Self.threshold($0, .nan) }) != nil)
    #expect(words([]) != nil)
  }

  @Test("thresholds come as a table")
  func table() throws {
    let list = try EarCheck.Threshold.list(parsing: "person,ear,frequency,threshold\n1,left,1k,-5\n")
    #expect(list == [Self.threshold("1", -5)])
    #expect(
      refusal { () throws(AcousticsError) in
        try EarCheck.Threshold.list(parsing: "ear,frequency,threshold\n")
      }?
      .contains("no column \"person\"") == true)
  }
}
