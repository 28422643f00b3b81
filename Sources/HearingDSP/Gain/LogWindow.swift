import Realtime

/// Logarithm of one ear's gain window, in groups of eight bins and in the units that turn into a complex
/// factor with the least work: `2^exponent · exp(jπ·angle)`.
///
/// - Threads: `audio`.
struct LogWindow: ~Copyable {
  /// Log magnitude, octaves: base 2.
  var exponent: AlignedBuffer<SIMD8<Float>>
  /// Phase, half turns.
  var angle: AlignedBuffer<SIMD8<Float>>

  init(basis: borrowing GainBasis) {
    exponent = AlignedBuffer(count: basis.groupCount)
    angle = AlignedBuffer(count: basis.groupCount)
  }
}
