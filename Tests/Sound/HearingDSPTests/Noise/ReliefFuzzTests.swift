import Acoustics
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Whatever the treatment and the sound: finite, below the limit, and no relief beyond its bounds.
@Suite("Random treatments and random sound") struct ReliefFuzzTests {
  static func treatment(_ random: inout Seeded) -> Treatment {
    var treatment = Treatment.plain
    func depth(_ random: inout Seeded) -> Double {
      Bool.random(using: &random) ? Double.random(in: Treatment.effects, using: &random) : 0
    }
    treatment.noiseReduction = depth(&random)
    treatment.impulseSoftening = depth(&random)
    treatment.windReduction = depth(&random)
    treatment.expansion = depth(&random)
    treatment.microphoneNoise = Double.random(in: Treatment.microphoneNoises, using: &random)
    treatment.transition = Double.random(in: 0.02...0.2, using: &random)
    return treatment
  }

  struct Plan: Sendable {
    var rate: Double
    var frames: Int
    var centres: [Double]
  }

  static let plans = [
    Plan(rate: 44_100, frames: 64, centres: BandLayout.standard.centres),
    Plan(rate: 44_100, frames: 16, centres: [1000]),
    Plan(rate: 48_000, frames: 441, centres: [100, 125, 2000, 2100, 9000]),
    Plan(rate: 96_000, frames: 1024, centres: (1...40).map { Double($0 * 500) }),
  ]

  @Test("300 treatments and sounds: finite, none above its limit, gain never raised", arguments: plans)
  func bounded(_ plan: Plan) throws {
    var random = Seeded(UInt64(plan.frames) + 77)
    let bands = try BandLayout(centres: plan.centres)
    let ears = Binaural(both: ChainRig.ear(try ChainRig.flat(30, bands: bands), limit: 100))
    var rig = try ChainRig(ears, sampleRate: plan.rate, frames: plan.frames, bands: bands)
    let limit = Float(pow(10, (100 - ChainRig.fullScale.decibels) / 20))
    for index in 0..<300 {
      rig.chain.retarget(
        to: try ChainParameters(
          ears, dynamics: Dynamics(), treatment: Self.treatment(&random), bands: bands,
          geometry: rig.geometry))
      if index % 13 == 0 { rig.chain.restart() }
      let count = rig.count(0.03)
      let output = rig.run(
        RandomSettingTests.sound(count, &random), RandomSettingTests.sound(count, &random))
      for samples in [output.left, output.right] {
        #expect(Measure.isFinite(samples))
        #expect(Measure.peak(samples) <= limit * 1.000_001)
      }
      for band in 0..<bands.count {
        // 30 dB less the greatest relief; the band's limit may take more when it is loud.
        let gain = rig.chain.meters.left.insertionGain[band]
        #expect(gain.isFinite && gain <= 30.001)
      }
    }
    rig.chain.retarget(
      to: try ChainParameters(
        ears, dynamics: Dynamics(), treatment: .plain, bands: bands, geometry: rig.geometry))
    _ = rig.run(Signal.silence(rig.count(1)))
    for band in 0..<bands.count { #expect(rig.chain.meters.left.insertionGain[band] == 30) }
  }

  @Test("a microphone noise or an effect that is out of range is refused")
  func refused() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let ears = Binaural(both: ChainRig.ear(try ChainRig.flat(0)))
    var loud = Treatment.plain
    loud.microphoneNoise = 51
    var lost = Treatment.plain
    lost.noiseReduction = .nan
    for treatment in [loud, lost] {
      #expect(throws: ChainError.self) {
        _ = try ChainParameters(
          ears, dynamics: Dynamics(), treatment: treatment, bands: .standard, geometry: geometry)
      }
    }
  }

  @Test("the sum of all reliefs stays within its bound")
  func sum() throws {
    var treatment = Treatment.plain
    treatment.noiseReduction = 20
    treatment.windReduction = 20
    treatment.expansion = 20
    treatment.impulseSoftening = 20
    var rig = try ChainRig.treated(treatment)
    _ = rig.run(NoiseSound.wind(level: 85, count: rig.count(3), seed: 1))
    let gain = rig.chain.meters.left.insertionGain[0]
    #expect(gain >= -EarGain.greatestRelief - 0.001)
    // Wind alone takes 20 of it.
    #expect(gain < -19)
  }
}
