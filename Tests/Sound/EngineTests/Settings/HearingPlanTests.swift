import Acoustics
import Fitting
import HearingDSP
import Testing

@testable import Engine

@Suite("HearingSettings by a plan") struct HearingPlanTests {
  let geometry = try? ChainGeometry(sampleRate: 44_100, blockFrames: 64)

  private func settings(_ plan: FittingPlan) -> HearingSettings {
    HearingSettings(audiograms: Binaural(both: StandardAudiogram.n4.audiogram), plan: plan).calibrated()
  }

  @Test("each ear gets the plan's own curves and limits")
  func curves() throws {
    let tuning = try FineTuning(points: [.init(frequency: 1000, changes: SpeechLevels(all: 5))])
    let plan = try FittingPlan(
      target: .rule(.cambridgeCompressive), fineTuning: Binaural(left: tuning, right: .none),
      adaptation: 0.8, outputCeiling: SoundPressureLevel(102))
    let settings = settings(plan)
    for ear in Ear.allCases {
      let fitting = try settings.fitting(for: ear)
      let audiogram = StandardAudiogram.n4.audiogram
      #expect(fitting.curves == (try plan.rule(for: ear).curves(for: audiogram, bands: settings.bands)))
      #expect(
        fitting.bandLimits == plan.outputLimits(for: ear, audiogram: audiogram, bands: settings.bands))
      #expect(fitting.outputLimit == SoundPressureLevel(102))
    }
    #expect(try settings.fitting(for: .left).curves != settings.fitting(for: .right).curves)
  }

  @Test("the chain plays every rule and ratio for the greatest loss that is accepted, 120 dB HL")
  func greatestLoss() throws {
    let geometry = try #require(geometry)
    let deaf = try Audiogram(air: [250: 120, 500: 120, 1000: 120, 2000: 120, 4000: 120, 8000: 120])
    for rule in PrescribedRule.all + PrescribedRule.former {
      for ratio in [1.0, 2, 3] {
        var settings = HearingSettings(
          audiograms: Binaural(both: deaf),
          plan: try FittingPlan(target: .rule(rule.with(compressionRatio: ratio)))
        ).calibrated()
        #expect(throws: Never.self, "\(rule)") { try settings.parameters(for: geometry) }
        // Volume turned up adds what room there is.
        settings.adjustmentLimits = AdjustmentLimits(volume: -20...20, tone: -6...6)
        settings.adjustment = SoundAdjustment(volume: 20)
        #expect(throws: Never.self, "\(rule)") { try settings.parameters(for: geometry) }
      }
    }
  }

  @Test("the lower of the plan's ceiling and the configuration's limit counts, everywhere")
  func ceilings() throws {
    for (ceiling, limit, expected) in [(100.0, 111.0, 100.0), (111, 95, 95)] {
      var settings = settings(
        try FittingPlan(target: .rule(.nalRP), outputCeiling: SoundPressureLevel(ceiling)))
      settings.maximumOutput = SoundPressureLevel(limit)
      let fitting = try settings.fitting(for: .left)
      #expect(fitting.outputLimit == SoundPressureLevel(expected))
      #expect(fitting.bandLimits.allSatisfy { $0 <= SoundPressureLevel(expected) })
      #expect(settings.outputCeiling == SoundPressureLevel(expected))
    }
  }

  @Test("each ear gets the lowering and the sound that its plan prescribes, and none otherwise")
  func loweringAndSound() throws {
    let lowering = try FrequencyLowering(cutoff: 2000, ratio: 2)
    let sound = try TinnitusSound(
      shape: .notched(pitch: 6000, width: 0.5), level: SoundPressureLevel(45))
    let settings = settings(
      try FittingPlan(
        target: .rule(.nalRP), lowering: Binaural(left: nil, right: lowering),
        tinnitusSound: Binaural(left: sound, right: nil)))
    let (left, right) = (try settings.fitting(for: .left), try settings.fitting(for: .right))
    #expect(left.lowering == nil && left.tinnitusSound == sound)
    #expect(right.lowering == lowering && right.tinnitusSound == nil)
    let plain = try self.settings(FittingPlan(target: .rule(.nalRP))).fitting(for: .left)
    #expect(plain.lowering == nil && plain.tinnitusSound == nil)
  }

  @Test("an ear without thresholds gets no lowering, and its tinnitus sound all the same")
  func untestedEar() throws {
    let sound = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(45))
    var settings = settings(
      try FittingPlan(
        target: .rule(.nalRP), lowering: Binaural(both: FrequencyLowering(cutoff: 2000, ratio: 2)),
        tinnitusSound: Binaural(both: sound)))
    settings.audiograms?.right = try Audiogram(points: [])
    let (left, right) = (try settings.fitting(for: .left), try settings.fitting(for: .right))
    #expect(left.lowering != nil && right.lowering == nil && settings.lowering(for: .right) == nil)
    #expect(left.tinnitusSound == sound && right.tinnitusSound == sound)
  }

  /// With an earphone of so many dB SPL at full scale that nobody measured: the sound's level against full
  /// scale at the loudest band, dB.
  private func digits(_ earphone: Double, _ level: Double) throws -> Double? {
    let sound = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(level))
    var settings = HearingSettings(
      audiograms: Binaural(both: StandardAudiogram.n4.audiogram),
      plan: try FittingPlan(target: .rule(.nalRP), tinnitusSound: Binaural(both: sound)))
    settings.microphones = try InputCalibration(
      device: .unknown, channels: [Sensitivity(flat: SoundPressureLevel(90))])
    settings.earphones = OutputCalibration(
      device: .unknown, sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(earphone))))
    let fitting = try settings.fitting(for: .left)
    return fitting.tinnitusSound.map { sound in
      fitting.outputAtFullScale.map { sound.level - $0 }.max() ?? .nan
    }
  }

  @Test(
    "without a calibration a tinnitus sound is in the digits what it would be in an earphone of 120 dB SPL"
  )
  func uncalibratedSound() throws {
    // 45 dB SPL of 120: −75 dB, whatever the configuration claims a quieter earphone to make.
    for claimed in [120.0, 110, 95] { #expect(try digits(claimed, 45) == -75) }
    // A louder one is believed.
    #expect(try digits(130, 45) == -85)
    // 25 dB less than 30 dB SPL is nothing that anybody hears.
    #expect(try digits(95, 30) == nil)
  }

  @Test("a tinnitus sound that is left out for want of a calibration is known as that")
  func heldBackSound() throws {
    // Of 120 dB SPL at full scale 95 are claimed: 25 dB less, and what is below 10 dB SPL is left out.
    for (level, isHeldBack) in [(34.0, true), (35, false)] {
      let sound = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(level))
      var settings = HearingSettings(
        audiograms: Binaural(both: StandardAudiogram.n4.audiogram),
        plan: try FittingPlan(target: .rule(.nalRP), tinnitusSound: Binaural(left: sound, right: nil)))
      settings.microphones = try InputCalibration(
        device: .unknown, channels: [Sensitivity(flat: SoundPressureLevel(90))])
      settings.earphones = OutputCalibration(
        device: .unknown, sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(95))))
      #expect(settings.isTinnitusSoundHeldBack(for: .left) == isHeldBack)
      #expect((settings.tinnitusSound(for: .left) == nil) == isHeldBack)
      #expect(settings.tinnitusSound(for: .left) == (try settings.fitting(for: .left).tinnitusSound))
      #expect(!settings.isTinnitusSoundHeldBack(for: .right) && settings.tinnitusSound(for: .right) == nil)
    }
  }

  @Test("a measured earphone plays a tinnitus sound as it is prescribed")
  func calibratedSound() throws {
    let sound = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(30))
    let plan = try FittingPlan(target: .rule(.nalRP), tinnitusSound: Binaural(both: sound))
    #expect(try settings(plan).fitting(for: .right).tinnitusSound == sound)
  }

  @Test(
    "beside a microphone that nobody measured, a measured earphone plays a tinnitus sound at the level that is prescribed, below limits as low as without"
  )
  func soundOfMeasuredEarphone() throws {
    let sound = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(25))
    var settings = settings(
      try FittingPlan(target: .rule(.nalRP), tinnitusSound: Binaural(both: sound)))
    settings.microphones = .assumed
    settings.earphones = OutputCalibration(
      device: settings.earphones.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(100))))
    let fitting = try settings.fitting(for: .left)
    // 25 dB SPL of 100, and the sound is in force.
    #expect(fitting.tinnitusSound == sound && !settings.isTinnitusSoundHeldBack(for: .left))
    #expect(fitting.addedAtFullScale.allSatisfy { sound.level - $0 == -75 })
    // Amplified sound, and each limit, goes by the 120 dB SPL that the microphone is assumed to have.
    var neither = settings
    neither.earphones = .assumed
    let cautious = try neither.fitting(for: .left)
    #expect(fitting.outputAtFullScale == cautious.outputAtFullScale && fitting.curves == cautious.curves)
    #expect(fitting.bandLimits == cautious.bandLimits)
    #expect(try OutputLimits(settings.fittings()) == OutputLimits(neither.fittings()))
    // With the microphone measured too there is one level.
    settings.microphones = self.settings(settings.plan).microphones
    let both = try settings.fitting(for: .left)
    #expect(both.addedAtFullScale == both.outputAtFullScale)
    #expect(both.addedAtFullScale == fitting.addedAtFullScale)
  }

  @Test("an earphone below what the chain accepts plays beside a microphone that nobody measured")
  func faintEarphone() throws {
    let geometry = try #require(geometry)
    let sound = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(25))
    var settings = settings(
      try FittingPlan(target: .rule(.nalRP), tinnitusSound: Binaural(both: sound)))
    settings.microphones = .assumed
    settings.streaming = StreamingSettings()
    settings.earphones = OutputCalibration(
      device: settings.earphones.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(50))))
    #expect(throws: Never.self) { try settings.parameters(for: geometry) }
    #expect(throws: Never.self) { try settings.streamingSetting(for: geometry) }
  }

  @Test("a rule from the configuration may be loud up to the build's own limit")
  func usualPlan() throws {
    #expect(HearingSettings.usualPlan.outputCeiling == SoundPressureLevel(120))
    #expect(HearingSettings().outputCeiling == SoundPressureLevel(111))
    #expect(HearingSettings().ruleName == "NAL-RP-compressive, compression 2.0:1")
  }

  @Test("every rule, tuned as far as it goes, makes a chain for every standard audiogram")
  func everyRule() throws {
    let geometry = try #require(geometry)
    let all = SpeechLevels(soft: 15.0, ordinary: 15, loud: -15)
    let tuning = try FineTuning(points: [
      .init(frequency: 250, changes: all), .init(frequency: 1000, changes: SpeechLevels(all: -15)),
      .init(frequency: 6000, changes: all),
    ])
    for rule in PrescribedRule.all {
      for standard in StandardAudiogram.allCases {
        for share in [1, 0.5] {
          let plan = try FittingPlan(
            target: .rule(rule), fineTuning: Binaural(left: tuning, right: .none), adaptation: share)
          let settings = HearingSettings(audiograms: Binaural(both: standard.audiogram), plan: plan)
          #expect(throws: Never.self) { try settings.parameters(for: geometry) }
          #expect(throws: Never.self) { try settings.calibrated().parameters(for: geometry) }
        }
      }
    }
  }

  @Test("the widest table makes a chain")
  func widestTable() throws {
    let geometry = try #require(geometry)
    let table = try TargetTable(points: [
      .init(frequency: 125, gains: SpeechLevels(soft: 75, ordinary: -20, loud: 75)),
      .init(frequency: 1000, gains: SpeechLevels(soft: -20, ordinary: 75, loud: -20)),
      .init(
        frequency: 8000, gains: SpeechLevels(soft: 75, ordinary: 75, loud: 0),
        maximumOutput: SoundPressureLevel(90)),
    ])
    let settings = settings(try FittingPlan(target: .tables(Binaural(both: table), source: "x")))
    #expect(throws: Never.self) { try settings.parameters(for: geometry) }
    #expect(try settings.fitting(for: .left).bandLimits.last == SoundPressureLevel(90))
    #expect(settings.ruleName == "x, targets as given")
  }
}
