import Acoustics
import Fitting
import HearingDSP
import Testing

@testable import Engine

@Suite("ProgramTable") struct ProgramTableTests {
  @Test("every quantity has one row, with a reason that is a sentence")
  func complete() {
    #expect(ProgramTable.rows.map(\.quantity) == ProgramQuantity.allCases)
    for row in ProgramTable.rows { #expect(row.reason.count > 5 && row.reason.hasSuffix(".")) }
  }

  @Test("no program asks for gain above the prescription")
  func onlyTakesAway() {
    for row in ProgramTable.rows where row.quantity.rawValue.hasPrefix("gain_change") {
      for program in ListeningProgram.allCases { #expect((row[program] ?? 0) <= 0, "\(row.quantity)") }
    }
    for program in ListeningProgram.allCases {
      for frequency in [20.0, 250, 353.6, 1000, 16_000] {
        #expect(program.gainChange(at: frequency) <= 0)
      }
    }
  }

  @Test("what the table says reaches the chain's treatment and times")
  func reachesTheChain() throws {
    for program in ListeningProgram.allCases {
      func said(_ quantity: ProgramQuantity) -> Double? {
        ProgramTable.rows.first { $0.quantity == quantity }?[program]
      }
      let treatment = program.treatment
      #expect(treatment.noiseReduction == said(.noiseReduction))
      #expect(treatment.impulseSoftening == said(.impulseSoftening))
      #expect(treatment.windReduction == said(.windReduction))
      #expect(treatment.expansion == said(.expansion))
      #expect(treatment.feedback.isCancelling == (said(.feedbackCanceller) == 1))
      #expect(treatment.feedback.frequencyShift == said(.frequencyShift))
      #expect(treatment.feedback.isNotching == (said(.howlNotch) == 1))
      let set = Dynamics(attack: 0.007, release: 0.09, binauralLink: 0.3)
      let dynamics = program.dynamics(over: set)
      #expect(dynamics.attack == said(.attack) ?? 0.007)
      #expect(dynamics.release == said(.release) ?? 0.09)
      #expect(dynamics.binauralLink == said(.binauralLink) ?? 0.3)
      #expect(dynamics.average?.attack == said(.averageAttack))
      #expect(dynamics.average?.release == said(.averageRelease))
      #expect(dynamics.average?.threshold == said(.averageThreshold))
      // However slow the fast half is set, the slow one is no quicker.
      let slow = program.dynamics(over: Dynamics(attack: 2, release: 10))
      #expect(slow.average?.attack ?? 2 >= slow.attack && slow.average?.release ?? 10 >= slow.release)
    }
  }

  @Test("with one ear fitted no program links the ears, and each is softened by its own blows")
  func oneSided() throws {
    let (fitted, unfitted) = (StandardAudiogram.n3.audiogram, try Audiogram(points: []))
    for program in ListeningProgram.allCases {
      var settings = HearingSettings(audiograms: Binaural(both: fitted))
      settings.dynamics.binauralLink = 0.3
      settings.program = program
      #expect(settings.soundingDynamics == program.dynamics(over: settings.dynamics))
      #expect(settings.treatment.isSofteningShared)
      for ear in Ear.allCases {
        settings.audiograms = Binaural(both: fitted)
        settings.audiograms?[ear] = unfitted
        #expect(settings.soundingDynamics.binauralLink == 0 && !settings.treatment.isSofteningShared)
      }
      settings.audiograms = nil
      #expect(settings.treatment.isSofteningShared)
    }
  }

  @Test("sound from the side of an ear that is not fitted takes no gain from the fitted one")
  func farSide() throws {
    // 85 dB SPL, of which the right ear hears 10 dB less.
    let sound = ProgramBench.sound(.noise, seconds: 4).map { $0 * 10 }
    func level(_ change: (inout HearingSettings) -> Void) throws -> Double {
      var settings = ProgramBench.settings(.loud)
      change(&settings)
      let heard = try ProgramBench.run(sound, settings).right
      return try #require(ProgramBench.levels(Array(heard[(heard.count / 2)...]), window: 1).first)
    }
    let empty = try Audiogram(points: [])
    let alone = try level { $0.audiograms?.left = empty }
    let linked = try level { _ in }
    let unlinked = try level {
      $0.debug = DebugSettings()
      $0.debug?.stagesOff = [.binauralLink]
    }
    #expect(abs(alone - unlinked) < 0.2)
    // Half of 10 dB at a ratio of 2:1, but for bands in which both have their gain for loud sound.
    #expect(unlinked - linked > 2)
  }

  @Test("in loud places low sounds lose most and speech keeps what is prescribed")
  func loud() {
    for program in ListeningProgram.allCases where program != .loud {
      #expect(ListeningProgram.loud.gainChange(at: 250) < program.gainChange(at: 250))
    }
    for frequency in [1000.0, 2000, 4000] { #expect(ListeningProgram.loud.gainChange(at: frequency) == 0) }
  }

  @Test("music is left in tune and unreduced, and keeps its differences")
  func music() {
    let treatment = ListeningProgram.music.treatment
    #expect(treatment.noiseReduction == 0 && treatment.feedback.frequencyShift == 0)
    #expect(ListeningProgram.music.compressionShare < 1)
  }

  @Test("every program can be played by every chain, for every standard audiogram")
  func playable() throws {
    for audiogram in StandardAudiogram.allCases {
      for program in ListeningProgram.allCases {
        var settings = HearingSettings(audiograms: Binaural(both: audiogram.audiogram))
        settings.program = program
        for rate in ChainGeometry.sampleRates {
          _ = try settings.parameters(for: ChainGeometry(sampleRate: rate, blockFrames: 64))
        }
      }
    }
  }

  @Test("at no level and frequency does a program give more gain than the prescription, nor a higher limit")
  func withinPrescription() throws {
    for audiogram in [StandardAudiogram.n2, .n4, .s2] {
      let plain = HearingSettings(audiograms: Binaural(both: audiogram.audiogram)).calibrated()
      let prescribed = try plain.fitting(for: .left)
      for program in ListeningProgram.allCases {
        var settings = plain
        settings.program = program
        let heard = try settings.fitting(for: .left)
        #expect(heard.outputLimit == prescribed.outputLimit && heard.bandLimits == prescribed.bandLimits)
        for band in settings.bands.centres.indices {
          for level in stride(from: 0.0, through: 110, by: 5) {
            let level = SoundPressureLevel(level)
            #expect(heard.curves[band].gain(at: level) <= prescribed.curves[band].gain(at: level) + 1e-9)
          }
        }
      }
    }
  }

  @Test("in music, soft speech bands are lifted above loud ones by 60 % of what is prescribed")
  func flattened() throws {
    var settings = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram)).calibrated()
    let band = try #require(settings.bands.centres.firstIndex(of: 2000))
    let prescribed = try settings.curves(for: .left)[band]
    settings.program = .music
    let heard = try settings.fitting(for: .left).curves[band]
    let loud = LongTermAverageSpeechSpectrum.bandLevel(
      from: settings.bands.edges[band], to: settings.bands.edges[band + 1], overall: SoundPressureLevel(80))
    let reference = prescribed.gain(at: loud)
    for below in [5.0, 15, 20] {
      let level = loud + -below
      let (whole, part) = (prescribed.gain(at: level), heard.gain(at: level))
      #expect(whole > reference)
      #expect(abs((part - reference) - 0.6 * (whole - reference)) < 1e-6)
    }
    // Above loud speech nothing changes.
    #expect(abs(heard.gain(at: loud + 10) - prescribed.gain(at: loud + 10)) < 1e-9)
  }
}
