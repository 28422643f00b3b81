import Realtime

/// Logarithm of one ear's gain window, in groups of eight bins.
///
/// - Threads: `audio`.
struct LogWindow: ~Copyable {
  /// Log magnitude, nepers.
  var exponent: AlignedBuffer<SIMD8<Float>>
  /// Phase, rad.
  var angle: AlignedBuffer<SIMD8<Float>>

  init(basis: borrowing GainBasis) {
    exponent = AlignedBuffer(count: basis.groupCount)
    angle = AlignedBuffer(count: basis.groupCount)
  }
}
