import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Samples that no sound has: a float file or a broken driver may deliver them.
@Suite("What is no number does not reach the ear") struct NonFiniteTests {
  static let frames = 64
  /// Time from a bad hop to full sound: the shortest rise, s, and the hop itself.
  static let rise = 0.05

  /// A rig with 20 dB of gain that has settled on a 65 dB SPL tone.
  static func rig() throws -> ChainRig {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.compressive(2))), rise: rise)
    _ = rig.run(Signal.tone(1000, level: 65, count: rig.count(0.5)))
    return rig
  }

  static func tone(_ count: Int) -> [Float] { Signal.tone(1000, level: 65, count: count) }

  @Test(
    "an infinity, a NaN or a number beyond all sound silences its hop in both ears and is counted once",
    arguments: [Float.nan, .signalingNaN, .infinity, -.infinity, 1e38, -.greatestFiniteMagnitude])
  func silences(_ bad: Float) throws {
    for position in [0, 31, 63] {
      var rig = try Self.rig()
      var input = Self.tone(Self.frames)
      input[position] = bad
      let output = rig.run(input, Self.tone(Self.frames))
      #expect(output.left.allSatisfy { $0 == 0 })
      #expect(output.right.allSatisfy { $0 == 0 })
      #expect(rig.chain.meters.left.nonFinite == 1)
      #expect(rig.chain.meters.right.nonFinite == 0)
    }
  }

  @Test("in a long block only the hop that holds it falls silent, and what follows rises from silence")
  func longBlock() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))), frames: 1024)
    _ = rig.run(Self.tone(rig.count(0.5)))
    var input = Self.tone(1024)
    input[300] = .nan
    let output = rig.run(input, input).left
    #expect(Measure.peak(output[0..<256]) > 0.001)
    #expect(output[256..<320].allSatisfy { $0 == 0 })
    // After 64 frames of a rise of 0.05 s the factor is 3(64/2205)², 0.0025.
    #expect(Measure.peak(output[320..<384]) <= 0.0026 * Measure.peak(input[320..<384]))
  }

  @Test(
    "sound is back, with the same gain as before, 0.1 s after the last bad sample",
    arguments: [Float.nan, .infinity, 1e38, 1e18, 1e4])
  func recovers(_ bad: Float) throws {
    var rig = try Self.rig()
    let before = rig.run(Self.tone(rig.count(0.1)))
    let steady = Measure.level(of: before.left[...], at: 1000)
    var input = Self.tone(rig.count(0.05))
    for n in stride(from: 0, to: input.count, by: 7) { input[n] = bad }
    let disturbed = rig.run(input, input)
    #expect(Measure.isFinite(disturbed.left) && Measure.isFinite(disturbed.right))
    #expect(Measure.peak(disturbed.left) <= 1)
    // Absurd samples that are finite count as the loudest sound there is; its release takes its own time,
    // 0.1 s to within 4 dB, so that their gain is back to 0.5 dB after a second.
    _ = rig.run(Self.tone(rig.count(abs(bad) < 1e19 ? 1 : 0.1)))
    let after = rig.run(Self.tone(rig.count(0.1)))
    #expect(abs(Measure.level(of: after.left[...], at: 1000) - steady) < 0.5)
    #expect(abs(Measure.level(of: after.right[...], at: 1000) - steady) < 0.5)
  }

  @Test("a NaN in one ear leaves the other ear's levels alone")
  func otherEar() throws {
    var rig = try Self.rig()
    let gain = rig.chain.meters.right.insertionGain[5]
    var input = Self.tone(Self.frames * 3)
    input[70] = .nan
    _ = rig.run(input, Self.tone(Self.frames * 3))
    #expect(abs(rig.chain.meters.right.insertionGain[5] - gain) < 0.2)
    #expect(rig.chain.meters.right.nonFinite == 0)
  }

  @Test("a stream of nothing but NaN is silence, each hop counted, and leaves no trace in the meters")
  func stream() throws {
    var rig = try Self.rig()
    let hops = 200
    let bad = [Float](repeating: .nan, count: Self.frames * hops)
    let output = rig.run(bad, bad)
    #expect(output.left.allSatisfy { $0 == 0 } && output.right.allSatisfy { $0 == 0 })
    #expect(rig.chain.meters.left.nonFinite == Int64(hops))
    #expect(rig.chain.meters.left.inputLevel.isFinite)
    #expect(rig.chain.meters.left.outputLevel.isFinite)
    for band in 0..<20 {
      #expect(rig.chain.meters.left.bandLevel(band).isFinite)
      #expect(rig.chain.meters.left.insertionGain[band].isFinite)
    }
  }

  @Test("numbers far beyond full scale but finite read as an overload of 12 dB, and the meter comes back")
  func absurd() throws {
    var rig = try Self.rig()
    var input = Self.tone(Self.frames)
    input[5] = 1e18
    _ = rig.run(input, input)
    #expect(rig.chain.meters.left.nonFinite == 0)
    #expect(rig.chain.meters.left.clippedInput == 1)
    // The greatest mean square let in is 4², 15 dB above that of a full-scale sine.
    #expect(rig.chain.meters.left.inputLevel <= 120 + 15.1)
    _ = rig.run(Self.tone(rig.count(2)))
    #expect(abs(rig.chain.meters.left.inputLevel - 65) < 0.2)
  }

  @Test("denormal input is silence, and nothing denormal comes out of it or of sound that dies away")
  func denormals() throws {
    var rig = try Self.rig()
    let tiny = [Float](repeating: .leastNonzeroMagnitude * 3, count: rig.count(0.5))
    let silence = Signal.silence(rig.count(3))
    for input in [tiny, silence] {
      let output = rig.run(input, input)
      #expect(output.left.allSatisfy { !$0.isSubnormal } && output.right.allSatisfy { !$0.isSubnormal })
      #expect(output.left.suffix(64).allSatisfy { $0 == 0 })
    }
    #expect(rig.chain.meters.left.nonFinite == 0)
  }
}
