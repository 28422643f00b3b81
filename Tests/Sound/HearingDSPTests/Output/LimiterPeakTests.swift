import Glibc
import Testing

@testable import HearingDSP

@Suite("Peaks in the output limiter") struct LimiterPeakTests {
  /// Single precision: the last bits of a few products.
  static let rounding: Float = 2e-6

  /// Silence with one sample.
  static func impulse(_ value: Float, at place: Int, count: Int = LimiterRig.hop) -> [Float] {
    var samples = [Float](repeating: 0, count: count)
    samples[place] = value
    return samples
  }

  @Test(
    "a peak at any place of a hop, of either sign, comes out at the limit's peak",
    arguments: [64, 63, 61, 5, 1])
  func anyPlace(frames: Int) throws {
    for place in 0..<frames {
      for sign in [Float(1), -1] {
        let rig = try LimiterRig()
        let output = try #require(
          rig.run(Self.impulse(sign * 0.15, at: place, count: frames), frames: frames))
        #expect(
          abs(output[place] - sign * LimiterRig.peak) <= LimiterRig.peak * Self.rounding,
          "\(frames) \(place)")
        #expect(abs(rig.report().limiterGain - 1 / 1.5) < 1e-5)
      }
    }
  }

  @Test("a peak at the limit passes as it is, one a thousandth above it is held")
  func atTheLimit() throws {
    for sign in [Float(1), -1] {
      let rig = try LimiterRig()
      let exact = Self.impulse(sign * LimiterRig.peak, at: 9)
      #expect(rig.run(exact) == exact)
      #expect(rig.report().limiterGain == 1)
      let above = try #require(rig.run(Self.impulse(sign * LimiterRig.peak * 1.001, at: 9)))
      #expect(abs(abs(above[9]) - LimiterRig.peak) <= LimiterRig.peak * Self.rounding)
      #expect(abs(rig.report().limiterGain - 1 / 1.001) < 1e-5)
    }
  }

  @Test("ahead of a peak the gain falls with 1 ms, behind it it comes back with 2 ms")
  func around() throws {
    let rig = try LimiterRig()
    // A carrier far below, by which the gain is read; 12 dB above the limit in the middle of the first hop.
    let carrier: Float = 1e-4
    var input = LimiterRig.hops(4, of: carrier)
    input[32] = 4 * LimiterRig.peak
    let output = try #require(rig.run(input))
    for n in 0..<32 {
      let expected = min(1, 0.25 * exp(Double(32 - n) / (0.001 * LimiterRig.rate)))
      #expect(abs(Double(output[n] / carrier) - expected) < 1e-4, "\(n)")
    }
    for n in 33..<input.count {
      let expected = 1 - 0.75 * exp(-Double(n - 32) / (0.002 * LimiterRig.rate))
      // As exact as the difference of a carrier and 1 in single precision, added up over 200 samples.
      #expect(abs(Double(output[n] / carrier) - expected) < 2e-4, "\(n)")
    }
  }

  @Test("ahead of a peak in the last sample of a hop the gain falls too")
  func lastSample() throws {
    let rig = try LimiterRig()
    let carrier: Float = 1e-4
    var input = LimiterRig.hops(1, of: carrier)
    input[63] = 4 * LimiterRig.peak
    let output = try #require(rig.run(input))
    for n in 0..<63 {
      let expected = min(1, 0.25 * exp(Double(63 - n) / (0.001 * LimiterRig.rate)))
      #expect(abs(Double(output[n] / carrier) - expected) < 1e-4, "\(n)")
    }
  }

  @Test("a gain that has come back to within 0.001 dB is 1 again: the sound passes as it is")
  func backAtOne() throws {
    let rig = try LimiterRig()
    let carrier: Float = 1e-4
    var input = LimiterRig.hops(40, of: carrier)
    input[32] = 4 * LimiterRig.peak
    let output = try #require(rig.run(input))
    // 0.75·exp(−t/2 ms) is 0.0001 after 17.8 ms, in hop 12; the hop after it passes as it is.
    let first = try #require(
      (0..<40).first { hop in output[(hop * 64)..<(hop * 64 + 64)].allSatisfy { $0 == carrier } })
    #expect((13...14).contains(first))
    #expect(output[(first * 64)...].allSatisfy { $0 == carrier })
  }

  @Test("the later of two peaks does not wait for the gain of the first, and the least gain is told")
  func twoPeaks() throws {
    let rig = try LimiterRig()
    var input = LimiterRig.hops(1, of: 0)
    (input[10], input[40]) = (0.2, -0.4)
    let output = try #require(rig.run(input))
    #expect(abs(output[40] + LimiterRig.peak) <= LimiterRig.peak * Self.rounding)
    // At sample 10 the gain may be that ahead of the second peak, which is higher than the first one needs: the lower counts.
    let ahead = 0.25 * exp(30 / (0.001 * LimiterRig.rate))
    #expect(abs(Double(output[10]) - min(0.1, 0.2 * ahead)) < 1e-5)
    #expect(abs(rig.report().limiterGain - 0.25) < 1e-5)
  }

  @Test(
    "a value that is no number, infinite, or so large that its square overflows silences its hop, and nothing is left of it",
    arguments: [.nan, .infinity, -Float.infinity, 3e19, -3e38] as [Float])
  func notFinite(value: Float) throws {
    for place in [0, 3, 62, 63] {
      let rig = try LimiterRig()
      _ = rig.run(LimiterRig.hops(3, of: 2 * LimiterRig.peak))
      var broken = LimiterRig.hops(1, of: 0.05)
      broken[place] = value
      var span = broken.mutableSpan
      let isFinite = rig.limiter.process(&span, from: 0, frames: 64)
      #expect(!isFinite)
      #expect(broken.allSatisfy { $0 == 0 })
      #expect(rig.report().power == 0 && rig.report().limiterGain == 1)
      // As from a new limiter.
      let new = try LimiterRig()
      let next = LimiterRig.hops(4, of: LimiterRig.peak)
      #expect(rig.run(next) == new.run(next))
    }
  }

  @Test("what lies outside the hop stays as it is")
  func outside() throws {
    let rig = try LimiterRig()
    var samples = LimiterRig.hops(3, of: 1)
    var span = samples.mutableSpan
    let isFinite = rig.limiter.process(&span, from: 64, frames: 63)
    #expect(isFinite)
    #expect(samples[..<64].allSatisfy { $0 == 1 } && samples[127...].allSatisfy { $0 == 1 })
    #expect(samples[64..<127].allSatisfy { $0 <= LimiterRig.peak })
  }

  @Test("behind silence a higher limit is in force at once")
  func otherLimitBehindSilence() throws {
    let rig = try LimiterRig(headroom: -40)
    _ = rig.run(LimiterRig.hops(1, of: 0))
    rig.limiter.retarget(to: OutputLimits.Ear(headroom: -20))
    let output = try #require(rig.run(Self.impulse(0.1, at: 60)))
    #expect(abs(output[60] - 0.1) < 1e-6)
  }

  @Test("behind sound a higher limit is reached with 100 dB a second, a lower one at once")
  func otherLimits() throws {
    let rig = try LimiterRig(headroom: -40)
    _ = rig.run(LimiterRig.hops(1, of: 1e-3))
    rig.limiter.retarget(to: OutputLimits.Ear(headroom: -20))
    for hop in 1...200 {
      let limit = pow(10, min(-20, -40 + 100 * Double(hop * 64) / LimiterRig.rate) / 20)
      // A peak 3.5 dB above it, too short for the level.
      let output = try #require(rig.run(Self.impulse(Float(1.5 * limit), at: 60)))
      // Single precision, multiplied 138 times.
      #expect(abs(Double(output[60]) / limit - 1) < 1e-4, "\(hop)")
    }
    let loud = (0..<64).map { $0 % 2 == 0 ? Float(1) : -1 }
    rig.limiter.retarget(to: OutputLimits.Ear(headroom: -40))
    let output = try #require(rig.run(loud))
    #expect(output.allSatisfy { abs($0) <= 0.01 * (1 + Self.rounding) })
  }
}
