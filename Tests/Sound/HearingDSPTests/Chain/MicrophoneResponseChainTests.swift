import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// A microphone that makes more of high sounds than of 1 kHz: gain goes by the sound before it, and what it adds is taken away.
@Suite("Response of the microphone in the chain") struct MicrophoneResponseChainTests {
  /// 8 dB from 2 kHz up, nothing below.
  static func ear(_ curves: [GainCurve], bandLimit: Double = 120) -> EarFitting {
    var ear = ChainRig.ear(curves, bandLimit: bandLimit)
    ear.microphoneResponse = BandLayout.standard.centres.map { $0 >= 2000 ? 8 : 0 }
    return ear
  }

  /// Level in the coupler of a tone of 60 dB SPL, of which this microphone makes 68 at 4 kHz.
  static func output(_ ear: EarFitting, frequency: Double) throws -> Double {
    var rig = try ChainRig(Binaural(both: ear))
    let count = rig.count(1)
    let level = frequency >= 2000 ? 68.0 : 60
    let heard = rig.run(Signal.tone(frequency, level: level, count: count)).left
    return Measure.level(of: heard[(count / 2)...], at: frequency)
  }

  @Test(
    "a sound of 60 dB SPL with a gain of 20 dB comes out at 80 at every frequency",
    arguments: [500.0, 4000])
  func gain(_ frequency: Double) throws {
    // Insertion gain within 0.5 dB for tones between centres (InsertionGainTests).
    let level = try Self.output(Self.ear(try ChainRig.flat(20)), frequency: frequency)
    #expect(abs(level - 80) <= 0.5, "\(level)")
  }

  @Test("compression goes by the level of the sound, not by what the microphone makes of it")
  func compression() throws {
    // 2:1 above 40 dB SPL: 20 − (60 − 40)/2 = 10 dB for 60 dB SPL.
    let level = try Self.output(Self.ear(try ChainRig.compressive(2)), frequency: 4000)
    #expect(abs(level - 70) <= 0.5, "\(level)")
  }

  @Test("a band's limit acts at its own level, not earlier")
  func limit() throws {
    // 60 + 20 dB would be 80. The limit is met within the excess that neighbouring bands are allowed, 0.8 dB.
    let held = try Self.output(Self.ear(try ChainRig.flat(20), bandLimit: 75), frequency: 4000)
    #expect((74...75.8).contains(held), "\(held)")
    let free = try Self.output(Self.ear(try ChainRig.flat(20), bandLimit: 82), frequency: 4000)
    #expect(abs(free - 80) <= 0.5, "\(free)")
  }

  @Test("told are the level before the microphone and the insertion gain, and its parts add up to it")
  func told() throws {
    let ears = Binaural(both: Self.ear(try ChainRig.compressive(2)))
    var rig = try ChainRig(ears)
    let setting = try rig.parameters(ears)
    rig.chain.retarget(to: setting)
    _ = rig.run(Signal.tone(4000, level: 68, count: rig.count(1)))
    var frame = ChainFrame()
    rig.chain.performer.read(into: &frame)
    let band = try #require(BandLayout.standard.centres.firstIndex(of: 4000))
    let gain = frame.gains(.left, setting: setting)[band]
    #expect(abs(gain.level - 60) <= 0.8, "\(gain.level)")
    #expect(abs(gain.applied - 10) <= 0.8, "\(gain.applied)")
    #expect(abs(gain.parts.reduce(0, +) - gain.applied) <= 0.1)
  }

  /// Two ears, of which the right one's microphone alone makes 8 dB more from 2 kHz up.
  static func unequal() throws -> Binaural<EarFitting> {
    let curves = try ChainRig.compressive(2)
    return Binaural(left: ChainRig.ear(curves), right: ear(curves))
  }

  static let linked = Dynamics(attack: 0.005, release: 0.05, binauralLink: 1)

  @Test(
    "linked ears follow the one that more sound reaches, not the one whose microphone makes more of it",
    arguments: [(60.0, 60.0, 70.0, 70.0), (60, 70, 65, 75), (70, 60, 75, 65)])
  func link(_ levels: (left: Double, right: Double, leftHeard: Double, rightHeard: Double)) throws {
    var rig = try ChainRig(try Self.unequal(), dynamics: Self.linked)
    let count = rig.count(1)
    let heard = rig.run(
      Signal.tone(4000, level: levels.left, count: count),
      Signal.tone(4000, level: levels.right + 8, count: count))
    // 2:1 above 40 dB SPL by the louder ear: 20 − (60 − 40)/2 = 10 dB of gain for both, 5 dB for 70 dB SPL.
    let left = Measure.level(of: heard.left[(count / 2)...], at: 4000)
    let right = Measure.level(of: heard.right[(count / 2)...], at: 4000)
    #expect(abs(left - levels.leftHeard) <= 0.5, "\(left)")
    #expect(abs(right - levels.rightHeard) <= 0.5, "\(right)")
  }

