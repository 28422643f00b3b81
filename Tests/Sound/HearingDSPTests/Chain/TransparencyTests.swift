import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("A prescription of 0 dB") struct TransparencyTests {
  struct Sizes: Sendable {
    var rate: Double
    var frames: Int
  }

  /// The chain adds no delay of its own to the block: sample n of a block that goes in is sample n of the
  /// block that comes out, so the expected output is the input itself, less its direct current.
  @Test(
    "gives back the input without a frame of delay, to −100 dB",
    arguments: [
      Sizes(rate: 44_100, frames: 16), Sizes(rate: 44_100, frames: 64), Sizes(rate: 44_100, frames: 441),
      Sizes(rate: 48_000, frames: 1024), Sizes(rate: 96_000, frames: 64), Sizes(rate: 96_000, frames: 333),
    ])
  func identity(_ sizes: Sizes) throws {
    let ear = ChainRig.ear(try ChainRig.flat(0))
    var rig = try ChainRig(Binaural(both: ear), sampleRate: sizes.rate, frames: sizes.frames)
    let count = rig.count(1)
    let left = Signal.noise(peak: 0.3, count: count, seed: 5)
    let right = Signal.speechLike(level: 80, count: count, sampleRate: sizes.rate)
    let output = rig.run(left, right)
    let open = rig.count(0.5)..<count
    for (sound, result) in [(left, output.left), (right, output.right)] {
      let input = Signal.withoutDirectCurrent(sound, sampleRate: sizes.rate)
      let residual = zip(input[open], result[open]).map { $1 - $0 }
      let difference = Measure.level(of: residual[...]) - Measure.level(of: input[open])
      #expect(difference <= -100, "\(difference) dB")
    }
    #expect(rig.chain.meters.left.outputLimiting < 0.01)
    #expect(rig.chain.meters.left.nonFinite == 0)
  }

  @Test("keeps the ears apart: sound in one is below −100 dB in the other")
  func crosstalk() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))))
    let left = Signal.noise(peak: 0.5, count: rig.count(1))
    let output = rig.run(left, Signal.silence(left.count))
    #expect(Measure.level(of: output.right[...]) - Measure.level(of: output.left[...]) <= -100)
  }
}
