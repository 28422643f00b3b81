import Realtime

/// Complex factor of every bin, real and imaginary parts apart.
///
/// - Threads: `audio`.
struct ComplexWindow: ~Copyable {
  var real: AlignedBuffer<Float>
  var imaginary: AlignedBuffer<Float>

  /// - Parameter bins: Bins, rounded up to whole groups.
  init(bins: Int) {
    real = AlignedBuffer(count: bins)
    imaginary = AlignedBuffer(count: bins)
  }
}
