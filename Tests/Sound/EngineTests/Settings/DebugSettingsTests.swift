import Acoustics
import Fitting
import Glibc
import HearingDSP
import Realtime
import Testing

@testable import Engine

/// Changes of debug mode, and their limits.
@Suite("DebugSettings") struct DebugSettingsTests {
  static let bands = BandLayout.standard
  static let levels = stride(from: 20.0, through: 110, by: 5).map { SoundPressureLevel($0) }

  /// Fitted and calibrated, in the program that does most.
  static func settings(_ change: (inout DebugSettings) -> Void = { _ in }) throws -> HearingSettings {
    var settings = ProgramBench.settings(.conversationInNoise)
    var debug = DebugSettings()
    change(&debug)
    if !debug.isEmpty { settings.debug = debug }
    return settings
  }

  static func plan(ceiling: Double = 105) throws -> FittingPlan {
    try FittingPlan(
      target: .rule(.nalRPCompressive(compressionRatio: 2)), adaptation: 0.8,
      outputCeiling: SoundPressureLevel(ceiling),
      lowering: Binaural(both: try FrequencyLowering(cutoff: 3000, ratio: 2)),
      tinnitusSound: Binaural(both: try TinnitusSound(shape: .broadband, level: SoundPressureLevel(50))))
  }

  // MARK: - Numbers

