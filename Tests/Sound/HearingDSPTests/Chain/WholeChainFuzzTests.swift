import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Everything at once: every block of the chain on, at the ends of what it accepts, with any sound, in a loop that feeds
/// back. AURICLE_CHAIN_FUZZ is the number of settings of each plan; `make fuzz-chain` asks more under AddressSanitizer.
@Suite("Everything at once, random settings and sound") struct WholeChainFuzzTests {
  static let settings = getenv("AURICLE_CHAIN_FUZZ").flatMap { Int(String(cString: $0)) } ?? 100
  static let seed = getenv("AURICLE_CHAIN_SEED").flatMap { UInt64(String(cString: $0)) } ?? 0

  struct Plan: Sendable {
    var rate: Double
    var frames: Int
    var bands: Int
  }

  static let plans = [
    Plan(rate: 44_100, frames: 64, bands: 20), Plan(rate: 48_000, frames: 16, bands: 1),
    Plan(rate: 48_000, frames: 441, bands: 40), Plan(rate: 96_000, frames: 1024, bands: 20),
    Plan(rate: 96_000, frames: 100, bands: 7),
  ]

  /// A number of a range, often one of its ends.
  static func extreme(_ range: ClosedRange<Double>, _ random: inout Seeded) -> Double {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: range.lowerBound
    case 1: range.upperBound
    default: Double.random(in: range, using: &random)
    }
  }

  static func ear(_ bands: BandLayout, _ random: inout Seeded) throws -> EarFitting {
    var ear = try RandomSettingTests.ear(bands, &random)
    if Bool.random(using: &random) {
      ear.lowering = try FrequencyLowering(
        cutoff: extreme(FrequencyLowering.cutoffs, &random),
        ratio: extreme(FrequencyLowering.ratios, &random))
    }
    if Bool.random(using: &random) {
      let pitch = extreme(TinnitusSound.pitches, &random)
      let width = extreme(TinnitusSound.widths, &random)
      let shapes: [TinnitusSound.Shape] = [
        .broadband, .band(pitch: pitch, width: width), .notched(pitch: pitch, width: width),
      ]
      let level = extreme(10...75, &random)
      ear.tinnitusSound = try TinnitusSound(
        shape: shapes[Int.random(in: 0..<3, using: &random)], level: SoundPressureLevel(level))
    }
    if Bool.random(using: &random) {
      let rate = [44_100.0, 48_000, 96_000][Int.random(in: 0..<3, using: &random)]
      let count = Int(extreme(0...FeedbackPath.longest * rate, &random))
      let taps = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
      let energy = taps.reduce(1e-9) { $0 + $1 * $1 }
      // At the most 19.9 dB, a tenth below what is accepted.
      let factor = (pow(10, extreme(-100...19.9, &random) / 10) / energy).squareRoot()
      ear.feedbackPath = FeedbackPath(
        sampleRate: rate, delay: extreme(FeedbackControl.loopDelays, &random),
        response: taps.map { $0 * factor })
    }
    return ear
  }

  static func treatment(_ random: inout Seeded) -> Treatment {
    var treatment = Treatment.plain
    treatment.noiseReduction = extreme(Treatment.effects, &random)
    treatment.impulseSoftening = extreme(Treatment.effects, &random)
    treatment.windReduction = extreme(Treatment.effects, &random)
    treatment.expansion = extreme(Treatment.effects, &random)
    treatment.microphoneNoise = extreme(Treatment.microphoneNoises, &random)
    treatment.transition = extreme(0.02...0.2, &random)
    treatment.feedback.isCancelling = Int.random(in: 0..<4, using: &random) > 0
    treatment.feedback.isNotching = Bool.random(using: &random)
    treatment.feedback.frequencyShift = extreme(FeedbackControl.frequencyShifts, &random)
    treatment.feedback.loopDelay = extreme(FeedbackControl.loopDelays, &random)
    treatment.feedback.wholeDelay = extreme(FeedbackControl.wholeDelays, &random)
    return treatment
  }

  static func dynamics(_ random: inout Seeded) -> Dynamics {
    let attack = extreme(Dynamics.attackRange, &random)
    let release = extreme(Dynamics.releaseRange, &random)
    // An average is no faster than what it is the average of.
    let average = SlowAverage(
      attack: extreme(
        max(attack, SlowAverage.attackRange.lowerBound)...SlowAverage.attackRange.upperBound, &random),
      release: extreme(
        max(release, SlowAverage.releaseRange.lowerBound)...SlowAverage.releaseRange.upperBound, &random),
      threshold: extreme(SlowAverage.thresholdRange, &random))
    return Dynamics(
      attack: attack, release: release, average: Bool.random(using: &random) ? nil : average,
      binauralLink: extreme(0...1, &random))
  }

  @Test("whatever is accepted: finite, none above its limit, and it works afterwards", arguments: plans)
  func bounded(_ plan: Plan) throws {
    var random = Seeded(Self.seed &* 1_000_003 &+ UInt64(plan.frames))
    let bands = try BandLayout(centres: (1...plan.bands).map { Double($0) * 10_000 / Double(plan.bands) })
    let first = Binaural(left: try Self.ear(bands, &random), right: try Self.ear(bands, &random))
    var rig = try ChainRig(first, sampleRate: plan.rate, frames: plan.frames, bands: bands)
    var worst = (finite: true, peak: 0.0)
    var last = Binaural(both: [Float](repeating: 0, count: rig.count(0.05)))
    for index in 0..<Self.settings {
      let ears = Binaural(left: try Self.ear(bands, &random), right: try Self.ear(bands, &random))
      rig.chain.retarget(
        to: try ChainParameters(
          ears, dynamics: Self.dynamics(&random), treatment: Self.treatment(&random), bands: bands,
          geometry: rig.geometry))
      if index % 11 == 0 { rig.chain.restart() }
      if index % 7 == 3 { rig.chain.close() }
      if index % 7 == 5 { rig.chain.open() }
      // What came out comes back in, some of it louder than it went.
      let back = Float(Self.extreme(-2...2, &random))
      let count = last.left.count
      let left = zip(RandomSettingTests.sound(count, &random), last.left).map { $0 + back * $1 }
      let right = zip(RandomSettingTests.sound(count, &random), last.right).map { $0 + back * $1 }
      let output = rig.run(left, right)
      last = Binaural(left: output.left, right: output.right)
      worst.finite = worst.finite && Measure.isFinite(output.left) && Measure.isFinite(output.right)
      worst.peak = max(
        worst.peak, RandomSettingTests.share(output.left, ears.left),
        RandomSettingTests.share(output.right, ears.right))
    }
    #expect(worst.finite)
    // Rounding of a product in single precision.
    #expect(worst.peak <= 1.000_001)
    #expect(rig.chain.meters.left.brokenOutput + rig.chain.meters.right.brokenOutput == 0)
    rig.chain.open()
    rig.chain.retarget(
      to: try rig.parameters(Binaural(both: ChainRig.ear(try ChainRig.flat(10, bands: bands)))))
    _ = rig.run(Signal.silence(rig.count(0.5)))
    let tone = Signal.tone(1000, level: 60, count: rig.count(1), sampleRate: plan.rate)
    let output = rig.run(tone).left
    let steady = tone.count - Int(plan.rate / 2)..<tone.count
    // As RandomSettingTests: a window of so few or so many bands ripples by less.
    #expect(abs(Measure.level(of: output[steady], at: 1000, sampleRate: plan.rate) - 70) < 0.3)
  }
}
