import Acoustics
import Fitting
import HearingDSP
import Testing

@testable import Engine

/// The response of the coupler that an ear's earphone was measured in, as the settings hand it to the chain.
@Suite("Coupler response of the settings") struct CouplerResponseSettingsTests {
  /// Flat earphones of 118 dB SPL, read in the ear simulator at the frequencies of speech.
  static func earphones(
    _ status: CalibrationStatus = .verified, transducer: String? = "er3a"
  ) throws -> OutputCalibration {
    let readings = try Ear.allCases.flatMap { ear in
      try EarphoneMeasurement.neededFrequencies.map {
        try EarphoneMeasurement.Reading(
          ear: ear, frequency: $0, played: FullScaleLevel(-20), read: SoundPressureLevel(98))
      }
    }
    let model = try #require(Transducer.named("er3a"))
    var device = HearingSettingsTests.device
    device.status = status
    return try OutputCalibration(
      device: device,
      measurement: EarphoneMeasurement(readings: readings, examiner: "B. Ear", coupler: model.coupler),
      transducer: transducer.flatMap(Transducer.named))
  }

  /// N4 on both ears.
  static func settings(
    _ status: CalibrationStatus = .verified, transducer: String? = "er3a"
  ) throws -> HearingSettings {
    var settings = try StableGainTests.settings(nil)
    settings.earphones = try earphones(status, transducer: transducer)
    return settings
  }

  static func band(at frequency: Double) throws -> Int {
    try #require(BandLayout.standard.centres.firstIndex(of: frequency))
  }

  @Test("a measured earphone of a known model has it, and levels and curves are what they were")
  func measured() throws {
    let (with, without) = (
      try Self.settings().fitting(for: .left), try Self.settings(transducer: nil).fitting(for: .left)
    )
    let response = try #require(with.couplerResponse)
    // ISO 389-2 less ISO 389-7, and 2 dB for the second ear: 15 + 5.4 − 2.
    #expect(abs(response[try Self.band(at: 4000)] - 18.4) < 1e-9)
    #expect(without.couplerResponse?.allSatisfy { $0 == 0 } == true)
    #expect(with.curves == without.curves && with.outputAtFullScale == without.outputAtFullScale)
    #expect(with.bandLimits == without.bandLimits && with.outputLimit == without.outputLimit)
  }

  @Test("without a calibration, and at an ear that is not fitted, nothing is added")
  func without() throws {
    #expect(try Self.settings(.none).fitting(for: .left).couplerResponse == nil)
    var settings = try Self.settings()
    settings.audiograms?.right = try Audiogram(points: [])
    #expect(try settings.fitting(for: .right).couplerResponse == nil)
    #expect(try settings.fitting(for: .left).couplerResponse != nil)
    settings.audiograms = nil
    #expect(try settings.fitting(for: .left).couplerResponse == nil)
  }

  @Test("an insertion gain is stable by as much less as the coupler adds")
  func stable() throws {
    func limit(_ transducer: String?) throws -> Double {
      var settings = try Self.settings(transducer: transducer)
      settings.feedback.measurements.left = StableGainTests.measured(-40)
      return try #require(try settings.stableGains(for: .left))[try Self.band(at: 4000)]
    }
    let (without, with) = (try limit(nil), try limit("er3a"))
    #expect(abs(without - with - 18.4) < 1e-9)
  }

  @Test("it is paced as gain: 18.4 dB more by another model are louder, and take 75 ms for each dB")
  func paced() throws {
    let (with, without) = (try Self.settings(), try Self.settings(transducer: nil))
    #expect(with.isLouder(than: without) && !without.isLouder(than: with))
    var pace = ProgramPace()
    let time = pace.settings(with, after: without, shortest: 0.1, now: 0).transition
    // 1.5/20 s for a dB (``ProgramPace``); the greatest of the bands' responses, that of 4 kHz.
    #expect(abs(time - 18.4 * 0.075) < 1e-9, "\(time)")
  }

  @Test("a feedback test asks for as much more gain in the digits")
  func needed() throws {
    func needed(_ transducer: String?) throws -> Double {
      let side = try FeedbackTest(
        settings: AidSettings(
          hearing: try Self.settings(transducer: transducer), captureName: nil, playbackName: nil)
      )
      .sides([.left]).left
      return side.needed[try Self.band(at: 4000)]
    }
    let (with, without) = (try needed("er3a"), try needed(nil))
    #expect(abs(with - without - 18.4) < 1e-9)
  }

  @Test("streamed sound has it, for its full scale is that of a field")
  func streamed() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    func sound(_ transducer: String?) throws -> ChainParameters {
      var settings = try Self.settings(transducer: transducer)
      settings.streaming = StreamingSettings()
      return try #require(try settings.streamingSetting(for: geometry)).parameters
    }
    #expect(
      try sound("er3a").fittings.left.couplerResponse == Self.settings().fitting(for: .left).couplerResponse
    )
  }
}
