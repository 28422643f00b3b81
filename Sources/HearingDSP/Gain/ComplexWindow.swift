import Realtime

/// Complex factor of every bin, real and imaginary parts apart.
///
/// - Threads: `audio`.
struct ComplexWindow: ~Copyable {
  var real: AlignedBuffer<Float>
  var imaginary: AlignedBuffer<Float>

  /// Number of bins.
  var count: Int { real.count }

  /// - Parameter bins: Bins, and room up to a whole group.
  init(bins: Int) {
    real = AlignedBuffer(count: bins)
    imaginary = AlignedBuffer(count: bins)
  }
}
