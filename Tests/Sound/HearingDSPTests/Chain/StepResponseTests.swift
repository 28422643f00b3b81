import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// ANSI/ASA S3.22: a 2 kHz tone steps from 55 to 90 dB SPL and back; attack is over when the output stays
/// within 3 dB of its steady value at 90 dB SPL, release when it stays within 4 dB of that at 55 dB SPL.
@Suite("Attack and release of the chain") struct StepResponseTests {
  static let frequency = 2000.0

  struct Setting: Sendable, CustomStringConvertible {
    var attack: Double
    var release: Double
    var rate = 44_100.0
    var frames = 64
    var description: String { "\(attack) s / \(release) s at \(rate) Hz, \(frames) frames" }
  }

  /// Measured attack and release, s; the steps fall `offset` frames after a block's beginning.
  static func times(
    _ setting: Setting, ratio: Double, offset: Int
  ) throws -> (attack: Double, release: Double) {
    let ear = ChainRig.ear(try ChainRig.compressive(ratio))
    var rig = try ChainRig(
      Binaural(both: ear), dynamics: Dynamics(attack: setting.attack, release: setting.release),
      sampleRate: setting.rate, frames: setting.frames)
    let settle = rig.count(0.3 + 6 * setting.release) + offset
    let loud = rig.count(0.2 + 8 * setting.attack)
    let soft = rig.count(0.2 + 6 * setting.release)
    let input = Signal.steps(
      frequency, [(55, settle), (90, loud), (55, soft)], sampleRate: setting.rate)
    let output = rig.run(input).left
    let envelope = Measure.envelope(output, frequency: frequency, sampleRate: setting.rate)
      .map { 20 * log10(max($0, 1e-9)) }
    let attack = settling(envelope[settle..<settle + loud - 1], within: 3)
    let release = settling(
      envelope[settle + loud..<settle + loud + soft - rig.geometry.blockFrames], within: 4)
    return (attack / setting.rate, release / setting.rate)
  }

  /// Samples from the beginning until the level stays within `tolerance`, dB, of its mean over the last
  /// tenth.
  static func settling(_ envelope: ArraySlice<Double>, within tolerance: Double) -> Double {
    let tail = envelope.suffix(envelope.count / 10)
    let steady = tail.reduce(0, +) / Double(tail.count)
    let last = envelope.lastIndex { abs($0 - steady) > tolerance } ?? envelope.startIndex - 1
    return Double(last + 1 - envelope.startIndex)
  }

  @Test(
    "both are within 20 % of their parameters at compression ratios 1.5, 2 and 3",
    arguments: cases([
      Setting(attack: 0.005, release: 0.05), Setting(attack: 0.005, release: 0.1),
      Setting(attack: 0.01, release: 0.1), Setting(attack: 0.02, release: 0.1),
      Setting(attack: 0.05, release: 0.5), Setting(attack: 0.01, release: 1),
      Setting(attack: 0.005, release: 0.05, frames: 16),
      Setting(attack: 0.005, release: 0.05, frames: 1024),
      Setting(attack: 0.005, release: 0.05, rate: 48_000),
      Setting(attack: 0.01, release: 0.1, rate: 96_000),
      Setting(attack: 0.005, release: 0.05, rate: 96_000, frames: 441),
    ]), cases([1.5, 2.0, 3.0]))
  func withinAFifth(_ setting: Setting, ratio: Double) throws {
    // Where in a hop the step falls is chance; each place must do.
    for offset in [0, 23, 49] {
      let found = try Self.times(setting, ratio: ratio, offset: offset)
      #expect(abs(found.attack / setting.attack - 1) <= 0.2, "attack \(found.attack), offset \(offset)")
      #expect(abs(found.release / setting.release - 1) <= 0.2, "release \(found.release), offset \(offset)")
    }
  }
}
