import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Frequency lowering in the chain") struct FrequencyLoweringChainTests {
  struct Setting: Sendable, CustomStringConvertible {
    var cutoff: Double
    var ratio: Double
    var rate = 44_100.0
    var description: String { "\(cutoff) Hz, \(ratio):1 at \(rate) Hz" }

    var lowering: FrequencyLowering {
      get throws { try FrequencyLowering(cutoff: cutoff, ratio: ratio) }
    }

    /// Where a sound goes, Hz.
    func target(_ f: Double) -> Double { f <= cutoff ? f : cutoff * pow(f / cutoff, 1 / ratio) }
  }

  static let settings = [
    Setting(cutoff: 1500, ratio: 4), Setting(cutoff: 2000, ratio: 2.5), Setting(cutoff: 2200, ratio: 1.5),
    Setting(cutoff: 3000, ratio: 2), Setting(cutoff: 4000, ratio: 3), Setting(cutoff: 6000, ratio: 1.5),
    Setting(cutoff: 3000, ratio: 2, rate: 48_000), Setting(cutoff: 2000, ratio: 2, rate: 96_000),
  ]

  static func ear(_ lowering: FrequencyLowering?) throws -> EarFitting {
    var ear = ChainRig.ear(try ChainRig.flat(0))
    ear.lowering = lowering
    return ear
  }

  /// What comes out of an ear without gain, after half a second.
  static func heard(_ input: [Float], _ setting: Setting) throws -> [Float] {
    var rig = try ChainRig(Binaural(both: try ear(try setting.lowering)), sampleRate: setting.rate)
    return Array(rig.run(input).left.dropFirst(Int(setting.rate / 2)).dropLast(2048))
  }

  @Test(
    "a tone comes out as a tone at its new frequency: level within 1.5 dB, all else 25 dB below",
    arguments: cases(settings))
  func tones(_ setting: Setting) throws {
    // From where the plain sound's low-pass has let go, 1.3 times the cutoff.
    for f in [1.35 * setting.cutoff, 2.1 * setting.cutoff, 4100, 5321, 6502, 8000, 9433, 10_100]
    where f >= 1.3 * setting.cutoff && f < LoweringPlan.highest - 400 {
      let output = try Self.heard(
        Signal.tone(f, level: 65, count: 120_000, sampleRate: setting.rate), setting)
      let spectrum = PowerSpectrum(output, sampleRate: setting.rate)
      let target = setting.target(f)
      let own = spectrum.level(from: target - 40, to: target + 40)
      let below = spectrum.level(from: 0, to: target - 40)
      let above = spectrum.level(from: target + 40, to: setting.rate / 2)
      #expect(abs(own - 65) < 1.5, "\(f) → \(target): \(own)")
      #expect(below < own - 25 && above < own - 25, "\(f) → \(target): \(below - own), \(above - own)")
    }
  }

  @Test(
    "what lies below the cutoff keeps its place, and its level within 0.7 dB", arguments: cases(settings))
  func below(_ setting: Setting) throws {
    for share in [0.1, 0.3, 0.5, 0.7, 0.85] {
      let f = share * setting.cutoff
      let output = try Self.heard(
        Signal.tone(f, level: 65, count: 120_000, sampleRate: setting.rate), setting)
      let spectrum = PowerSpectrum(output, sampleRate: setting.rate)
      #expect(abs(spectrum.level(from: f - 40, to: f + 40) - 65) < 0.7)
      // The window's side lobes count as faint peaks of their own.
      let moved = spectrum.level(from: max(1.1 * setting.cutoff, f + 40), to: setting.rate / 2)
      #expect(moved < 65 - 45, "\(f): \(moved - 65)")
    }
  }

  @Test("a hiss of 5 to 8 kHz comes out as one at its new place: level within 1.5 dB, eight tenths there")
  func hiss() throws {
    for setting in Self.settings where setting.cutoff < 4500 && setting.rate == 44_100 {
      var random = Seeded(5)
      let components = (0..<300).map { index in
        SineSum.Sine(
          frequency: 5000 + 10 * Double(index), amplitude: 1e-4,
          phase: Double.random(in: 0..<2 * .pi, using: &random))
      }
      let sines = SineSum(sines: components).samples(131_072, sampleRate: 44_100)
      let output = try Self.heard(sines, setting)
      let level = Measure.level(of: output[...])
      #expect(abs(level - Measure.level(of: sines[...])) < 1.5, "\(setting)")
      let spectrum = PowerSpectrum(output)
      // A frame's bins lie 345 Hz apart: it cannot keep a hiss narrower than that.
      let (low, high) = (setting.target(5000) - 400, setting.target(8000) + 400)
      #expect(spectrum.level(from: low, to: high) > level - 0.97, "\(setting)")
      // A hiss stays one: fourth moment over the square of the second is 3 for Gaussian noise.
      let fourth = output.reduce(0) { $0 + pow(Double($1), 4) } / Double(output.count)
      let second = Measure.meanSquare(output[...])
      #expect(fourth / (second * second) < 4.2, "\(setting)")
    }
  }

  @Test(
    "up to half the cutoff it adds at most 0.3 ms of delay, from 2 kHz of cutoff on",
    arguments: cases(settings))
  func delay(_ setting: Setting) throws {
    func response(_ lowering: FrequencyLowering?) throws -> [Double] {
      var rig = try ChainRig(Binaural(both: try Self.ear(lowering)), sampleRate: setting.rate)
      let first = rig.count(0.3)
      let input = Signal.impulses(peak: 1e-3, first: first, spacing: .max, count: first + 8192)
      return rig.run(input).left[first...].map { Double($0) }
    }
    guard setting.cutoff >= 2000 else { return }
    let (with, without) = (try response(try setting.lowering), try response(nil))
    for frequency in [125.0, 250, 500, 750, 1000, 1500, 2000, 3000] where frequency <= setting.cutoff / 2 {
      let added =
        Measure.groupDelay(with, at: frequency, sampleRate: setting.rate)
        - Measure.groupDelay(without, at: frequency, sampleRate: setting.rate)
      #expect(added / setting.rate <= 0.0003, "\(frequency) Hz: \(1000 * added / setting.rate) ms")
    }
  }

  @Test("lowered sound comes one frame later, 2.9 ms at 44.1 kHz")
  func lateness() throws {
    let setting = Setting(cutoff: 3000, ratio: 2)
    var rig = try ChainRig(Binaural(both: try Self.ear(try setting.lowering)))
    let first = rig.count(0.3) + 17
    let burst = Signal.silence(first) + Signal.tone(6000, level: 65, count: 4410) + Signal.silence(2048)
    let output = rig.run(burst).left
    let envelope = Measure.envelope(output, frequency: setting.target(6000))
    let onset = envelope.firstIndex { $0 > 0.5 * Signal.amplitude(65) } ?? 0
    // Half a frame for a Hann window to fill on either side; the tone's half lies in the middle.
    #expect(abs(Double(onset - first) - 128) < 30, "\(onset - first)")
  }

  @Test("off it leaves every bit, also in the ear beside one that has it")
  func off() throws {
    let sound = Signal.speechLike(level: 65, count: 44_096)
    var plain = try ChainRig(Binaural(both: try Self.ear(nil)))
    var mixed = try ChainRig(
      Binaural(left: try Self.ear(nil), right: try Self.ear(try FrequencyLowering(cutoff: 2000, ratio: 2))))
    let (a, b) = (plain.run(sound), mixed.run(sound))
    // Both ears share transforms, in whose last bits one shows the other.
    #expect(zip(a.left, b.left).allSatisfy { abs($0 - $1) < 1e-7 })
    #expect(zip(a.right, b.right).contains { abs($0 - $1) > 1e-4 })
    // Switched off again, it is as if it had never been.
    mixed.chain.retarget(to: try mixed.parameters(Binaural(both: try Self.ear(nil))))
    plain.chain.retarget(to: try plain.parameters(Binaural(both: try Self.ear(nil))))
    let (c, d) = (plain.run(sound), mixed.run(sound))
    #expect(c.left.suffix(33_000) == d.left.suffix(33_000))
    #expect(c.right.suffix(33_000) == d.right.suffix(33_000))
  }

  @Test("switching it on, to another and off makes no click in a tone below the cutoff")
  func clickless() throws {
    let level = 65.0
    var rig = try ChainRig(Binaural(both: try Self.ear(nil)))
    _ = rig.run(Signal.tone(500, level: level, count: 441 * 64))
    let steps = [
      try FrequencyLowering(cutoff: 2000, ratio: 2), try FrequencyLowering(cutoff: 3000, ratio: 4), nil,
    ]
    let own = Signal.amplitude(level) * pow(2 * sin(.pi * 500 / 44_100), 3)
    for step in steps {
      rig.chain.retarget(to: try rig.parameters(Binaural(both: try Self.ear(step))))
      var differences = rig.run(Signal.tone(500, level: level, count: 441 * 64)).left.map { Double($0) }
      for _ in 0..<3 { differences = zip(differences.dropFirst(), differences).map { $0 - $1 } }
      // The third difference of the tone is its amplitude times (2 sin(ω/2))³; what is faintly moved adds to it.
      #expect(differences.dropLast(64).reduce(0) { max($0, abs($1)) } < 10 * own)
    }
  }

  @Test("whatever is set and played, all is finite and below the limit")
  func random() throws {
    var random = Seeded(17)
    for (rate, frames) in [(44_100.0, 64), (48_000, 441), (96_000, 16)] {
      var rig = try ChainRig(Binaural(both: try Self.ear(nil)), sampleRate: rate, frames: frames)
      for round in 0..<150 {
        func anEar() throws -> EarFitting {
          var ear = ChainRig.ear(try ChainRig.flat(20), limit: Double.random(in: 80...120, using: &random))
          if Bool.random(using: &random) {
            ear.lowering = try FrequencyLowering(
              cutoff: Double.random(in: FrequencyLowering.cutoffs, using: &random),
              ratio: Double.random(in: FrequencyLowering.ratios, using: &random))
          }
          return ear
        }
        let ears = Binaural(left: try anEar(), right: try anEar())
        rig.chain.retarget(to: try rig.parameters(ears))
        if round % 9 == 0 { rig.chain.restart() }
        let count = rig.count(Double.random(in: 0.005...0.25, using: &random))
        let output = rig.run(
          RandomSettingTests.sound(count, &random), RandomSettingTests.sound(count, &random))
        for (ear, samples) in [(ears.left, output.left), (ears.right, output.right)] {
          let limit = pow(10, (ear.outputLimit.decibels - 120) / 20)
          #expect(Measure.isFinite(samples) && Double(Measure.peak(samples)) <= limit * 1.000_001)
        }
      }
      #expect(rig.chain.meters.left.brokenOutput == 0 && rig.chain.meters.right.brokenOutput == 0)
    }
  }
}
