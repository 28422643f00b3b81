import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP

/// The chain's own delay: group delay of its impulse response, beyond the block that the device needs anyway.
@Suite("Delay of the chain") struct DelayTests {
  static let frequencies: [Double] = [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
  /// ≤ 1.0 ms at 44.1 kHz.
  static let allowed = 0.001 * 44_100

  @Test(
    "an impulse comes out at most 1.0 ms later at every audiometric frequency, linear",
    arguments: StandardAudiogram.allCases)
  func linear(_ standard: StandardAudiogram) throws {
    // Without compression or expansion the gain does not depend on the impulse.
    let rule = try NALRPCompressive(compressionRatio: 1, expansionRatio: 1)
    let curves = try rule.curves(for: standard.audiogram, bands: .standard)
    var rig = try ChainRig(Binaural(both: ChainRig.ear(curves)))
    let opened = rig.count(0.2)
    for position in [0, 31, 63] {
      // Weak enough for the strongest gain: N7 asks for some 60 dB.
      let input = Signal.impulses(peak: 1e-4, first: opened + position, spacing: .max, count: opened + 64 * 40)
      let output = rig.run(input).left
      let response = output[(opened + position)...].map { Double($0) }
      for frequency in Self.frequencies {
        let delay = Measure.groupDelay(response, at: frequency)
        #expect(delay <= Self.allowed, "\(frequency) Hz: \(delay / 44.1) ms")
      }
      // Nothing comes out before it went in, but for what the window's length cuts off: below −60 dB.
      #expect(Measure.peak(output[opened..<opened + position]) <= 1e-3 * Measure.peak(output))
    }
  }

  @Test(
    "and at a compression ratio of 2 in the midst of speech noise at 65 dB SPL",
    arguments: StandardAudiogram.allCases)
  func compressive(_ standard: StandardAudiogram) throws {
    let rule = try NALRPCompressive(compressionRatio: 2)
    let ear = ChainRig.ear(try rule.curves(for: standard.audiogram, bands: .standard))
    let noise = SpeechNoise.atRest
    // Slow times hold the gain while the impulse passes.
    let dynamics = Dynamics(attack: 0.5, release: 2)
    var quiet = try ChainRig(Binaural(both: ear), dynamics: dynamics)
    var struck = try ChainRig(Binaural(both: ear), dynamics: dynamics)
    let count = quiet.count(5)
    let background = noise.repeated(count)
    var input = background
    let position = count - 64 * 40 + 17
    // A hundredth of the noise's own amplitude: what it adds to any level is far below 0.1 dB.
    let strike: Float = 1e-4
    input[position] += strike
    let without = quiet.run(background).left
    let with = struck.run(input).left
    let response = (position..<count).map { Double(with[$0]) - Double(without[$0]) }
    for frequency in Self.frequencies where frequency >= 250 {
      let delay = Measure.groupDelay(response, at: frequency)
      #expect(delay <= Self.allowed, "\(frequency) Hz: \(delay / 44.1) ms")
    }
  }
}

extension SpeechNoise {
  static let atRest = SpeechNoise(level: 65, sampleRate: 44_100)
}
