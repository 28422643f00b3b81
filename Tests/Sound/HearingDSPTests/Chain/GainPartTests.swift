import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// The parts of the gain are worked out from curves and levels in double precision; the applied gain is what the chain's
/// tables gave in single precision. Single precision resolves 120 dB to 0.00001 dB, and the steepest curve here, 1 dB per dB,
/// does not enlarge that; 0.1 dB is what a developer may rely on.
@Suite("Parts of the gain") struct GainPartTests {
  static let dynamics = Dynamics(attack: 0.005, release: 0.1, average: SlowAverage(), binauralLink: 0.5)

  /// Compression, two layers more, limits that hold.
  static func ear(softer: Double = 6) throws -> EarFitting {
    var ear = ChainRig.ear(try ChainRig.compressive(2, gain: 35), limit: 105, bandLimit: 80)
    ear.layers += [
      GainLayer(.program, ear.curves.map { $0.shifted(by: -softer) }),
      GainLayer(.feedbackLimit, ear.curves.map { $0.held(below: 24) }),
    ]
    return ear
  }

  static let everything: Treatment = {
    var treatment = Treatment.plain
    (treatment.noiseReduction, treatment.impulseSoftening) = (10, 12)
    (treatment.windReduction, treatment.expansion) = (20, 10)
    treatment.microphoneNoise = 30
    treatment.feedback.isCancelling = true
    treatment.feedback.loopDelay = 0.006
    return treatment
  }()

  /// Greatest distance of the sum of a frame's parts from the applied gain, dB.
  static func error(_ frame: ChainFrame, _ setting: ChainParameters) -> Double {
    Ear.allCases.flatMap { frame.gains($0, setting: setting) }.reduce(0) {
      max($0, abs($1.parts.reduce(0, +) - $1.applied))
    }
  }

  @Test(
    "add up to the applied gain within 0.1 dB after every block, with everything on, on the way to another setting and while sound rises",
    arguments: [(44_100.0, 64), (48_000, 16), (96_000, 441)])
  func sum(_ size: (rate: Double, frames: Int)) throws {
    let ears = Binaural(both: try Self.ear())
    var rig = try ChainRig(ears, dynamics: Self.dynamics, sampleRate: size.rate, frames: size.frames)
    var setting = try ChainParameters(
      ears, dynamics: Self.dynamics, treatment: Self.everything, bands: rig.bands, geometry: rig.geometry)
    rig.chain.retarget(to: setting)
    let other = try ChainParameters(
      Binaural(both: try Self.ear(softer: 15)), dynamics: Dynamics(), treatment: .plain, bands: rig.bands,
      geometry: rig.geometry)
    let count = rig.count(2)
    let speech = Signal.speechLike(level: 75, count: count, sampleRate: size.rate)
    let noise = Signal.noise(peak: 0.003, count: count, seed: 5)
    let blows = Signal.impulses(peak: 0.9, first: 9000, spacing: 30_000, count: count)
    let left = (0..<count).map { speech[$0] + noise[$0] + blows[$0] }
    let right = (0..<count).map { 0.3 * speech[$0] + noise[count - 1 - $0] }
    var worst = 0.0
    for (index, start) in stride(from: 0, to: count, by: size.frames).enumerated() {
      if index == count / size.frames / 2 {
        rig.chain.retarget(to: other)
        setting = other
      }
      _ = rig.run(Array(left[start..<start + size.frames]), Array(right[start..<start + size.frames]))
      var frame = ChainFrame()
      rig.chain.performer.read(into: &frame)
      #expect(frame.setting == setting.number)
      worst = max(worst, Self.error(frame, setting))
    }
    #expect(worst <= 0.1, "\(worst)")
  }

  @Test("of a linear setting in a steady tone are the prescription and nothing else")
  func prescriptionAlone() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(20))))
    let setting = try rig.parameters(Binaural(both: ChainRig.ear(try ChainRig.flat(20))))
    rig.chain.retarget(to: setting)
    _ = rig.run(Signal.tone(1000, level: 60, count: rig.count(1)))
    var frame = ChainFrame()
    rig.chain.performer.read(into: &frame)
    let gain = frame.gains(.left, setting: setting)[5]
    // A band reads a tone at its centre up to 0.75 dB low (LevelWeights).
    #expect(abs(gain.level - 60) < 0.8 && abs(gain.applied - 20) < 0.01 && gain.target == 20)
    for part in GainPart.allCases {
      #expect(abs(gain[part] - (part == .prescription ? 20 : 0)) < 0.01, "\(part)")
    }
  }

  @Test("name what each layer of the setting, a limit and the rise do")
  func named() throws {
    var ear = ChainRig.ear(try ChainRig.flat(30), bandLimit: 70)
    ear.layers += [
      GainLayer(.adaptation, try ChainRig.flat(24)), GainLayer(.volume, try ChainRig.flat(22)),
      GainLayer(.feedbackLimit, try ChainRig.flat(19)),
    ]
    var rig = try ChainRig(Binaural(both: ear))
    let setting = try rig.parameters(Binaural(both: ear))
    rig.chain.retarget(to: setting)
    let tone = Signal.tone(1000, level: 65, count: rig.count(1))
    _ = rig.run(tone)
    var frame = ChainFrame()
    rig.chain.performer.read(into: &frame)
    let gain = frame.gains(.right, setting: setting)[5]
    let layers = [
      GainPart.prescription: 30.0, .adaptation: -6, .volume: -2, .feedbackLimit: -3, .program: 0,
    ]
    for (part, expected) in layers { #expect(abs(gain[part] - expected) < 1e-9) }
    #expect(abs(gain.target - 19) < 1e-9)
    // 65 + 19 dB in a band that is held at 70 dB SPL; the level it follows reads the tone within 0.75 dB.
    #expect(abs(gain[.bandLimit] + 14) < 0.8)
    rig.chain.close()
    _ = rig.run(Array(tone[0..<441 - 441 % 64]))
    rig.chain.performer.read(into: &frame)
    // 6 blocks of 64 at 44.1 kHz of a fall of 20 ms: x = 1 − 384/882, 3x² − 2x³.
    let x = 1 - 384.0 / 882
    #expect(abs(frame.gains(.left, setting: setting)[5][.ramp] - 20 * log10(x * x * (3 - 2 * x))) < 0.01)
  }
}
