import Glibc
import Realtime

/// Octave-wide filters for the modulation of eight series: how much each moves how fast.
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

  /// What came out of each band last. - Shape: bands.
  private(set) var output: AlignedBuffer<SIMD8<Float>>
  private var first: AlignedBuffer<SIMD8<Float>>
  private var second: AlignedBuffer<SIMD8<Float>>
  /// b0, a1, a2 of each band; b1 = 0 and b2 = −b0.
  private var coefficients: AlignedBuffer<Float>

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

  /// Takes in one value of each series.
  mutating func take(_ values: SIMD8<Float>) {
    for band in 0..<Self.count {
      let (b0, a1, a2) = (
        coefficients[3 * band], coefficients[3 * band + 1], coefficients[3 * band + 2]
      )
      let result = values * b0 + first[band]
      first[band] = second[band] - result * a1
      second[band] = values * -b0 - result * a2
      output[band] = result
    }
  }
}
