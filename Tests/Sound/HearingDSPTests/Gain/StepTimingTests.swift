import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP

@Suite("Smoothing that gives prescribed times") struct StepTimingTests {
  static func curve(_ ratio: Double) throws -> GainCurve {
    try GainCurve(
      knots: [.init(level: SoundPressureLevel(40), gain: 20)], slopeAbove: 1 / ratio - 1)
  }

  /// With a level window much shorter than the times and a small hop, what is left is a one-pole smoothing
  /// of the level in dB, for which t = τ·ln(35·(1 − 1/CR)/tolerance).
  @Test(
    "far above the window's length the time constant is that of the formula",
    arguments: [1.5, 2.0, 3.0, 10.0])
  func formula(ratio: Double) throws {
    let hop = 0.000_1
    let timing = StepTiming(hopTime: hop, windowTime: 0.000_2)
    let owed = 35 * (1 - 1 / ratio)
    let attack = timing.attackCoefficient(0.2, curve: try Self.curve(ratio))
    #expect(abs(-hop / log(1 - attack) * log(owed / 3) / 0.2 - 1) < 0.01)
    let release = timing.releaseCoefficient(1, curve: try Self.curve(ratio))
    #expect(abs(-hop / log(1 - release) * log(owed / 4) / 1 - 1) < 0.01)
  }

  @Test("longer times give smaller shares, all between none and all of the distance")
  func monotonic() throws {
    let timing = StepTiming(hopTime: 64 / 44_100, windowTime: 512 / 44_100)
    let attacks = try [0.005, 0.01, 0.05, 0.5, 2].map {
      timing.attackCoefficient($0, curve: try Self.curve(2))
    }
    let releases = try [0.02, 0.1, 1, 10].map { timing.releaseCoefficient($0, curve: try Self.curve(2)) }
    for shares in [attacks, releases] {
      #expect(shares.allSatisfy { $0 > 0 && $0 <= 1 })
      #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 > $1 })
    }
  }

  @Test("a linear band has no attack time and takes the smoothing of 2:1")
  func linear() throws {
    let timing = StepTiming(hopTime: 64 / 44_100, windowTime: 512 / 44_100)
    let flat = try GainCurve(linear: 20)
    #expect(
      abs(
        timing.attackCoefficient(0.01, curve: flat)
          - timing.attackCoefficient(0.01, curve: try Self.curve(2)))
        < 1e-6)
  }
}
