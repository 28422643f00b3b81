import Realtime

/// One ear's gain at every bin: a minimum-phase filter that moves with the band gains.
///
/// `log H = Σ g_b (B_b + j·Hilbert{B_b})` with the basis of ``MinimumPhaseBasis``; the scale of the
/// transforms is part of it. Two windows are kept, of this hop and of the one before, between which the
/// output is crossfaded.
///
/// - Threads: `audio`.
struct GainWindow: ~Copyable {
  private(set) var current: ComplexWindow
  private(set) var former: ComplexWindow

  init(basis: borrowing GainBasis) {
    current = ComplexWindow(bins: basis.paddedBins)
    former = ComplexWindow(bins: basis.paddedBins)
  }

  /// Makes the current window the former one and computes a new one.
  mutating func advance(_ logarithm: borrowing LogWindow) {
    swap(&current, &former)
    ComplexExponential.evaluate(logarithm, into: &current)
  }
}

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
