import Acoustics
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Engine
@testable import EngineTesting

/// From wishes to what each ear is set to.
@Suite("HearingSettings") struct HearingSettingsTests {
  static let device = DeviceCalibration(device: "bench", date: nil, status: .verified)

  @Test("nothing prescribed: 0 dB at every level for both ears, within the limit")
  func unfitted() throws {
    let settings = HearingSettings()
    #expect(settings.fittedEars.isEmpty)
    #expect(settings.calibrationStatus == .none)
    for ear in Ear.allCases {
      let fitting = try settings.fitting(for: ear)
      #expect(fitting.curves.count == 20)
      for curve in fitting.curves {
        for level in [0.0, 50, 65, 80, 120] { #expect(curve.gain(at: SoundPressureLevel(level)) == 0) }
      }
      #expect(fitting.bandLimits == Array(repeating: SoundPressureLevel(111), count: 20))
      #expect(fitting.outputLimit == SoundPressureLevel(111))
    }
  }

  @Test("two different ears get the rule's curves for their own thresholds")
  func asymmetric() throws {
    var settings = HearingSettings(
      audiograms: Binaural(left: StandardAudiogram.n2.audiogram, right: StandardAudiogram.n4.audiogram),
      rule: NALR()
    ).calibrated()
    #expect(settings.fittedEars == [.left, .right])
    let bands = settings.bands
    let expected = Binaural(
      left: try NALR().curves(for: StandardAudiogram.n2.audiogram, bands: bands),
      right: try NALR().curves(for: StandardAudiogram.n4.audiogram, bands: bands))
    #expect(expected.left != expected.right)
    for ear in Ear.allCases { #expect(try settings.fitting(for: ear).curves == expected[ear]) }
    // Limits as well: min(100 + 0.15 H − 5, ceiling), here at 1 kHz with H = 25 and 55 dB HL.
    let band = try #require(bands.centres.firstIndex(of: 1000))
    #expect(abs(try settings.fitting(for: .left).bandLimits[band].decibels - 98.75) < 1e-9)
    #expect(abs(try settings.fitting(for: .right).bandLimits[band].decibels - 103.25) < 1e-9)
    settings.maximumOutput = SoundPressureLevel(100)
    #expect(abs(try settings.fitting(for: .left).bandLimits[band].decibels - 98.75) < 1e-9)
    #expect(try settings.fitting(for: .right).bandLimits[band] == SoundPressureLevel(100))
  }

  @Test("an ear without air-conduction points is not fitted: 0 dB, while the other is")
  func oneEar() throws {
    let bone = try Audiogram(points: [
      .init(frequency: 1000, threshold: HearingLevel(30), conduction: .bone)
    ])
    for empty in [try Audiogram(points: []), bone] {
      let settings = HearingSettings(
        audiograms: Binaural(left: empty, right: StandardAudiogram.n3.audiogram), rule: NALR()
      ).calibrated()
      #expect(settings.fittedEars == [.right])
      let left = try settings.fitting(for: .left)
      #expect(left.curves.allSatisfy { $0.gain(at: SoundPressureLevel(65)) == 0 })
      #expect(left.bandLimits.allSatisfy { $0 == SoundPressureLevel(111) })
      let right = try settings.fitting(for: .right)
      #expect(right.curves == (try NALR().curves(for: StandardAudiogram.n3.audiogram, bands: .standard)))
    }
  }

  @Test("each ear has its own microphone where two are calibrated, and shares one where one is")
  func microphones() throws {
    let (first, second) = (
      try Sensitivity(flat: SoundPressureLevel(110)), try Sensitivity(flat: SoundPressureLevel(125))
    )
    var settings = HearingSettings().calibrated()
    settings.microphones = try InputCalibration(device: Self.device, channels: [first, second])
    #expect(try settings.fitting(for: .left).inputAtFullScale == SoundPressureLevel(110))
    #expect(try settings.fitting(for: .right).inputAtFullScale == SoundPressureLevel(125))
    settings.microphones = try InputCalibration(device: Self.device, channels: [first])
    #expect(try settings.fitting(for: .right).inputAtFullScale == SoundPressureLevel(110))
  }

  @Test("an earphone's table is read at each band, in dB over octaves, and held beyond its ends")
  func earphoneTable() throws {
    var settings = HearingSettings().calibrated()
    let table = try Sensitivity(table: [
      (frequency: 500, level: SoundPressureLevel(100)), (frequency: 2000, level: SoundPressureLevel(110)),
    ])
    settings.earphones = OutputCalibration(
      device: Self.device,
      sensitivity: Binaural(left: table, right: try Sensitivity(flat: SoundPressureLevel(118))))
    let left = try settings.fitting(for: .left).outputAtFullScale
    let bands = settings.bands.centres
    for (frequency, level) in [(125.0, 100.0), (500, 100), (1000, 105), (2000, 110), (8000, 110)] {
      let band = try #require(bands.firstIndex(of: frequency))
      #expect(abs(left[band].decibels - level) < 1e-9)
    }
    #expect(
      try settings.fitting(for: .right).outputAtFullScale.allSatisfy { $0 == SoundPressureLevel(118) })
  }

  @Test(
    "a sine at the output limit stays within it at the earphone's most sensitive frequency, whatever the bands",
    arguments: DeviceProfile.all, [[1000], [250, 500, 1000, 2000, 4000], BandLayout.standard.centres])
  func mostSensitive(profile: DeviceProfile, centres: [Double]) throws {
    var settings = HearingSettings().calibrated()
    settings.bands = try BandLayout(centres: centres)
    settings.earphones = profile.calibration
    settings.maximumOutput = SoundPressureLevel(100)
    let limits = try OutputLimits(settings.fittings()).levels
    for ear in Ear.allCases {
      let greatest = try (profile.calibration.sensitivity[ear].frequencies ?? [1000]).map {
        try profile.calibration.sensitivity[ear].level(at: $0).decibels
      }.max()
      // Single precision.
      #expect(limits[ear].decibels <= 100 - (greatest ?? .nan) + 1e-4)
    }
  }

  @Test("the worse calibration of both ends counts", arguments: CalibrationStatus.allCases)
  func status(status: CalibrationStatus) throws {
    var settings = HearingSettings().calibrated()
    #expect(settings.calibrationStatus == .verified)
    settings.earphones = OutputCalibration(
      device: DeviceCalibration(device: "bench", date: nil, status: status),
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(120))))
    #expect(settings.calibrationStatus == status)
  }

  @Test("a provisional calibration is enough for the whole prescription, none is not")
  func caution() throws {
    var settings = HearingSettings(
      audiograms: Binaural(both: StandardAudiogram.n5.audiogram), rule: PrescribedRule.halfGain.rule
    ).calibrated()
    let prescribed = try settings.curves(for: .left)
    settings.microphones = try InputCalibration(
      device: DeviceCalibration(device: "bench", date: nil, status: .provisional),
      channels: [try Sensitivity(flat: SoundPressureLevel(120))])
    #expect(try settings.fitting(for: .left).curves == prescribed)
    settings.microphones = .assumed
    let cautious = try settings.fitting(for: .left).curves
    let greatest = prescribed.map { $0.gain(at: SoundPressureLevel(65)) }.max() ?? 0
    #expect(greatest > 20)
    for (given, wanted) in zip(cautious, prescribed) {
      let target = min(20, wanted.gain(at: SoundPressureLevel(65)))
      #expect(abs(given.gain(at: SoundPressureLevel(65)) - target) < 1e-9)
    }
  }

  @Test(
    "without a calibration each gain is held to 20 dB by itself: what asks for less is heard as prescribed, also where the other ear asks for more",
    arguments: [PrescribedRule.cambridgeCompressive, .nalRPCompressive(compressionRatio: 2), .pogoII])
  func caution(rule: PrescribedRule) throws {
    var settings = HearingSettings(
      audiograms: Binaural(left: StandardAudiogram.n3.audiogram, right: StandardAudiogram.n6.audiogram))
    settings.plan = try HearingSettings.plan(by: rule)
    for ear in Ear.allCases {
      let (given, wanted) = (try settings.fitting(for: ear).curves, try settings.curves(for: ear))
      for band in settings.bands.centres.indices {
        for level in stride(from: -20.0, through: 140, by: 2.5).map({ SoundPressureLevel($0) }) {
          let gains = (given[band].gain(at: level), wanted[band].gain(at: level))
          #expect(
            abs(gains.0 - min(20, gains.1)) < 1e-9, "\(ear) \(settings.bands.centres[band]) Hz \(level)")
        }
      }
    }
  }

  @Test(
    "volume and tone turned up lift what lies below 20 dB without a calibration, and nothing above that")
  func cautionAndVolume() throws {
    var settings = HearingSettings(
      audiograms: Binaural(both: StandardAudiogram.n3.audiogram), rule: PrescribedRule.halfGain.rule)
    settings.adjustmentLimits = AdjustmentLimits(volume: -20...8, tone: -6...6)
    settings.adjustment = SoundAdjustment(volume: 8, tone: 6)
    let (given, wanted) = (try settings.fitting(for: .left).curves, try settings.curves(for: .left))
    for (band, centre) in settings.bands.centres.enumerated() {
      // As documented of tone: a quarter of it for each octave from 1 kHz on, two at most.
      let turned = 8 + 6 / 4 * min(max(log2(centre / 1000), -2), 2)
      for level in stride(from: 0.0, through: 120, by: 10).map({ SoundPressureLevel($0) }) {
        let target = min(20, min(20, wanted[band].gain(at: level)) + turned)
        #expect(abs(given[band].gain(at: level) - target) < 1e-9, "\(centre) Hz")
      }
    }
  }

  @Test(
    "the chain is told what each ear hears behind the gain that sounds, volume and caution included; nothing of ears without thresholds"
  )
  func aidedThresholds() throws {
    let ears = Binaural(left: StandardAudiogram.n3.audiogram, right: StandardAudiogram.n4.audiogram)
    var settings = HearingSettings(audiograms: ears, rule: NALR())
    for volume in [0.0, -10] {
      settings.adjustment.volume = volume
      for ear in Ear.allCases {
        let fitting = try settings.fitting(for: ear)
        let aided = try #require(fitting.aidedThresholds)
        for (band, centre) in settings.bands.centres.enumerated() {
          let threshold = try #require(ears[ear].threshold(at: centre)).decibels
          // A linear rule has one gain at all levels.
          let gain = fitting.curves[band].gain(at: SoundPressureLevel(50))
          #expect(abs(aided[band] - (threshold - gain)) < 1e-9)
        }
      }
    }
    #expect(try HearingSettings().fitting(for: .left).aidedThresholds == nil)
    settings.audiograms?.right = try Audiogram(points: [])
    #expect(try settings.fitting(for: .right).aidedThresholds == nil)
  }

  @Test("an ear the rule cannot fit is named")
  func refusedEar() throws {
    let narrow = try Audiogram(air: [3000: 40, 4000: 45])
    let settings = HearingSettings(
      audiograms: Binaural(left: narrow, right: StandardAudiogram.n1.audiogram), rule: NALR())
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    #expect(throws: FittingFailure.rule(.left, .insufficientThresholds(measured: [3000, 4000]))) {
      try settings.parameters(for: geometry)
    }
  }

  @Test("a limit outside 60 to 120 dB SPL is refused", arguments: [59.9, 120.1, .nan, .infinity])
  func refusedLimit(limit: Double) throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    for audiograms in [nil, Binaural(both: StandardAudiogram.n1.audiogram)] {
      let settings = HearingSettings(audiograms: audiograms, maximumOutput: SoundPressureLevel(limit))
      #expect(throws: FittingFailure.self) { try settings.parameters(for: geometry) }
    }
  }
}