  @Test("a changed threshold is that of another audiogram, in gain alone")
  func threshold() throws {
    let former = try Self.settings()
    for (change, effect) in [(5.0, 5.0), (-10, -10), (50, 20), (-.infinity, -20)] {
      let settings = try Self.settings { $0.thresholds.right[2000] = change }
      let points = StandardAudiogram.n3.audiogram.points.map { point in
        var point = point
        if point.frequency == 2000 {
          point.threshold = HearingLevel(point.threshold.decibels + effect)
        }
        return point
      }
      let other = Binaural(left: StandardAudiogram.n3.audiogram, right: try Audiogram(points: points))
      var expected = former
      expected.audiograms = other
      for ear in Ear.allCases {
        let fitting = try settings.fitting(for: ear)
        let wanted = try expected.fitting(for: ear)
        for band in Self.bands.centres.indices {
          for level in Self.levels {
            #expect(
              abs(fitting.curves[band].gain(at: level) - wanted.curves[band].gain(at: level)) < 1e-9,
              "\(change) \(ear) \(Self.bands.centres[band])")
          }
        }
        #expect(fitting.bandLimits == (try former.fitting(for: ear).bandLimits))
        #expect(fitting.outputLimit == (try former.fitting(for: ear).outputLimit))
      }
      #expect(
        settings.treatment == former.treatment && settings.soundingDynamics == former.soundingDynamics)
      #expect(settings.audiograms == former.audiograms && settings.plan == former.plan)
    }
  }

  @Test("a threshold stays within an audiometer's range")
  func thresholdRange() throws {
    let deaf = try Audiogram(air: [500: 110, 1000: 115, 2000: 118])
    var settings = HearingSettings(audiograms: Binaural(both: deaf))
    settings.debug = DebugSettings()
    settings.debug?.thresholds.left = [500: 20, 1000: 20, 2000: 20]
    var loudest = HearingSettings(
      audiograms: Binaural(both: try Audiogram(air: [500: 120, 1000: 120, 2000: 120])))
    loudest.debug = DebugSettings()
    #expect(try settings.fitting(for: .left).curves == loudest.fitting(for: .left).curves)
  }

  @Test("every number is held within its range, and what is set is what is heard")
  func numbers() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    for quantity in DebugSettings.Quantity.allCases {
      for value in [-1e9, 1e9] {
        let settings = try Self.settings { $0.numbers[quantity] = value }
        _ = try settings.parameters(for: geometry)
      }
    }
    let settings = try Self.settings {
      $0.numbers = [
        .attack: 0.02, .release: 0.4, .noiseReduction: 5, .impulseSoftening: 3, .windRelief: 2,
        .expansion: 1,
        .binauralLink: 0.25, .compressionRatio: 1.5,
      ]
    }
    let (dynamics, treatment) = (settings.soundingDynamics, settings.treatment)
    #expect(dynamics.attack == 0.02 && dynamics.release == 0.4 && dynamics.binauralLink == 0.25)
    #expect(treatment.noiseReduction == 5 && treatment.impulseSoftening == 3)
    #expect(treatment.windReduction == 2 && treatment.expansion == 1)
    var ratio = try Self.settings()
    ratio.plan = try HearingSettings.plan(by: .nalRPCompressive(compressionRatio: 1.5))
    for band in Self.bands.centres.indices {
      let (a, b) = (try settings.fitting(for: .left), try ratio.fitting(for: .left))
      for level in Self.levels {
        #expect(abs(a.curves[band].gain(at: level) - b.curves[band].gain(at: level)) < 1e-9)
      }
    }
    // The network was learnt with 16 dB.
    let deepest = try Self.settings { $0.numbers[.noiseReduction] = 20 }
    #expect(deepest.treatment.noiseReduction == 16)
    // Noise is reduced by the thresholds by which gain is made.
    let changed = try Self.settings { $0.thresholds.left = [2000: 20] }
    let thresholds = try #require(changed.audiograms?.left.threshold(at: 2000)).decibels
    let fitting = try changed.fitting(for: .left)
    let band = try #require(Self.bands.centres.firstIndex(of: 2000))
    let gain = fitting.curves[band].gain(
      at: Self.bands.speechLevel(inBand: band, overall: SoundPressureLevel(65)))
    #expect(abs(try #require(fitting.aidedThresholds)[band] - (thresholds + 20 - gain)) < 1e-9)
    // Slower than the average's own.
    let slow = try Self.settings { $0.numbers[.attack] = 2 }
    #expect(slow.soundingDynamics.average?.attack == 2)
  }

  // MARK: - Stages

  /// Noise, a voice, and blows, 70 dB SPL and more in the left ear.
  static let sound: [Float] = {
    let voice = ProgramBench.sound(.speech, seconds: 1.2)
    let noise = ProgramBench.sound(.noise, seconds: 1.2)
    return voice.indices.map { n in voice[n] + noise[n] + (n % 13_000 == 12_000 ? 0.8 : 0) }
  }()

  /// Parts of the gain of every band, over all hops after the first tenth of a second, their greatest magnitude, dB.
  static func parts(_ settings: HearingSettings) throws -> [GainPart: Double] {
    let geometry = try ChainGeometry(sampleRate: ProgramBench.rate, blockFrames: ProgramBench.frames)
    let parameters = try settings.parameters(for: geometry)
    var chain = try LimitedChain(
      geometry: geometry, bands: settings.bands, parameters: parameters, rise: 0.05)
    chain.open()
    var block = SoundBlock(frames: ProgramBench.frames)
    let previous = flushDenormals()
    defer { previous.restore() }
    var greatest: [GainPart: Double] = [:]
    for start in stride(from: 0, through: sound.count - ProgramBench.frames, by: ProgramBench.frames) {
      for n in 0..<ProgramBench.frames {
        block.leftInput[n] = sound[start + n]
        block.rightInput[n] = sound[start + n] * 0.316_227_8
      }
      block.process(&chain)
      guard start > 4410, start / ProgramBench.frames % 8 == 0 else { continue }
      var frame = ChainFrame()
      chain.performer.read(into: &frame)
      for ear in Ear.allCases {
        for gain in frame.gains(ear, setting: parameters) {
          for part in GainPart.allCases { greatest[part] = max(greatest[part] ?? 0, abs(gain[part])) }
          #expect(abs(gain.parts.reduce(0, +) - gain.applied) < 0.1)
        }
      }
    }
    return greatest
  }

  @Test("a stage that is left out leaves its part of the gain at 0")
  func stages() throws {
    let parts: [(DebugSettings.Stage, [GainPart])] = [
      (.noiseReduction, [.noiseReduction]), (.impulseSoftening, [.impulseSoftening]),
      (.windRelief, [.windRelief]), (.expansion, [.expansion]), (.binauralLink, [.link]),
      (.compression, [.link, .lag, .spread]),
    ]
    let whole = try Self.parts(try Self.settings())
    for part in [GainPart.noiseReduction, .impulseSoftening, .link, .lag, .spread] {
      #expect((whole[part] ?? 0) > 1, "\(part)")
    }
    #expect(whole[.debug] == 0)
    for (stage, own) in parts {
      let without = try Self.parts(try Self.settings { $0.stagesOff = [stage] })
      // Levels of the chain are single precision: 120 dB to 0.00001 dB.
      for part in own { #expect((without[part] ?? 1) < 1e-4, "\(stage) \(part)") }
    }
  }

  @Test("stages of the setting are left out of it")
  func settingStages() throws {
    var settings = try Self.settings()
    settings.plan = try Self.plan()
    let whole = try settings.fitting(for: .left)
    #expect(whole.lowering != nil && whole.tinnitusSound != nil && settings.soundingDynamics.average != nil)
    settings.debug = DebugSettings()
    settings.debug?.stagesOff = Set(DebugSettings.Stage.allCases)
    let without = try settings.fitting(for: .left)
    #expect(without.lowering == nil && without.tinnitusSound == nil)
    #expect(settings.soundingDynamics.average == nil && settings.soundingDynamics.binauralLink == 0)
    #expect(settings.treatment.greatestDifference(from: .plain) == 0)
    #expect(!settings.treatment.feedback.isCancelling && settings.treatment.feedback.isNotching)
    // One gain at all levels: that for speech at 65 dB SPL.
    for (band, curve) in without.layers[2].curves.enumerated() {
      let speech = LongTermAverageSpeechSpectrum.bandLevel(
        from: Self.bands.edges[band], to: Self.bands.edges[band + 1], overall: SoundPressureLevel(65))
      for level in Self.levels {
        #expect(curve.gain(at: level) == whole.layers[1].curves[band].gain(at: speech))
      }
    }
  }

  // MARK: - Limits

  /// Everything that makes louder.
  static func loudest(_ debug: inout DebugSettings) {
    for point in StandardAudiogram.n3.audiogram.airPoints {
      debug.thresholds.left[point.frequency] = 20
      debug.thresholds.right[point.frequency] = 20
    }
    debug.numbers = [.attack: 2, .release: 10]
    debug.stagesOff = [.noiseReduction, .impulseSoftening, .compression, .feedbackCanceller, .windRelief]
  }

  @Test(
    "the loudest of all changes stays within the prescription's ceiling at the loudest input",
    arguments: [85.0, 100])
  func ceiling(_ ceiling: Double) throws {
    var settings = try Self.settings(Self.loudest)
    settings.plan = try Self.plan(ceiling: ceiling)
    let input = (0..<30_000).map { Float(sin(2 * .pi * 1000 * Double($0) / ProgramBench.rate)) }
    let heard = try ProgramBench.run(input, settings)
    // Full scale is 120 dB SPL; 1 % for the limiter's interpolation between samples.
    let most = Float(pow(10, (ceiling - 120) / 20)) * 1.01
    for ear in Ear.allCases { #expect((heard[ear].map(abs).max() ?? 0) <= most, "\(ear)") }
    #expect(heard.left.contains { abs($0) > most / 2 })
  }

  @Test("without a calibration no gain passes 20 dB, and none passes what is stable without the canceller")
  func gain() throws {
    var settings = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n5.audiogram))
    settings.program = .quiet
    settings.debug = DebugSettings()
    Self.loudest(&settings.debug!)
    var measured = try StableGainTests.settings(StableGainTests.measured(-30))
    measured.program = .quiet
    measured.feedback.deviceDelay = 0.005
    measured.feedback.isOfTheseDevices.left = true
    measured.feedback.isCancellerTrusted.left = false
    let stable = try #require(try measured.stableGains(for: .left))
    measured.feedback.isCancellerTrusted.left = true
    #expect(try #require(try measured.stableGains(for: .left)) != stable)
    measured.debug = settings.debug
    #expect(try measured.stableGains(for: .left) == stable)
    let (cautious, held) = (try settings.fitting(for: .left), try measured.fitting(for: .left))
    for band in Self.bands.centres.indices {
      for level in Self.levels {
        #expect(cautious.curves[band].gain(at: level) <= 20 + 1e-9)
        #expect(held.curves[band].gain(at: level) <= stable[band] + 1e-9)
      }
    }
  }

  @Test("an attenuation for comparison lowers every gain by as much, behind the caution, and 6 dB at most")
  func attenuation() throws {
    var settings = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n5.audiogram))
    let whole = try settings.fitting(for: .left)
    for (attenuation, effect) in [(2.5, 2.5), (40, 6), (-3, 0)] {
      settings.debug = DebugSettings()
      settings.debug?.attenuation = attenuation
      let softer = try settings.fitting(for: .left)
      for band in Self.bands.centres.indices {
        for level in Self.levels {
          let (a, b) = (whole.curves[band].gain(at: level), softer.curves[band].gain(at: level))
          #expect(abs(a - b - effect) < 1e-9)
        }
      }
    }
  }

  @Test("without it everything is as it was, number by number")
  func undone() throws {
    for program in ListeningProgram.allCases {
      var settings = ProgramBench.settings(program)
      settings.plan = try Self.plan()
      let former = settings
      settings.debug = DebugSettings()
      Self.loudest(&settings.debug!)
      #expect(try settings.fitting(for: .left) != former.fitting(for: .left))
      for debug in [nil, DebugSettings()] {
        settings.debug = debug
        #expect(
          settings.treatment == former.treatment && settings.soundingDynamics == former.soundingDynamics)
        for ear in Ear.allCases {
          let (now, before) = (try settings.fitting(for: ear), try former.fitting(for: ear))
          #expect(now.curves == before.curves && now.bandLimits == before.bandLimits)
          #expect(debug != nil || now == before)
        }
      }
    }
  }
}
