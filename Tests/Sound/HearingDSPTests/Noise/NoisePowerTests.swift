import Acoustics
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Noise power") struct NoisePowerTests {
  static let hopTime = 64 / 44_100.0

  /// Noise found in a band, dB, and what it is, when each hop's power is given.
  static func found(hops: Int, _ power: (Int) -> Float) throws -> Double {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let bands = NoiseBands(.standard, geometry: geometry)
    var noise = NoisePower(stride: bands.stride, geometry: geometry)
    var input = AlignedBuffer<Float>(count: bands.stride)
    for hop in 0..<hops {
      input.fill(power(hop))
      noise.process(input, bands)
    }
    return 10 * log10(Double(noise.power[8]))
  }

  /// A band power as the chain reads it from Gaussian noise of mean square 1: chi-square with two degrees of
  /// freedom, the same for four hops.
  static func fluctuating(_ seed: UInt64) -> [Float] {
    var random = Seeded(seed)
    return (0..<4000).flatMap { _ -> [Float] in
      let power = -log(Float.random(in: 1e-6...1, using: &random))
      return [power, power, power, power]
    }
  }

  @Test("steady noise is found within 2.5 dB of its mean")
  func steady() throws {
    let powers = Self.fluctuating(1)
    // The estimate itself fluctuates: its memory of 0.1 s holds some 17 independent
    // powers, ±1 dB.
    #expect(abs(try Self.found(hops: 8000) { powers[$0] * 1e-6 } + 60) < 2.5)
  }

  @Test("a noise that rises by 20 dB for good is followed within 4 s, one that falls within 1 s")
  func rise() throws {
    let powers = Self.fluctuating(2)
    let second = Int(1 / Self.hopTime)
    let risen = try Self.found(hops: 6 * second) { powers[$0] * ($0 < 2 * second ? 1e-6 : 1e-4) }
    #expect(abs(risen + 40) < 2)
    let fallen = try Self.found(hops: 3 * second) { powers[$0] * ($0 < 2 * second ? 1e-4 : 1e-6) }
    #expect(abs(fallen + 60) < 2)
  }

  @Test("syllables 20 dB above the noise raise it by less than 3 dB")
  func syllables() throws {
    let powers = Self.fluctuating(3)
    let syllable = Int(0.2 / Self.hopTime)
    let found = try Self.found(hops: 29 * syllable) { hop in
      powers[hop] * 1e-6 + (hop / syllable % 2 == 0 ? 0 : 1e-4)
    }
    // The hops end with a pause.
    #expect(found + 60 < 3 && found + 60 > -2)
  }

  @Test("silence, absurd powers and their change leave it finite and above its floor")
  func extremes() throws {
    let values: [Float] = [0, 1e-38, 16, 1e-20, 8, 0, 1]
    let found = try Self.found(hops: 5000) { values[$0 / 7 % values.count] }
    #expect(found.isFinite && found >= -160.1 && found < 13)
    #expect(try Self.found(hops: 3000) { _ in 0 } > -160.1)
  }
}
