import Glibc
import Testing

@testable import Engine

/// Percentiles of the load, from counts in quarter octaves.
@Suite("LoadHistogram") struct LoadHistogramTests {
  /// Width of a class as a factor, with 1 % for the logarithm's approximation (0.01 octave is 0.7 %).
  static let width = exp2(0.25) * 1.01

  @Test("empty: nothing, at any percentile")
  func empty() {
    let histogram = LoadHistogram()
    #expect(histogram.percentile(0.5) == 0)
    #expect(histogram.percentile(1) == 0)
    #expect(histogram.greatest == 0)
    #expect(histogram.blocks == 0)
  }

  @Test(
    "of 1000 equal shares every percentile is that share, to a quarter octave",
    arguments: [
      0.001, 0.01, 0.0733, 0.25, 0.5, 1, 3,
    ])
  func constant(share: Double) {
    var histogram = LoadHistogram()
    for _ in 0..<1000 { histogram.count(share) }
    for part in [0.001, 0.5, 0.99, 1] {
      #expect(histogram.percentile(part) >= share / 1.01)
      #expect(histogram.percentile(part) <= share)
    }
    #expect(histogram.greatest == share)
    #expect(histogram.blocks == 1000)
  }

  @Test("of shares 0.0001 to 0.1 in even steps the percentiles lie where they must")
  func even() {
    var histogram = LoadHistogram()
    for n in 1...1000 { histogram.count(Double(n) * 1e-4) }
    for part in [0.1, 0.25, 0.5, 0.9, 0.99, 0.999] {
      let exact = part * 0.1
      #expect(histogram.percentile(part) >= exact / 1.01)
      #expect(histogram.percentile(part) <= exact * Self.width)
    }
    #expect(histogram.percentile(1) == 0.1)
  }

  @Test("one late block in a thousand is the 99.95th percentile and not the 99th")
  func outlier() {
    var histogram = LoadHistogram()
    for _ in 0..<999 { histogram.count(0.02) }
    histogram.count(4)
    #expect(histogram.percentile(0.99) <= 0.02 * Self.width)
    #expect(histogram.percentile(0.9995) == 4)
    #expect(histogram.greatest == 4)
  }

  @Test("a greater part never has a smaller percentile")
  func monotonic() {
    var histogram = LoadHistogram()
    var state: UInt64 = 1
    for _ in 0..<5000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      histogram.count(exp2(-14 + 18 * Double(state >> 40) / Double(1 << 24)))
    }
    let percentiles = stride(from: 0.0, through: 1, by: 0.01).map { histogram.percentile($0) }
    #expect(zip(percentiles, percentiles.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("nothing, less than nothing, infinity and what is not a number do not break it")
  func odd() {
    var histogram = LoadHistogram()
    for share in [0, -1, 1e-300, .nan] { histogram.count(share) }
    #expect(histogram.percentile(1) <= 0x1p-12 * Self.width)
    histogram.count(.infinity)
    #expect(histogram.blocks == 5)
    #expect(histogram.percentile(0.5) <= 0x1p-12 * Self.width)
  }
}
