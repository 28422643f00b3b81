import Realtime

/// Spectrum of a pair of ears with real and imaginary parts apart, which is how loops over bins run fastest.
///
/// `Z[k]` is at index `lead + k`; the ring is closed on both sides, so that neighbours and mirrors need no special
/// case: `Z[−1]` lies before the first and `Z[N]`, `Z[N+1]` after the last.
///
/// - Threads: `audio`.
struct PairSpectrum: ~Copyable {
  /// Elements before `Z[0]`: whole vectors, so that the bins themselves stay aligned.
  static let lead = 4

  let length: Int
  private(set) var real: AlignedBuffer<Float>
  private(set) var imaginary: AlignedBuffer<Float>
  private var interleaved: AlignedBuffer<Float>

  init(length: Int) {
    self.length = length
    real = AlignedBuffer(count: length + 2 * Self.lead)
    imaginary = AlignedBuffer(count: length + 2 * Self.lead)
    interleaved = AlignedBuffer(count: 2 * length)
  }

  /// Transforms the `length` newest frames of a history.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func read(_ history: borrowing AlignedBuffer<Float>, transform: borrowing PairTransform) {
    transform.forward(history, from: history.count / 2 - length, into: &interleaved)
    precondition(interleaved.count >= 2 * length && real.count >= length + 2 * Self.lead)
    let z = unsafe interleaved.pointer
    let (re, im) = unsafe (real.pointer + Self.lead, imaginary.pointer + Self.lead)
    for k in 0..<length {
      unsafe re[k] = z[2 * k]
      unsafe im[k] = z[2 * k + 1]
    }
    unsafe re[-1] = re[length - 1]
    unsafe im[-1] = im[length - 1]
    for k in 0..<2 {
      unsafe re[length + k] = re[k]
      unsafe im[length + k] = im[k]
    }
  }

  /// Power of each bin of each ear after a Hann window, `Z_w[k] = Z[k]/2 − (Z[k−1] + Z[k+1])/4`, which is
  /// linear and so works on the pair.
  ///
  /// - Parameters:
  ///   - bins: Bins wanted, from 0 Hz, a multiple of four, at most `length / 2`.
  ///   - left: Mean square per bin of the left ear, one-sided.
  ///   - right: Of the right ear.
  #if RT_LINT
    @_noAllocation
  #endif
  func hannPower(bins: Int, left: inout AlignedBuffer<Float>, right: inout AlignedBuffer<Float>) {
    precondition(bins % 4 == 0 && bins <= length / 2 && left.count >= bins && right.count >= bins)
    let (re, im) = unsafe (real.pointer + Self.lead, imaginary.pointer + Self.lead)
    let (l, r) = unsafe (left.pointer, right.pointer)
    // One-sided mean square of a Hann window: 2/(N·Σw²) with Σw² = 3N/8. L = (Z_w + Z_w*')/2 and the window's own ½
    // taken out of the brackets make 1/16.
    let scale = 2 / (Float(length) * Float(length) * 3 / 8) / 16
    for k in Swift.stride(from: 0, to: bins, by: 4) {
      let m = length - k
      let (wRe, wIm) = unsafe (Self.hann(re, k, Lanes.forward), Self.hann(im, k, Lanes.forward))
      let (mRe, mIm) = unsafe (Self.hann(re, m, Lanes.backward), Self.hann(im, m, Lanes.backward))
      let (leftRe, leftIm) = (wRe + mRe, wIm - mIm)
      let (rightRe, rightIm) = (wIm + mIm, mRe - wRe)
      unsafe Lanes.store((leftRe * leftRe + leftIm * leftIm) * scale, l, k)
      unsafe Lanes.store((rightRe * rightRe + rightIm * rightIm) * scale, r, k)
    }
  }

  /// Twice the Hann-windowed value at four bins, read by `load`.
  @inline(__always)
  private static func hann(
    _ base: UnsafeMutablePointer<Float>, _ position: Int,
    _ load: (UnsafeMutablePointer<Float>, Int) -> SIMD4<Float>
  ) -> SIMD4<Float> {
    unsafe load(base, position) - 0.5 * (load(base, position - 1) + load(base, position + 1))
  }
}
