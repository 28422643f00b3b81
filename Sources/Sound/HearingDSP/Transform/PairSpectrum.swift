import Realtime

/// Spectra of both ears, from one transform of the pair.
///
/// The left ear went in as the real part and the right ear as the imaginary part, so they come apart by
/// symmetry: `2L[k] = Z[k] + Z*[N−k]` and `2R[k] = −j(Z[k] − Z*[N−k])`.
///
/// - Threads: `audio`.
struct PairSpectrum: ~Copyable {
  let length: Int
  /// Twice the left ear's spectrum, ends closed.
  private(set) var left: HalfSpectrum
  /// Twice the right ear's spectrum, ends closed.
  private(set) var right: HalfSpectrum
  /// The pair's spectrum, `re, im`, closed by a copy of bin 0, which is its own mirror.
  private var pair: AlignedBuffer<Float>

  init(length: Int) {
    self.length = length
    left = HalfSpectrum(length: length)
    right = HalfSpectrum(length: length)
    pair = AlignedBuffer(count: 2 * (length + 1))
  }

  /// Transforms the `length` newest frames of a history.
  mutating func read(_ history: borrowing AlignedBuffer<Float>, transform: borrowing PairTransform) {
    transform.forward(history, from: history.count / 2 - length, into: &pair)
    pair[2 * length] = pair[0]
    pair[2 * length + 1] = pair[1]
    takeApart()
  }

  private mutating func takeApart() {
    let half = length / 2
    precondition(left.half == half && right.half == half && pair.count >= 2 * (length + 1))
    let z = unsafe pair.pointer
    let (leftRe, leftIm, rightRe, rightIm) = unsafe (left.re, left.im, right.re, right.im)
    for k in stride(from: 0, to: half, by: 4) {
      let own = unsafe Lanes.apart(z, 2 * k)
      let mirror = unsafe Lanes.apartBackwards(z, 2 * (length - k - 3))
      unsafe Lanes.store(own.even + mirror.even, leftRe, k)
      unsafe Lanes.store(own.odd - mirror.odd, leftIm, k)
      unsafe Lanes.store(own.odd + mirror.odd, rightRe, k)
      unsafe Lanes.store(mirror.even - own.even, rightIm, k)
    }
    // Half the sampling rate is its own mirror, and real in each ear.
    unsafe leftRe[half] = 2 * z[2 * half]
    unsafe rightRe[half] = 2 * z[2 * half + 1]
    left.closeEnds()
    right.closeEnds()
  }

  /// Power of each bin of each ear after a Hann window.
  ///
  /// - Parameters:
  ///   - bins: Bins wanted, from 0 Hz, a multiple of four, at most `length / 2`.
  ///   - leftPower: Mean square per bin of the left ear, one-sided.
  ///   - rightPower: Of the right ear.
  func hannPower(
    bins: Int, left leftPower: inout AlignedBuffer<Float>, right rightPower: inout AlignedBuffer<Float>
  ) {
    // One-sided mean square of a Hann window: 2/(N·Σw²) with Σw² = 3N/8. The ears are held doubled and the
    // window is taken doubled: 1/16.
    let factor = 2 / (Float(length) * Float(length) * 3 / 8) / 16
    left.hannPower(bins: bins, factor: factor, into: &leftPower)
    right.hannPower(bins: bins, factor: factor, into: &rightPower)
  }
}
