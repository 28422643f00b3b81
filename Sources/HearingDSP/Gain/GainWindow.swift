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
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func advance(_ logarithm: borrowing LogWindow) {
    swap(&current, &former)
    ComplexExponential.evaluate(logarithm, into: &current)
  }
}
