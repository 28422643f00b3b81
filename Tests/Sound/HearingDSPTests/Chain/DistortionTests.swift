import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// What comes out besides the tone that went in: harmonics, and the side bands of a gain that moves.
@Suite("Distortion of steady tones") struct DistortionTests {
  struct Tone: Sendable {
    var frequency: Double
    var level: Double
  }

  /// Frequencies and levels of ANSI/ASA S3.22's harmonic distortion test.
  static let tones = [
    Tone(frequency: 500, level: 70), Tone(frequency: 800, level: 70), Tone(frequency: 1600, level: 65),
  ]

  /// Everything but the tone, relative to it, dB.
  static func residue(_ tone: Tone, curves: [GainCurve], dynamics: Dynamics) throws -> Double {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(curves)), dynamics: dynamics)
    let count = rig.count(1.5)
    let steady = rig.run(Signal.tone(tone.frequency, level: tone.level, count: count)).left.suffix(22_050)
    let amplitude = Signal.amplitude(Measure.level(of: steady, at: tone.frequency))
    let own = amplitude * amplitude / 2
    return 10 * log10(max(Measure.meanSquare(steady) - own, 1e-30) / own)
  }

  @Test(
    "is below 0.5 % at a compression ratio of 2 and the quickest times",
    arguments: StandardAudiogram.allCases)
  func compressive(_ standard: StandardAudiogram) throws {
    let curves = try NALRPCompressive(compressionRatio: 2).curves(for: standard.audiogram, bands: .standard)
    for tone in Self.tones {
      let residue = try Self.residue(tone, curves: curves, dynamics: Dynamics(attack: 0.005, release: 0.05))
      #expect(residue < 20 * log10(0.005), "\(tone): \(residue) dB")
    }
  }

  @Test("is below 0.3 % where gain does not depend on level", arguments: StandardAudiogram.allCases)
  func linear(_ standard: StandardAudiogram) throws {
    let rule = try NALRPCompressive(compressionRatio: 1, expansionRatio: 1)
    let curves = try rule.curves(for: standard.audiogram, bands: .standard)
    for tone in Self.tones {
      let soft = Tone(frequency: tone.frequency, level: 50)
      let residue = try Self.residue(soft, curves: curves, dynamics: Dynamics())
      #expect(residue < 20 * log10(0.003), "\(tone): \(residue) dB")
    }
  }
}
