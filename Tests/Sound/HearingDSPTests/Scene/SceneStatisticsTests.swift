import Acoustics
import Glibc
import Realtime
import Testing

@testable import HearingDSP

@Suite("Statistics of a scene") struct SceneStatisticsTests {
  @Test("shares of a level that rises evenly from 20 to 100 dB are read to within a class of 2 dB")
  func distribution() {
    var distribution = LevelDistribution(stretches: 2)
    for n in 0..<800 { distribution.process(SIMD8(repeating: 20 + Float(n) / 10), stretch: 0) }
    for share in [0.05, 0.5, 0.95] as [Float] {
      let level = distribution.level(share, series: 3, frames: 800)
      #expect(abs(level - (20 + 80 * share)) < 2)
    }
    // Forgotten with its stretch.
    for _ in 0..<100 { distribution.process(SIMD8(repeating: 51), stretch: 1) }
    distribution.reset(stretch: 0)
    let level = distribution.level(0.5, series: 0, frames: 100)
    #expect(abs(level - 51) <= 1)
  }

  @Test("a level that moves at the centre of a modulation band passes unchanged, an octave off at half")
  func modulation() {
    let frameTime = 0.0116
    var bank = ModulationBank(frameTime: frameTime)
    var energy = [Float](repeating: 0, count: ModulationBank.count)
    // Centre of the third band, 2.83 Hz; the first seconds settle.
    for n in 0..<4000 {
      bank.process(SIMD8(repeating: Float(sin(2 * .pi * 0.7071 * 4 * Double(n) * frameTime))))
      guard n >= 1000 else { continue }
      for band in energy.indices { energy[band] += bank.output[band][0] * bank.output[band][0] / 3000 }
    }
    #expect(abs(energy[2] - 0.5) < 0.01)
    // |H|² = 1/(1 + Q²(f/f₀ − f₀/f)²) = 1/(1 + 2·1.5²) = 0.18 an octave away; the bilinear warp narrows it above.
    #expect(abs(energy[1] - 0.5 * 0.18) < 0.02)
    #expect(energy[3] < 0.5 * 0.25 && energy[3] > 0.5 * 0.12)
  }

  @Test("bands add up to channels, the lowest counts for the level but not for quiet")
  func bands() {
    let bands = SceneBands(.standard)
    let isComplete = bands.isComplete
    #expect(isComplete)
    var power = AlignedBuffer<Float>(count: 20)
    power.fill(1)
    let sums = bands.sum(power, factor: 2)
    #expect(sums.channels == SIMD8(4, 4, 6, 6, 8, 12, 0, 0))
    #expect(sums.all == 40)
    #expect(sums.audible == 38)
  }

  @Test("a layout that leaves a channel empty is never judged")
  func incomplete() throws {
    let bands = SceneBands(try BandLayout(centres: [1000]))
    let isComplete = bands.isComplete
    #expect(!isComplete)
  }

  @Test("the ranges in which a layout has no band for the surroundings are known")
  func missingBands() throws {
    func missing(_ centres: [Double]) throws -> [Range<Double>] {
      try BandLayout(centres: centres).missingSceneBands
    }
    #expect(BandLayout.standard.missingSceneBands == [])
    #expect(try missing([250, 500, 1000, 2000, 4000]) == [4200..<Double.infinity])
    #expect(try missing([250, 500, 1000, 2000, 4000, 6000]) == [])
    // An edge belongs to the range above it.
    #expect(try missing([340, 700, 1400, 2250, 4200]) == [0..<340])
    #expect(
      try missing([1000]) == [0..<340, 340..<700, 1400..<2250, 2250..<4200, 4200..<Double.infinity])
  }
}
