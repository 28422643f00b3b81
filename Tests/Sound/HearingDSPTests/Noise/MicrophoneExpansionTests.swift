import Acoustics
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Microphone expansion") struct MicrophoneExpansionTests {
  static let count = 44_100 * 8 / 64 * 64

  /// White noise of a level in dB(A) SPL, by the weighting's bandwidth.
  static func microphone(_ level: Double, seed: UInt64 = 1) -> [Float] {
    // White over the whole band: as many hertz as half the rate.
    let density = level - MicrophoneExpansion.whiteLevel
    let sound = Signal.noise(peak: 1, count: count, seed: seed)
    return NoiseSound.scaled(sound, to: density + 10 * log10(22_050))
  }

  @Test("white noise with 0 dB SPL in 1 Hz has 41 dB(A): the noise bandwidth of the A-weighting")
  func weighting() {
    // A meter reads white noise over 20 kHz 1.8 dB lower with the A-weighting than without (43.0 dB; from
    // tables of third-octave weights).
    let bands = stride(from: 13.0, through: 43, by: 1).reduce(0.0) { sum, n in
      let f = pow(10, n / 10)
      let width = f * (pow(10, 0.05) - pow(10, -0.05))
      return sum + width * pow(10, FrequencyWeighting.a.gain(at: f) / 10)
    }
    #expect(abs(MicrophoneExpansion.whiteLevel - 10 * log10(bands)) < 0.2)
  }

  @Test("the microphone's own noise is turned down, noise 20 dB above it is not")
  func noise() throws {
    for (level, least, most) in [(30.0, 2.5, 6.0), (50, -0.05, 0.05)] {
      let sound = Self.microphone(level)
      var plain = try ChainRig.treated(.plain)
      var relieved = try ChainRig.treated(.expansion(10))
      let (before, after) = (plain.run(sound).left, relieved.run(sound).left)
      let steady = 220_500..<Self.count
      let taken = Measure.level(of: before[steady]) - Measure.level(of: after[steady])
      #expect(taken >= least && taken <= most)
    }
  }

  @Test("speech at 50 dB SPL over the microphone's noise keeps its level to 0.5 dB in every band")
  func speech() throws {
    let speech = NoiseSound.scaled(Signal.speechLike(level: 50, count: Self.count), to: 50)
    let sound = zip(speech, Self.microphone(30)).map { $0 + $1 }
    var plain = try ChainRig.treated(.plain)
    var relieved = try ChainRig.treated(.expansion(10))
    let (before, after) = (plain.run(sound).left, relieved.run(sound).left)
    #expect(abs(Measure.level(of: before[44_100...]) - Measure.level(of: after[44_100...])) < 0.1)
    for f in [125.0, 250, 500, 1000, 2000, 3000, 4000, 6000, 8000] {
      var (first, second) = (0.0, 0.0)
      for start in stride(from: 44_100, to: Self.count - 4410, by: 4410) {
        let part = start..<start + 4410
        first += pow(10, Measure.level(of: before[part], at: f) / 10)
        second += pow(10, Measure.level(of: after[part], at: f) / 10)
      }
      #expect(abs(10 * log10(first / second)) < 0.5, "at \(f) Hz")
    }
  }
}
