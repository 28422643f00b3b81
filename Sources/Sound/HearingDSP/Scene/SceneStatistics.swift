import Glibc
import Realtime

/// Octave-wide filters for the modulation of eight series.
///
/// Two-pole band passes with unit gain at their centre and Q = √2 (bilinear transform, R. Bristow-Johnson,
/// "Audio EQ Cookbook").
///
/// - Threads: built on `control`, run on `audio`.
struct ModulationBank: ~Copyable {
  /// Bands.
  static var count: Int { 6 }
  /// Bands that hold the rate of syllables, 2–8 Hz.
  static var syllabic: Range<Int> { 2..<4 }
  /// Lowest centre, Hz; each next one is an octave higher: 0.7, 1.4, 2.8, 5.7, 11.3, 22.6 Hz.
  private static let lowest = 0.7071

  /// Last output of each band. - Shape: bands.
  private(set) var output: AlignedBuffer<SIMD8<Float>>
  private var first: AlignedBuffer<SIMD8<Float>>
  private var second: AlignedBuffer<SIMD8<Float>>
  /// b0, a1, a2 of each band; b1 = 0 and b2 = −b0.
  private var coefficients: Buffer

  /// - Parameter frameTime: s.
  init(frameTime: Double) {
    output = AlignedBuffer(count: Self.count)
    first = AlignedBuffer(count: Self.count)
    second = AlignedBuffer(count: Self.count)
    coefficients = AlignedBuffer(count: 3 * Self.count)
    for band in 0..<Self.count {
      let omega = 2 * .pi * Self.lowest * exp2(Double(band)) * frameTime
      let alpha = sin(omega) / (2 * sqrt(2.0))
      coefficients[3 * band] = Float(alpha / (1 + alpha))
      coefficients[3 * band + 1] = Float(-2 * cos(omega) / (1 + alpha))
      coefficients[3 * band + 2] = Float((1 - alpha) / (1 + alpha))
    }
  }

  mutating func reset() {
    output.fill(SIMD8())
    first.fill(SIMD8())
    second.fill(SIMD8())
  }

  /// Filters one value of each series.
  mutating func process(_ values: SIMD8<Float>) {
    for band in 0..<Self.count {
      let (b0, a1, a2) = (coefficients[3 * band], coefficients[3 * band + 1], coefficients[3 * band + 2])
      let result = values * b0 + first[band]
      first[band] = second[band] - result * a1
      second[band] = values * -b0 - result * a2
      output[band] = result
    }
  }
}

/// Histogram of the levels of each of eight series over the last stretches.
///
/// - Threads: built on `control`, run on `audio`.
struct LevelDistribution: ~Copyable {
  /// Width of a class, dB.
  private static var width: Float { 2 }
  /// Classes, from 0 dB SPL.
  private static var classes: Int { 64 }
  private static var seriesCount: Int { 8 }

  /// - Shape: stretches × series × classes.
  private var counts: Buffer
  /// Sum over the stretches. - Shape: series × classes.
  private var sum: Buffer

  init(stretches: Int) {
    counts = AlignedBuffer(count: stretches * Self.seriesCount * Self.classes)
    sum = AlignedBuffer(count: Self.seriesCount * Self.classes)
  }

  mutating func reset() {
    counts.fill(0)
    sum.fill(0)
  }

  /// Clears one stretch.
  mutating func reset(stretch: Int) {
    let start = stretch * Self.seriesCount * Self.classes
    for index in 0..<sum.count {
      sum[index] -= counts[start + index]
      counts[start + index] = 0
    }
  }

  /// Counts one value of each series.
  mutating func process(_ values: SIMD8<Float>, stretch: Int) {
    let start = stretch * Self.seriesCount * Self.classes
    for series in 0..<Self.seriesCount {
      let place = values[series] * (1 / Self.width)
      // The comparison is false for NaN.
      let bounded = place > 0 ? (place < Float(Self.classes - 1) ? place : Float(Self.classes - 1)) : 0
      let index = series * Self.classes + Int(bounded)
      counts[start + index] += 1
      sum[index] += 1
    }
  }

  /// Quantile of the values of one series, dB; linear within a class.
  func level(_ share: Float, series: Int, frames: Float) -> Float {
    let wanted = share * frames
    var below: Float = 0
    for index in 0..<Self.classes {
      let here = sum[series * Self.classes + index]
      if here > 0, below + here >= wanted { return Self.width * (Float(index) + (wanted - below) / here) }
      below += here
    }
    return Self.width * Float(Self.classes)
  }
}
