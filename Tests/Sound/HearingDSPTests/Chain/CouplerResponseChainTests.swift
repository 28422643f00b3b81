import Acoustics
import Fitting
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// An insertion gain is that of a field over the coupler: what the coupler answers to a field is added, and a limit is one of the coupler.
@Suite("Coupler response in the chain") struct CouplerResponseChainTests {
  /// 12 dB from 2 kHz up, nothing below.
  static func ear(gain: Double, bandLimit: Double = 120) throws -> EarFitting {
    var ear = ChainRig.ear(try ChainRig.flat(gain), bandLimit: bandLimit)
    ear.couplerResponse = BandLayout.standard.centres.map { $0 >= 2000 ? 12 : 0 }
    return ear
  }

  /// Level in the coupler of a tone, dB SPL, when it has settled.
  static func output(_ ear: EarFitting, frequency: Double, level: Double) throws -> Double {
    var rig = try ChainRig(Binaural(both: ear))
    let count = rig.count(1)
    let heard = rig.run(Signal.tone(frequency, level: level, count: count)).left
    return Measure.level(of: heard[(count / 2)...], at: frequency)
  }

  @Test("it is added to the gain of its bands", arguments: [(500.0, 80.0), (4000, 92)])
  func gain(_ tone: (frequency: Double, expected: Double)) throws {
    // Insertion gain within 0.5 dB for tones between centres (InsertionGainTests).
    let level = try Self.output(try Self.ear(gain: 20), frequency: tone.frequency, level: 60)
    #expect(abs(level - tone.expected) <= 0.5, "\(level)")
  }

  @Test("a band's limit is a level in the coupler, whatever the response is")
  func limit() throws {
    // 60 + 20 + 12 would be 92 dB SPL. The limit is met within the excess that neighbouring bands are allowed, 0.8 dB.
    let held = try Self.output(try Self.ear(gain: 20, bandLimit: 85), frequency: 4000, level: 60)
    #expect((84...85.8).contains(held), "\(held)")
    // Below 2 kHz the same limit takes nothing: 80 dB SPL.
    let free = try Self.output(try Self.ear(gain: 20, bandLimit: 85), frequency: 500, level: 60)
    #expect(abs(free - 80) <= 0.5, "\(free)")
  }

  @Test("the gain that is told is the insertion gain, and its parts add up to it")
  func told() throws {
    let ears = Binaural(both: try Self.ear(gain: 20, bandLimit: 85))
    var rig = try ChainRig(ears)
    let setting = try rig.parameters(ears)
    rig.chain.retarget(to: setting)
    _ = rig.run(Signal.tone(4000, level: 60, count: rig.count(1)))
    var frame = ChainFrame()
    rig.chain.performer.read(into: &frame)
    let band = try #require(BandLayout.standard.centres.firstIndex(of: 4000))
    let gain = frame.gains(.left, setting: setting)[band]
    // 85 dB SPL less 60 and the coupler's 12.
    #expect(abs(gain.applied - 13) <= 0.8, "\(gain.applied)")
    #expect(abs(gain[.bandLimit] - (13 - 20)) <= 0.8, "\(gain[.bandLimit])")
    #expect(abs(gain.parts.reduce(0, +) - gain.applied) <= 0.1)
  }

  @Test("one that no coupler has is refused", arguments: [-31.0, 31, .nan, .infinity])
  func refused(_ response: Double) throws {
    var ear = try Self.ear(gain: 0)
    ear.couplerResponse?[3] = response
    #expect(throws: ChainError.self) { _ = try ChainRig(Binaural(both: ear)).bands }
    ear.couplerResponse = [0]
    #expect(throws: ChainError.self) { _ = try ChainRig(Binaural(both: ear)).bands }
  }
}
