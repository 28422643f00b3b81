import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import Engine

@Suite("An ear of 0 dB HL in every program") struct HealthyEarTests {
  static func settings(
    _ left: Double, plan: FittingPlan = HearingSettings.usualPlan
  ) throws -> HearingSettings {
    let flat = try Audiogram(air: [250: left, 500: left, 1000: left, 2000: left, 4000: left, 8000: left])
    return HearingSettings(
      audiograms: Binaural(left: flat, right: StandardAudiogram.n3.audiogram), plan: plan
    )
    .calibrated()
  }

  @Test(
    "tone, noise and voice from 35 to 80 dB SPL get no more than 1 dB, without a program and in each",
    arguments: cases([nil] + ListeningProgram.allCases.map(Optional.init)))
  func programs(program: ListeningProgram?) throws {
    var settings = try Self.settings(0)
    settings.program = program
    for sound in ProgramBench.Sound.allCases {
      let ordinary = ProgramBench.sound(sound, seconds: 2)
      for level in [35.0, 50, 65, 80] {
        let factor = Float(pow(10, (level - 65) / 20))
        let input = ordinary.map { $0 * factor }
        let output = try ProgramBench.run(input, settings).left
        // After a second the levels are followed; a whole number of syllables and of the tone's periods remains.
        let half = Int(ProgramBench.rate)..<Int(2 * ProgramBench.rate) / 64 * 64
        func power(_ samples: [Float]) -> Double {
          samples[half].reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        // 1 dB is what the published formula has at 1 and 1.5 kHz; a twentieth for the gain window.
        let gain = 10 * log10(power(output) / power(input))
        #expect(gain <= 1.05, "\(sound) at \(level) dB SPL: \(gain) dB")
      }
    }
  }

  @Test(
    "gain that an ear which hears normally does not need is told of, for that ear, by whatever gives it")
  func told() throws {
    #expect(try Self.settings(0).needlessGains.isEmpty)
    #expect(try Self.settings(40).needlessGains.isEmpty)
    #expect(try Self.settings(20).needlessGains.isEmpty)
    // NAL-RP at 15 dB HL: 0.05·45 + 0.31·15 + 1 = 7.9 dB at 1 kHz.
    let found = try Self.settings(15).needlessGains
    #expect(found.map(\.ear) == [.left] && found.map(\.gain) == [7.9] && found.map(\.frequency) == [1000])
    let former = try HearingSettings.plan(by: PrescribedRule.former[3])
    #expect(try Self.settings(0, plan: former).needlessGains.map(\.gain) == [13.5])
    #expect(HearingSettings().needlessGains.isEmpty)
  }
}
