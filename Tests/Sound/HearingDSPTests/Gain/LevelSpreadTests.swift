import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Spread of level between bands") struct LevelSpreadTests {
  /// Spread levels of `levels` by the definition: the greatest of every band's level less the slope per
  /// band of distance.
  static func definition(_ levels: [Float]) -> [Float] {
    levels.indices.map { band in
      levels.indices.reduce(-1000) { max($0, levels[$1] - LevelSpread.slope * Float(abs(band - $1))) }
    }
  }

  static func spread(_ levels: [Float]) -> [Float] {
    let buffer = AlignedBuffer<Float>(count: levels.count)
    for (index, level) in levels.enumerated() { buffer.pointer[index] = level }
    var spread = LevelSpread(stride: levels.count)
    spread.process(buffer, count: levels.count)
    return levels.indices.map { spread.pointer[$0] }
  }

  @Test("one band's level falls by 8 dB per band on both sides")
  func tone() {
    var levels = [Float](repeating: -60, count: 24)
    levels[10] = 80
    let result = Self.spread(levels)
    for band in 0..<24 { #expect(result[band] == max(-60, 80 - 8 * Float(abs(band - 10)))) }
  }

  @Test("a spectrum whose neighbours differ by less is left as it is")
  func noise() {
    let levels: [Float] = (0..<24).map { 60 - 5.5 * Float($0 % 2) }
    #expect(Self.spread(levels) == levels)
  }

  @Test("any levels spread as the definition says, over up to 15 bands")
  func random() {
    var random = Seeded(11)
    for count in [1, 8, 16, 40] {
      // 120 dB fall within 15 bands, as far as the spread reaches.
      let levels = (0..<count).map { _ in Float.random(in: -20...100, using: &random) }
      #expect(zip(Self.spread(levels), Self.definition(levels)).allSatisfy { abs($0 - $1) < 0.001 })
    }
  }

  @Test("what lay in the bands before does not stay")
  func fresh() {
    var spread = LevelSpread(stride: 8)
    let loud = AlignedBuffer<Float>(count: 8)
    for band in 0..<8 { loud.pointer[band] = 100 }
    spread.process(loud, count: 8)
    let quiet = AlignedBuffer<Float>(count: 8)
    spread.process(quiet, count: 8)
    #expect((0..<8).allSatisfy { spread.pointer[$0] == 0 })
  }
}
