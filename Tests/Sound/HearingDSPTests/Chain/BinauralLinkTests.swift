import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Link between the ears") struct BinauralLinkTests {
  /// Level difference that comes out when 70 dB SPL go into the left ear and 60 into the right, dB.
  static func difference(link: Double, ratio: Double, frequency: Double) throws -> Double {
    let ear = ChainRig.ear(try ChainRig.compressive(ratio))
    var rig = try ChainRig(
      Binaural(both: ear), dynamics: Dynamics(attack: 0.005, release: 0.05, binauralLink: link))
    let count = rig.count(1)
    let output = rig.run(
      Signal.tone(frequency, level: 70, count: count), Signal.tone(frequency, level: 60, count: count))
    let steady = count - 22_050..<count
    return Measure.level(of: output.left[steady], at: frequency)
      - Measure.level(of: output.right[steady], at: frequency)
  }

  // Both ears' tones are read with the same error, so what remains is the float's.
  @Test("linked ears keep the level difference between them", arguments: [500.0, 1000, 4000])
  func linked(frequency: Double) throws {
    #expect(abs(try Self.difference(link: 1, ratio: 2, frequency: frequency) - 10) < 0.1)
    #expect(abs(try Self.difference(link: 1, ratio: 3, frequency: frequency) - 10) < 0.1)
  }

  @Test("unlinked ears halve it at a compression ratio of 2", arguments: [500.0, 1000, 4000])
  func unlinked(frequency: Double) throws {
    #expect(abs(try Self.difference(link: 0, ratio: 2, frequency: frequency) - 5) < 0.2)
    #expect(abs(try Self.difference(link: 0, ratio: 3, frequency: frequency) - 10.0 / 3) < 0.2)
  }

  @Test("half a link takes out half of it: 7.5 dB remain at a compression ratio of 2")
  func half() throws {
    // The softer ear's level counts as 65 dB SPL instead of 60.
    #expect(abs(try Self.difference(link: 0.5, ratio: 2, frequency: 1000) - 7.5) < 0.2)
  }

  @Test("the link works both ways alike")
  func symmetric() throws {
    let ear = ChainRig.ear(try ChainRig.compressive(2))
    let dynamics = Dynamics(attack: 0.005, release: 0.05, binauralLink: 0.7)
    let loud = Signal.tone(1000, level: 75, count: 64 * 500)
    let soft = Signal.tone(1000, level: 55, count: 64 * 500)
    var one = try ChainRig(Binaural(both: ear), dynamics: dynamics)
    var other = try ChainRig(Binaural(both: ear), dynamics: dynamics)
    _ = one.run(loud, soft)
    _ = other.run(soft, loud)
    for band in 0..<20 {
      #expect(
        abs(one.chain.meters.left.insertionGain[band] - other.chain.meters.right.insertionGain[band]) < 0.01
      )
      #expect(
        abs(one.chain.meters.right.insertionGain[band] - other.chain.meters.left.insertionGain[band]) < 0.01
      )
    }
  }

  /// Level difference that comes out when 75 dB SPL go into the left ear and 60 into the right, dB, after a
  /// loud sound on both sides has set the averages.
  static func difference(_ dynamics: Dynamics, ratio: Double) throws -> Double {
    let ear = ChainRig.ear(try ChainRig.compressive(ratio))
    var rig = try ChainRig(Binaural(both: ear), dynamics: dynamics)
    let before = Signal.tone(1000, level: 80, count: rig.count(1))
    _ = rig.run(before, before)
    let count = rig.count(6)
    let output = rig.run(
      Signal.tone(1000, level: 75, count: count), Signal.tone(1000, level: 60, count: count))
    let steady = count - 22_050..<count
    return Measure.level(of: output.left[steady], at: 1000)
      - Measure.level(of: output.right[steady], at: 1000)
  }

  @Test("with a slow average too 15 dB between linked ears stay within 1 dB, unlinked 15 dB over the ratio")
  func twoSpeeds() throws {
    for ratio in [2.0, 3] {
      var dynamics = Dynamics.speech
      #expect(abs(try Self.difference(dynamics, ratio: ratio) - 15 / ratio) < 0.3)
      dynamics.binauralLink = 1
      #expect(abs(try Self.difference(dynamics, ratio: ratio) - 15) < 1)
    }
  }

  @Test("at every moment of changing sound 15 dB between linked ears stay, in the fast half as in the slow")
  func moments() throws {
    let ear = ChainRig.ear(try ChainRig.compressive(3))
    var dynamics = Dynamics.speech
    dynamics.binauralLink = 1
    var rig = try ChainRig(Binaural(both: ear), dynamics: dynamics)
    let loud = Signal.speechLike(level: 70, count: rig.count(5))
    let factor = Float(pow(10, -15.0 / 20))
    let output = rig.run(loud, loud.map { $0 * factor })
    // Equal levels and equal curves make equal gains, so the ears differ by the factor alone, but for what single
    // precision leaves.
    let peak = Measure.peak(output.left)
    for (left, right) in zip(output.left, output.right) {
      #expect(abs(left * factor - right) < 1e-4 * peak)
      if abs(left * factor - right) >= 1e-4 * peak { break }
    }
  }
}
