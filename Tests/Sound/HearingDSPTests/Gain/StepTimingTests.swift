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

  /// Behind the step up to 90 dB SPL gain that is compressed 2:1 is within 3 dB of its end from 6 dB below it on, behind the step down within
  /// 4 dB from 8 dB above it on. Where it is not compressed it owes nothing: 5 dB of the way between 85 and 90, or 15 of the
  /// way between 55 and 70.
  @Test(
    "the level may be as far from its end as the gain's lines make the tolerance of it",
    arguments: [
      (from: 55.0, to: 90.0, within: 3.0, flat: 40.0...41, expected: 6.0),
      (90, 55, 4, 40...41, 8), (55, 90, 3, 85...90, 11), (90, 55, 4, 55...70, 23),
      // Less than the tolerance all the way.
      (55, 90, 3, 50...86, 35),
    ])
  func margin(
    step: (from: Double, to: Double, within: Double, flat: ClosedRange<Double>, expected: Double)
  ) throws {
    let (flat, bottom) = (step.flat, 30.0)
    let gain = 20 - (flat.lowerBound - bottom) / 2
    let curve = try GainCurve(
      knots: [
        .init(level: SoundPressureLevel(bottom), gain: 20),
        .init(level: SoundPressureLevel(flat.lowerBound), gain: gain),
        .init(level: SoundPressureLevel(flat.upperBound), gain: gain),
      ], slopeAbove: -0.5)
    let margin = StepTiming.margin(from: step.from, to: step.to, within: step.within, curve)
    #expect(abs(margin - step.expected) < 1e-9)
  }
}
