import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// An ear that needs nothing gets nothing, by every rule there is.
@Suite("An ear of 0 dB HL through the chain") struct HealthyEarTests {
  static let levels: [Double] = [35, 50, 65, 80]

  /// What is promised, dB. The published linear formulas themselves give 0 dB HL just that at one or two places (k of NAL at 1
  /// and 1.5 kHz, INT of the Cambridge formula at 2 and 5 kHz).
  static let promised = 1.0
  /// How well a level is read from half a second of sound and met by the gain window, dB.
  static let resolution = 0.05

  struct Fitted: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let plan: FittingPlan
  }

  static func plans() throws -> [Fitted] {
    let rules = try PrescribedRule.all.map {
      Fitted(testDescription: $0.identifier, plan: try FittingPlan(target: .rule($0)))
    }
    let steep = try FittingPlan(target: .rule(.nalRPCompressive(compressionRatio: 3)))
    let zeros = try TargetTable(points: [
      .init(frequency: 250, gains: SpeechLevels(all: 0)),
      .init(frequency: 8000, gains: SpeechLevels(all: 0)),
    ])
    let table = try FittingPlan(target: .tables(Binaural(both: zeros), source: "zeros"))
    return rules + [
      Fitted(testDescription: "NAL-RP-compressive, 3:1", plan: steep),
      Fitted(testDescription: "a table of zeros", plan: table),
    ]
  }

  /// The healthy ear on the left, a severe loss on the right: the ears are fitted apart.
  static func rig(_ plan: FittingPlan) throws -> ChainRig {
    let healthy = try Audiogram(air: [250: 0, 500: 0, 1000: 0, 2000: 0, 3000: 0, 4000: 0, 6000: 0, 8000: 0])
    let ears = Binaural(left: healthy, right: StandardAudiogram.n5.audiogram)
    let curves = Binaural(
      left: try plan.rule(for: .left).curves(for: ears.left, bands: .standard),
      right: try plan.rule(for: .right).curves(for: ears.right, bands: .standard))
    return try ChainRig(curves.map { ChainRig.ear($0) }, dynamics: InsertionGainTests.dynamics)
  }

  @Test(
    "tones at audiometric frequencies gain at most 1 dB and lose nothing", arguments: cases(try plans()))
  func tones(_ fitted: Fitted) throws {
    var rig = try Self.rig(fitted.plan)
    for frequency in [125.0] + InsertionGainTests.frequencies {
      for level in Self.levels {
        let count = rig.count(0.8)
        let output = rig.run(Signal.tone(frequency, level: level, count: count)).left
        // 0.4 s: a whole number of periods of every frequency used.
        let steady = count - Int(0.4 * 44_100)..<count
        let gain = Measure.level(of: output[steady], at: frequency) - level
        #expect(
          abs(gain) <= Self.promised + Self.resolution, "\(frequency) Hz at \(level) dB SPL: \(gain) dB")
      }
    }
  }

  @Test(
    "a card of version 2 of the usual rule means what it meant: more than 10 dB for soft noise, to such an ear too"
  )
  func formerVersion() throws {
    let plan = try FittingPlan(target: .rule(PrescribedRule.former[3]))
    var rig = try Self.rig(plan)
    let input = SpeechNoise(level: 35, sampleRate: 44_100).repeated(rig.count(2))
    let output = rig.run(input).left
    let steady = rig.count(0.5)..<input.count
    // The ratio's whole addition, 12.5 dB, at all frequencies.
    #expect(Measure.level(of: output[steady]) - Measure.level(of: input[steady]) > 10)
  }

  @Test(
    "speech-shaped and white noise gain at most 1 dB in every third octave and lose nothing",
    arguments: cases(try plans()))
  func noise(_ fitted: Fitted) throws {
    var rig = try Self.rig(fitted.plan)
    for level in Self.levels {
      let speech = SpeechNoise(level: level, sampleRate: 44_100)
      // White, evenly spread: mean square peak²/3, a full-scale sine's is 1/2.
      let peak = Float(Signal.amplitude(level) * sqrt(1.5))
      let count = rig.count(4)
      for input in [speech.repeated(count), Signal.noise(peak: peak, count: count)] {
        let output = rig.run(input).left
        let steady = rig.count(0.5)..<count
        let whole = Measure.level(of: output[steady]) - Measure.level(of: input[steady])
        #expect(abs(whole) <= Self.promised + Self.resolution, "\(level) dB SPL: \(whole) dB")
        let (before, after) = (PowerSpectrum(Array(input[steady])), PowerSpectrum(Array(output[steady])))
        for centre in [160.0, 250, 500, 1000, 1250, 2000, 4000, 6300, 8000] {
          let gain = after.thirdOctave(centre) - before.thirdOctave(centre)
          #expect(
            abs(gain) <= Self.promised + Self.resolution, "\(centre) Hz at \(level) dB SPL: \(gain) dB")
        }
      }
    }
  }
}
