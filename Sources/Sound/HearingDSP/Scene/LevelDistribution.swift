import Realtime

/// How often each of eight series had which level over the time of judgement: a histogram each.
///
/// - Threads: built on `control`, run on `audio`.
struct LevelDistribution: ~Copyable {
  /// Width of a class, dB.
  private static var width: Float { 2 }
  /// Classes, from 0 dB SPL.
  private static var classes: Int { 64 }
  private static var seriesCount: Int { 8 }

  /// - Shape: stretches × series × classes.
  private var counts: AlignedBuffer<Float>
  /// Sum over the stretches. - Shape: series × classes.
  private var sum: AlignedBuffer<Float>

  init(stretches: Int) {
    counts = AlignedBuffer(count: stretches * Self.seriesCount * Self.classes)
    sum = AlignedBuffer(count: Self.seriesCount * Self.classes)
  }

  mutating func reset() {
    counts.fill(0)
    sum.fill(0)
  }

  /// Makes room in a stretch: what it held is forgotten.
  mutating func open(_ stretch: Int) {
    let start = stretch * Self.seriesCount * Self.classes
    for index in 0..<sum.count {
      sum[index] -= counts[start + index]
      counts[start + index] = 0
    }
  }

  /// Notes one value of each series.
  mutating func note(_ values: SIMD8<Float>, stretch: Int) {
    let start = stretch * Self.seriesCount * Self.classes
    for series in 0..<Self.seriesCount {
      let place = values[series] * (1 / Self.width)
      // The comparison is false for what is not a number.
      let bounded = place > 0 ? (place < Float(Self.classes - 1) ? place : Float(Self.classes - 1)) : 0
      let index = series * Self.classes + Int(bounded)
      counts[start + index] += 1
      sum[index] += 1
    }
  }

  /// Level that a share of the values of one series does not exceed, dB; linear within a class.
  func level(_ share: Float, series: Int, frames: Float) -> Float {
    let wanted = share * frames
    var below: Float = 0
    for index in 0..<Self.classes {
      let here = sum[series * Self.classes + index]
      if here > 0, below + here >= wanted {
        return Self.width * (Float(index) + (wanted - below) / here)
      }
      below += here
    }
    return Self.width * Float(Self.classes)
  }
}
