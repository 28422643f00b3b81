import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Whatever setting the chain accepts and whatever sound it gets, what comes out is finite and below the
/// limit.
@Suite("Random settings and random sound") struct RandomSettingTests {
  /// A curve with random knots and slopes; most of them no rule would make.
  static func curve(_ random: inout Seeded) throws -> GainCurve {
    let count = Int.random(in: 1...6, using: &random)
    var level = Double.random(in: -20...40, using: &random)
    let knots = (0..<count).map { _ in
      level += Double.random(in: 2...30, using: &random)
      return GainCurve.Knot(
        level: SoundPressureLevel(level), gain: Double.random(in: -60...80, using: &random))
    }
    let falling = Double.random(in: -1...0, using: &random)
    return try GainCurve(
      knots: knots, slopeBelow: Double.random(in: 0...3, using: &random), slopeAbove: falling)
  }

  /// One ear's fitting. A few curves shared by all bands make as rough a window as twenty different ones.
  static func ear(_ bands: BandLayout, _ random: inout Seeded) throws -> EarFitting {
    let curves = try (0..<3).map { _ in try curve(&random) }
    let loudest = Double.random(in: 90...140, using: &random)
    let limit = Double.random(in: EarFitting.outputLimits, using: &random)
    return EarFitting(
      curves: bands.centres.map { _ in curves.randomElement(using: &random) ?? curves[0] },
      bandLimits: bands.centres.map { _ in
        SoundPressureLevel(Double.random(in: EarFitting.outputLimits, using: &random))
      },
      outputLimit: SoundPressureLevel(limit),
      inputAtFullScale: SoundPressureLevel(Double.random(in: 60...140, using: &random)),
      outputAtFullScale: bands.centres.map { _ in
        SoundPressureLevel(loudest - Double.random(in: 0...20, using: &random))
      })
  }

  /// A piece of sound, some of it no sound at all.
  static func sound(_ count: Int, _ random: inout Seeded) -> [Float] {
    let peak = Float(pow(10, Double.random(in: -6...1.5, using: &random)))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return Signal.silence(count)
    case 1: return Signal.noise(peak: peak, count: count, seed: random.next())
    case 2: return Signal.square(Double.random(in: 20...15_000, using: &random), peak: peak, count: count)
    case 3:
      return Signal.impulses(
        peak: peak, first: Int.random(in: 0..<64, using: &random),
        spacing: Int.random(in: 1...999, using: &random),
        count: count)
    case 4: return Signal.sweep(peak: Double(peak), count: count)
    case 5:
      return (0..<count).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) }
    default: return [Float](repeating: peak, count: count)
    }
  }

  /// Peak of what an ear heard as a share of its limit, which full scale is at the most.
  static func share(_ samples: [Float], _ ear: EarFitting) -> Double {
    let fullScale = ear.outputAtFullScale.map(\.decibels).max() ?? 0
    let limit = min(1, pow(10, (ear.outputLimit.decibels - fullScale) / 20))
    return Double(Measure.peak(samples)) / limit
  }

  struct Plan: Sendable {
    var rate: Double
    var frames: Int
    var centres: [Double]
    var settings: Int
  }

  static let plans = [
    Plan(rate: 44_100, frames: 64, centres: BandLayout.standard.centres, settings: 1000),
    Plan(rate: 44_100, frames: 16, centres: [1000], settings: 200),
    Plan(rate: 48_000, frames: 441, centres: [100, 125, 2000, 2100, 9000], settings: 300),
    Plan(rate: 96_000, frames: 1024, centres: BandLayout.standard.centres, settings: 200),
    Plan(rate: 44_100, frames: 100, centres: (1...40).map { Double($0 * 500) }, settings: 300),
  ]

  @Test("2,000 settings and sounds: all finite, none above its limit", arguments: plans)
  func finiteAndLimited(_ plan: Plan) throws {
    var random = Seeded(UInt64(plan.frames))
    let bands = try BandLayout(centres: plan.centres)
    let first = Binaural(left: try Self.ear(bands, &random), right: try Self.ear(bands, &random))
    var rig = try ChainRig(first, sampleRate: plan.rate, frames: plan.frames, bands: bands)
    var worst = (finite: true, peak: 0.0)
    for index in 0..<plan.settings {
      let ears = Binaural(left: try Self.ear(bands, &random), right: try Self.ear(bands, &random))
      let dynamics = Dynamics(
        attack: Double.random(in: 0.005...0.5, using: &random),
        release: Double.random(in: 0.02...5, using: &random),
        average: index % 3 == 0
          ? nil
          : SlowAverage(
            attack: Double.random(in: 0.5...10, using: &random),
            release: Double.random(in: 5...30, using: &random),
            threshold: Double.random(in: SlowAverage.thresholdRange, using: &random)),
        binauralLink: Double.random(in: 0...1, using: &random))
      let parameters = try rig.parameters(ears, dynamics: dynamics)
      rig.chain.retarget(to: parameters)
      if index % 11 == 0 { rig.chain.restart() }
      let count = rig.count(0.02)
      let output = rig.run(Self.sound(count, &random), Self.sound(count, &random))
      worst.finite = worst.finite && Measure.isFinite(output.left) && Measure.isFinite(output.right)
      worst.peak = max(
        worst.peak, Self.share(output.left, ears.left), Self.share(output.right, ears.right))
    }
    #expect(worst.finite)
    #expect(worst.peak <= 1.000_001)
    // And after all that it still works.
    rig.chain.retarget(
      to: try rig.parameters(Binaural(both: ChainRig.ear(try ChainRig.flat(10, bands: bands)))))
    let tone = Signal.tone(1000, level: 60, count: rig.count(1), sampleRate: plan.rate)
    let output = rig.run(tone).left
    let steady = tone.count - Int(plan.rate / 2)..<tone.count
    #expect(abs(Measure.level(of: output[steady], at: 1000, sampleRate: plan.rate) - 70) < 0.3)
  }
}
