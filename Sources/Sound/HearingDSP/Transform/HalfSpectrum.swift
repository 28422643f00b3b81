import Realtime

/// One ear's spectrum from 0 Hz to half the sampling rate, real and imaginary parts apart, which is how
/// loops over bins run fastest.
///
/// Bin `k` is at index `lead + k`. Room on both sides lets loops read neighbours and end on whole vectors;
/// what a neighbour beyond an end is, ``closeEnds()`` says.
///
/// - Shape: `length / 2 + 1` bins of a transform of `length` frames.
/// - Threads: `audio`.
struct HalfSpectrum: ~Copyable {
  /// Elements before bin 0: a whole vector, so that the bins themselves stay aligned.
  static let lead = 4
  /// Elements after the last bin: the rest of its vector and one more.
  private static let trail = 7

  /// Index of the bin at half the sampling rate.
  let half: Int
  private var real: AlignedBuffer<Float>
  private var imaginary: AlignedBuffer<Float>

  /// - Parameter length: Of the transform, frames; a multiple of eight.
  init(length: Int) {
    precondition(length % 8 == 0, "bins do not fill whole vectors")
    half = length / 2
    real = AlignedBuffer(count: Self.lead + half + 1 + Self.trail)
    imaginary = AlignedBuffer(count: Self.lead + half + 1 + Self.trail)
  }

  /// Real parts from bin 0; `-4 ... half + 7` may be accessed. Valid while the value lives.
  @inline(__always) @unsafe
  var re: UnsafeMutablePointer<Float> { unsafe real.pointer + Self.lead }

  /// Imaginary parts from bin 0, like ``re``.
  @inline(__always) @unsafe
  var im: UnsafeMutablePointer<Float> { unsafe imaginary.pointer + Self.lead }

  /// Fills in the neighbours beyond both ends: a real signal's spectrum mirrors there, conjugated.
  mutating func closeEnds() {
    unsafe re[-1] = re[1]
    unsafe im[-1] = -im[1]
    unsafe re[half + 1] = re[half - 1]
    unsafe im[half + 1] = -im[half - 1]
  }

  /// Power of each bin after a Hann window, which is three taps in the spectrum,
  /// `X_w[k] = X[k]/2 − (X[k−1] + X[k+1])/4`. The ends must be closed.
  ///
  /// - Parameters:
  ///   - bins: Bins wanted, from 0 Hz, a multiple of four, at most `half`.
  ///   - factor: Multiplies every `|2·X_w|²`.
  ///   - power: At least `bins` elements.
  func hannPower(bins: Int, factor: Float, into power: inout AlignedBuffer<Float>) {
    precondition(bins % 4 == 0 && bins <= half && power.count >= bins)
    let (x, y, result) = unsafe (re, im, power.pointer)
    for k in stride(from: 0, to: bins, by: 4) {
      let windowedRe = unsafe Self.hann(x, k)
      let windowedIm = unsafe Self.hann(y, k)
      unsafe Lanes.store((windowedRe * windowedRe + windowedIm * windowedIm) * factor, result, k)
    }
  }

  /// Twice the Hann-windowed value at four bins.
  @inline(__always)
  private static func hann(_ base: UnsafeMutablePointer<Float>, _ k: Int) -> SIMD4<Float> {
    unsafe Lanes.forward(base, k) - 0.5 * (Lanes.forward(base, k - 1) + Lanes.forward(base, k + 1))
  }
}
