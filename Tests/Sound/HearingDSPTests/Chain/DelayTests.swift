import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// The chain's own delay: group delay of its impulse response, beyond the block that the device needs
/// anyway.
@Suite("Delay of the chain") struct DelayTests {
  static let frequencies: [Double] = [125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
  /// ≤ 1.0 ms at 44.1 kHz.
  static let allowed = 0.001 * 44_100

  @Test(
    "an impulse comes out at most 1.0 ms later at every audiometric frequency, linear",
    arguments: cases(StandardAudiogram.allCases))
  func linear(_ standard: StandardAudiogram) throws {
    // Without compression or expansion the gain does not depend on the impulse.
    let rule = try NALRPCompressive(compressionRatio: 1, expansionRatio: 1)
    let curves = try rule.curves(for: standard.audiogram, bands: .standard)
    var rig = try ChainRig(Binaural(both: ChainRig.ear(curves)))
    let opened = rig.count(0.2)
    for position in [0, 31, 63] {
      // Weak enough for the strongest gain: N7 asks for some 60 dB.
      let input = Signal.impulses(
        peak: 1e-4, first: opened + position, spacing: .max, count: opened + 64 * 40)
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

  /// Everything that a program may turn on and that has an impulse response: what moves frequencies is measured in
  /// its own suites, by the onset of sounds.
  static func everything(isCancelling: Bool) -> (Treatment, Dynamics) {
    var treatment = Treatment()
    treatment.noiseReduction = 20
    treatment.impulseSoftening = 10
    treatment.windReduction = 12
    treatment.expansion = 10
    treatment.feedback.isCancelling = isCancelling
    treatment.feedback.isNotching = true
    treatment.feedback.loopDelay = 0.004
    return (
      treatment,
      Dynamics(attack: 0.5, release: 2, average: SlowAverage(attack: 1, release: 3), binauralLink: 1)
    )
  }

  @Test(
    "noise reduction and all that a program turns on adds at most 0.3 ms",
    arguments: [(StandardAudiogram.n2, true), (.n4, true), (.n7, false), (.n7, true)])
  func everythingOn(_ standard: StandardAudiogram, isCancelling: Bool) throws {
    let rule = try NALRPCompressive(compressionRatio: 2)
    let ear = ChainRig.ear(try rule.curves(for: standard.audiogram, bands: .standard))
    let (treatment, dynamics) = Self.everything(isCancelling: isCancelling)
    let plain = try Self.noise(through: ear, treatment: .plain, dynamics: Dynamics(attack: 0.5, release: 2))
    let full = try Self.noise(through: ear, treatment: treatment, dynamics: dynamics)
    for frequency in Self.frequencies where frequency >= 250 {
      let added = Self.meanDelay(full, at: frequency) - Self.meanDelay(plain, at: frequency)
      #expect(added <= 0.0003 * 44_100, "\(frequency) Hz: \(added / 44.1) ms")
    }
  }

  /// Speech noise at 65 dB SPL that has lasted for 2 s, before and after the chain.
  static func noise(
    through ear: EarFitting, treatment: Treatment, dynamics: Dynamics
  ) throws -> (before: ArraySlice<Float>, after: ArraySlice<Float>) {
    var rig = try ChainRig(Binaural(both: ear), dynamics: dynamics, treatment: treatment)
    let input = SpeechNoise.atRest.repeated(rig.count(62))
    let output = rig.run(input).left
    let start = rig.count(2)
    return (input[start...], output[start...])
  }

  /// Group delay of the mean way through a chain whose gain moves with the sound, samples: slope of the phase of the
  /// cross-spectrum over ± 43 Hz. From 60 s in frames of 93 ms it comes out within 0.02 ms.
  static func meanDelay(
    _ sound: (before: ArraySlice<Float>, after: ArraySlice<Float>), at frequency: Double
  ) -> Double {
    let (length, reach) = (4096, 43.0)
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    var phases: [Double] = []
    for place in [frequency - reach, frequency + reach] {
      let omega = 2 * .pi * place / 44_100
      let turn = (0..<length).map {
        (c: window[$0] * cos(omega * Double($0)), s: window[$0] * sin(omega * Double($0)))
      }
      var (re, im) = (0.0, 0.0)
      for start in stride(
        from: sound.before.startIndex, through: sound.before.endIndex - length, by: length / 2)
      {
        var (a, b, c, d) = (0.0, 0.0, 0.0, 0.0)
        for n in 0..<length {
          let (x, y) = (Double(sound.before[start + n]), Double(sound.after[start + n]))
          a += x * turn[n].c
          b -= x * turn[n].s
          c += y * turn[n].c
          d -= y * turn[n].s
        }
        re += c * a + d * b
        im += d * a - c * b
      }
      phases.append(atan2(im, re))
    }
    let change = (phases[1] - phases[0]).remainder(dividingBy: 2 * .pi)
    return -change / (2 * .pi * 2 * reach / 44_100)
  }

  @Test(
    "and at a compression ratio of 2 in the midst of speech noise at 65 dB SPL",
    arguments: cases(StandardAudiogram.allCases))
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
    // The window is 512 samples long; what follows is only what the impulse itself does to the gain.
    let response = (position..<position + 512).map { Double(with[$0]) - Double(without[$0]) }
    for frequency in Self.frequencies where frequency >= 250 {
      let delay = Measure.groupDelay(response, at: frequency)
      #expect(delay <= Self.allowed, "\(frequency) Hz: \(delay / 44.1) ms")
    }
  }
}