  @Test("on the way to another setting the link of the one before goes by its own microphones too")
  func linkOnTheWay() throws {
    let ears = try Self.unequal()
    var rig = try ChainRig(ears, dynamics: Self.linked)
    // Several times the attack, and less than half of the way (0.1 s).
    let (before, part) = (rig.count(0.5), rig.count(0.03))
    let left = Signal.tone(4000, level: 60, count: before + part)
    let right = Signal.tone(4000, level: 68, count: before + part)
    _ = rig.run(Array(left.prefix(before)), Array(right.prefix(before)))
    let setting = try rig.parameters(ears, dynamics: Self.linked)
    rig.chain.retarget(to: setting)
    _ = rig.run(Array(left.suffix(part)), Array(right.suffix(part)))
    var frame = ChainFrame()
    rig.chain.performer.read(into: &frame)
    let band = try #require(BandLayout.standard.centres.firstIndex(of: 4000))
    let gain = frame.gains(.left, setting: setting)[band]
    // 60 dB SPL at both ears: neither link nor lag has any part in the gain.
    #expect(abs(gain[.link]) <= 0.3 && abs(gain[.lag]) <= 0.3, "\(gain[.link]), \(gain[.lag])")
  }

  @Test("the meters' level of a band is that before the microphone, the level of the whole by 1 kHz")
  func meters() throws {
    var rig = try ChainRig(Binaural(both: Self.ear(try ChainRig.flat(0))))
    // The meters average over 1 s.
    _ = rig.run(Signal.tone(4000, level: 68, count: rig.count(5)))
    let band = try #require(BandLayout.standard.centres.firstIndex(of: 4000))
    #expect(abs(rig.chain.meters.left.bandLevel(band) - 60) <= 1)
    #expect(abs(rig.chain.meters.left.inputLevel - 68) <= 0.1)
  }

  @Test("a lowered sound is freed of the response where it came from, not of that where it is heard")
  func lowered() throws {
    // 8 kHz is heard at 2000·(8000/2000)^(1/2) = 4000 Hz. The microphone makes 15 dB more of 8 kHz and 7.5 dB more of 4 kHz.
    var ear = ChainRig.ear(try ChainRig.flat(20))
    ear.lowering = try FrequencyLowering(cutoff: 2000, ratio: 2)
    ear.microphoneResponse = BandLayout.standard.centres.map { max(0, 7.5 * log2($0 / 2000)) }
    var rig = try ChainRig(Binaural(both: ear))
    let heard = rig.run(Signal.tone(8000, level: 75, count: rig.count(2.5))).left
    let spectrum = PowerSpectrum(Array(heard.dropFirst(22_050).dropLast(2048)))
    // A tone's level within 1.5 dB (FrequencyLoweringChainTests).
    let level = spectrum.level(from: 3960, to: 4040)
    #expect(abs(level - 80) <= 1.5, "\(level)")
  }

  @Test("lowering with a flat microphone leaves each bit: its factor is 1")
  func loweredWithout() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    var ear = ChainRig.ear(try ChainRig.flat(20))
    ear.lowering = try FrequencyLowering(cutoff: 2000, ratio: 2)
    let flat = LoweringPlan(ear, bands: .standard, geometry: geometry)
    #expect(flat.isOn && flat.factors == SIMD32(repeating: 1))
    ear.microphoneResponse = BandLayout.standard.centres.map { _ in 6 }
    #expect(LoweringPlan(ear, bands: .standard, geometry: geometry) == flat)
  }

  @Test("one that is not made up for is refused", arguments: [-11.0, 31, .nan, .infinity])
  func refused(_ response: Double) throws {
    var ear = Self.ear(try ChainRig.flat(0))
    ear.microphoneResponse?[3] = response
    #expect(throws: ChainError.self) { _ = try ChainRig(Binaural(both: ear)).bands }
    ear.microphoneResponse = [0]
    #expect(throws: ChainError.self) { _ = try ChainRig(Binaural(both: ear)).bands }
  }
}
