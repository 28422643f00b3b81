import Acoustics
import Fitting
import HearingDSP
import Testing

@testable import Engine

/// The response of a microphone whose level at full scale is known by frequency, as the settings hand it to the chain.
@Suite("Microphone response of the settings") struct MicrophoneResponseSettingsTests {
  /// Full scale of a microphone that makes 3 dB less of 250 Hz than of 1 kHz, 8 dB more of 4 kHz and 40 of 8 kHz, dB SPL.
  static let levels: [(frequency: Double, level: SoundPressureLevel)] = [
    (250, SoundPressureLevel(123)), (1000, SoundPressureLevel(120)), (4000, SoundPressureLevel(112)),
    (8000, SoundPressureLevel(80)),
  ]

  static func settings(_ sensitivity: Sensitivity) throws -> HearingSettings {
    var settings = try StableGainTests.settings(nil)
    settings.microphones = try InputCalibration(
      device: HearingSettingsTests.device, channels: [sensitivity])
    return settings
  }

  static func uneven() throws -> HearingSettings { try settings(Sensitivity(table: levels)) }
  static func flat() throws -> HearingSettings { try settings(Sensitivity(flat: SoundPressureLevel(120))) }

  static func band(at frequency: Double) throws -> Int {
    try #require(BandLayout.standard.centres.firstIndex(of: frequency))
  }

  @Test(
    "it is the level at 1 kHz less that of the band, within −10 to 30 dB, the nearest end beyond the table")
  func response() throws {
    let fitting = try Self.uneven().fitting(for: .left)
    let response = try #require(fitting.microphoneResponse)
    for (frequency, expected) in [
      (125.0, -3.0), (250, -3), (1000, 0), (2000, 4), (4000, 8), (8000, 30), (12_500, 30),
    ] {
      #expect(abs(response[try Self.band(at: frequency)] - expected) < 1e-9, "\(frequency) Hz")
    }
    #expect(fitting.inputAtFullScale == SoundPressureLevel(120))
    #expect(fitting.curves == (try Self.flat().fitting(for: .left).curves))
    let deaf = try Sensitivity(table: [(100, SoundPressureLevel(160)), (1000, SoundPressureLevel(120))])
    let low = try #require(try Self.settings(deaf).fitting(for: .left).microphoneResponse)
    #expect(low[try Self.band(at: 125)] == -10)
  }

  @Test("a flat microphone, one that is not calibrated and an ear that is not fitted have none")
  func without() throws {
    #expect(try Self.flat().fitting(for: .left).microphoneResponse == nil)
    var settings = try Self.uneven()
    settings.audiograms?.right = try Audiogram(points: [])
    #expect(try settings.fitting(for: .right).microphoneResponse == nil)
    var device = HearingSettingsTests.device
    device.status = .none
    settings.microphones = try InputCalibration(
      device: device, channels: [Sensitivity(table: Self.levels)])
    #expect(try settings.fitting(for: .left).microphoneResponse == nil)
  }

  @Test("of two microphones each ear has its own")
  func channels() throws {
    var settings = try Self.flat()
    settings.microphones = try InputCalibration(
      device: HearingSettingsTests.device,
      channels: [Sensitivity(flat: SoundPressureLevel(120)), Sensitivity(table: Self.levels)])
    #expect(try settings.fitting(for: .left).microphoneResponse == nil)
    let right = try #require(try settings.fitting(for: .right).microphoneResponse)
    #expect(abs(right[try Self.band(at: 4000)] - 8) < 1e-9)
  }

  @Test("an insertion gain is stable by as much more as the digits have less of it")
  func stable() throws {
    func limit(_ settings: HearingSettings) throws -> Double {
      var settings = settings
      settings.feedback.measurements.left = StableGainTests.measured(-40)
      return try #require(try settings.stableGains(for: .left))[try Self.band(at: 4000)]
    }
    let (uneven, flat) = (try limit(Self.uneven()), try limit(Self.flat()))
    #expect(abs(uneven - flat - 8) < 1e-9)
  }

  @Test("it is paced as gain: the same digits are louder without it, by what it takes away")
  func paced() throws {
    let (uneven, flat) = (try Self.uneven(), try Self.flat())
    // It takes away 8 dB at 4 kHz, and adds 3 dB from 250 Hz down.
    #expect(flat.isLouder(than: uneven) && uneven.isLouder(than: flat))
  }

  @Test("streamed sound, which no microphone takes up, has none")
  func streamed() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var settings = try Self.uneven()
    settings.streaming = StreamingSettings()
    let setting = try #require(try settings.streamingSetting(for: geometry))
    #expect(setting.parameters.fittings.left.microphoneResponse == nil)
  }
}
