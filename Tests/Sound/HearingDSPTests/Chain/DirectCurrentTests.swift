import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// An offset of the microphone's converter, which is no sound.
@Suite("Direct current") struct DirectCurrentTests {
  static let rates: [Double] = [44_100, 48_000, 96_000]
  /// −60 dB of full scale.
  static let offset: Float = 0.001
  /// 60 dB below ``offset``.
  static let allowed = 1e-6

  static func mean(_ samples: ArraySlice<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) } / Double(samples.count)
  }

  /// N7, at its strongest linear and by the usual rule.
  static func rig(_ rule: NALRPCompressive = .standard, rate: Double = 44_100) throws -> ChainRig {
    let curves = try rule.curves(for: StandardAudiogram.n7.audiogram, bands: .standard)
    return try ChainRig(Binaural(both: ChainRig.ear(curves)), sampleRate: rate)
  }

  @Test(
    "an offset of −60 dB FS leaves 60 dB lower, also with the gain of N7, at every rate", arguments: rates)
  func steady(rate: Double) throws {
    for ratio in [1.0, 2] {
      var rig = try Self.rig(try NALRPCompressive(compressionRatio: ratio), rate: rate)
      _ = rig.run(Signal.silence(rig.count(0.5)))
      let output = rig.run([Float](repeating: Self.offset, count: rig.count(10)))
      // What the jump itself was is over after a second.
      let steady = rig.count(1)...
      for samples in [output.left, output.right] {
        #expect(Double(Measure.peak(samples[steady])) <= Self.allowed)
        #expect(abs(Self.mean(samples[steady])) <= Self.allowed)
      }
    }
  }

  @Test("with speech over it the output's mean is what it is without the offset, to −120 dB FS")
  func withSpeech() throws {
    var plain = try Self.rig()
    var offset = try Self.rig()
    let speech = Signal.speechLike(level: 65, count: plain.count(20))
    let without = plain.run(speech).left
    let with = offset.run(speech.map { $0 + Self.offset }).left
    let open = plain.count(1)...
    #expect(abs(Self.mean(with[open]) - Self.mean(without[open])) <= Self.allowed)
    // And so is the sound: what is left is the rounding of the input's samples, some 2⁻³⁴, times the gain.
    let residual = zip(with, without).map { $0 - $1 }
    #expect(Measure.level(of: residual[open]) - Measure.level(of: without[open]) <= -80)
  }

  @Test("an offset that is there from the start, or after a restart, is never heard", arguments: rates)
  func start(rate: Double) throws {
    var rig = try Self.rig(rate: rate)
    let input = [Float](repeating: 0.1, count: rig.count(0.5))
    #expect(Double(Measure.peak(rig.run(input).left)) <= Self.allowed)
    rig.chain.restart()
    #expect(Double(Measure.peak(rig.run(input.map { -$0 }).left)) <= Self.allowed)
  }

  @Test("an offset that jumps has fallen by 60 dB after 0.25 s")
  func jump() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))))
    _ = rig.run(Signal.silence(rig.count(1)))
    let output = rig.run([Float](repeating: 0.01, count: rig.count(0.5))).left
    // e^(−2π·5·0.22) is 10⁻³.
    #expect(Double(Measure.peak(output[rig.count(0.25)...])) <= 0.01 * 1e-3)
  }

  @Test("levels from 100 Hz up stay within 0.1 dB, at every rate", arguments: rates)
  func levels(rate: Double) throws {
    for frequency in [100.0, 125, 160, 200, 250, 500, 1000, 4000, 10_000] {
      var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))), sampleRate: rate)
      let tone = Signal.tone(frequency, level: 65, count: rig.count(1.5), sampleRate: rate)
      let output = rig.run(tone).left
      // 1 s holds a whole number of periods.
      let steady = tone.count - Int(rate)..<tone.count
      let reading = Measure.level(of: output[steady], at: frequency, sampleRate: rate)
      #expect(abs(reading - 65) <= 0.1, "\(frequency) Hz: \(reading)")
      // By the formula of the filter: 10·log₁₀(1 + (5/f)²), 0.011 dB at 100 Hz.
      #expect(
        abs(reading - 65 + 10 * log10(1 + pow(5 / frequency, 2))) <= 0.01, "\(frequency) Hz: \(reading)")
    }
  }

  @Test("the meters tell the sound's level and not the offset's")
  func meters() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))))
    let tone = Signal.tone(1000, level: 50, count: rig.count(2)).map { $0 + Self.offset * 10 }
    _ = rig.run(tone)
    #expect(abs(rig.chain.meters.left.inputLevel - 50) < 0.1)
    #expect(abs(rig.chain.meters.left.outputLevel - 50) < 0.1)
  }

  @Test("each ear loses its own offset")
  func ears() throws {
    var rig = try Self.rig()
    let count = rig.count(2)
    let output = rig.run([Float](repeating: 0.01, count: count), [Float](repeating: -0.02, count: count))
    for samples in [output.left, output.right] {
      #expect(Double(Measure.peak(samples[rig.count(0.5)...])) <= Self.allowed)
    }
  }

  @Test("when sound and offset end there is exact silence")
  func silence() throws {
    var rig = try Self.rig()
    _ = rig.run(Signal.tone(300, level: 80, count: rig.count(0.5)).map { $0 + Self.offset })
    let output = rig.run(Signal.silence(rig.count(3))).left
    #expect(output.suffix(64).allSatisfy { $0 == 0 })
  }
}
