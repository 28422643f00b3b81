import Realtime

/// Filters each ear of a pair with its own window and brings the pair back to time.
///
/// `Y = L·H_L + j·R·H_R` with `2L[k] = Z[k] + Z*[N−k]` and `2R[k] = −j(Z[k] − Z*[N−k])`; the windows carry the
/// factor ½ and the inverse transform's 1/N.
///
/// - Threads: `audio`.
struct PairFilter: ~Copyable {
  /// Room for the mirror of 0 Hz, which is written with its three neighbours and not used.
  private static let slack = 2

  private let length: Int
  private var product: AlignedBuffer<Float>

  init(length: Int) {
    self.length = length
    product = AlignedBuffer(count: 2 * length + Self.slack)
  }

  /// - Parameters:
  ///   - spectrum: Pair that came in.
  ///   - left: Left ear's window.
  ///   - right: Right ear's window.
  ///   - time: `length` frames, interleaved; by overlap-save only the newest are free of the circular wrap.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func apply(
    _ spectrum: borrowing PairSpectrum, left: borrowing ComplexWindow, right: borrowing ComplexWindow,
    transform: borrowing PairTransform, into time: inout AlignedBuffer<Float>
  ) {
    multiply(spectrum, left: left, right: right)
    transform.inverse(product, into: &time)
  }

  #if RT_LINT
    @_noAllocation
  #endif
  private mutating func multiply(
    _ spectrum: borrowing PairSpectrum, left: borrowing ComplexWindow, right: borrowing ComplexWindow
  ) {
    let half = length / 2
    precondition(half % 4 == 0 && spectrum.length == length && product.count >= 2 * length + Self.slack)
    precondition(left.real.count > half && right.real.count > half)
    precondition(left.imaginary.count > half && right.imaginary.count > half)
    let re = unsafe spectrum.real.pointer + PairSpectrum.lead
    let im = unsafe spectrum.imaginary.pointer + PairSpectrum.lead
    let (hlRe, hlIm) = unsafe (left.real.pointer, left.imaginary.pointer)
    let (hrRe, hrIm) = unsafe (right.real.pointer, right.imaginary.pointer)
    let y = unsafe product.pointer
    for k in stride(from: 0, to: half, by: 4) {
      let m = length - k
      let (ownRe, ownIm) = unsafe (Lanes.forward(re, k), Lanes.forward(im, k))
      let (mirrorRe, mirrorIm) = unsafe (Lanes.backward(re, m), Lanes.backward(im, m))
      let (leftRe, leftIm) = (ownRe + mirrorRe, ownIm - mirrorIm)
      let (rightRe, rightIm) = (ownIm + mirrorIm, mirrorRe - ownRe)
      let (lRe, lIm) = unsafe (Lanes.forward(hlRe, k), Lanes.forward(hlIm, k))
      let (rRe, rIm) = unsafe (Lanes.forward(hrRe, k), Lanes.forward(hrIm, k))
      let (pRe, pIm) = (leftRe * lRe - leftIm * lIm, leftRe * lIm + leftIm * lRe)
      let (qRe, qIm) = (rightRe * rRe - rightIm * rIm, rightRe * rIm + rightIm * rRe)
      unsafe Lanes.storeInterleaved(pRe - qIm, pIm + qRe, y, 2 * k)
      unsafe Lanes.storeInterleavedBackwards(pRe + qIm, qRe - pIm, y, 2 * (m - 3))
    }
    // Half the sampling rate is its own mirror, and real in each ear.
    unsafe y[2 * half] = 2 * re[half] * hlRe[half]
    unsafe y[2 * half + 1] = 2 * im[half] * hrRe[half]
  }
}
