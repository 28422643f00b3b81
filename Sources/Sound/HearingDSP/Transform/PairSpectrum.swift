import Acoustics
import Realtime

/// Spectra of both ears, from one transform of the pair (``ForwardTransform``), taken apart by symmetry: `2L[k] = Z[k] + Z*[N−k]` and
/// `2R[k] = −j(Z[k] − Z*[N−k])`.
///
/// - Threads: `audio`.
struct PairSpectrum: ~Copyable {
  /// Twice each ear's spectrum, ends closed.
  private(set) var ears: Binaural<HalfSpectrum>
  private var transform: ForwardTransform

  /// - Parameter length: Frames; a power of two, at least 64.
  init(length: Int) {
    ears = Binaural { _ in HalfSpectrum(length: length) }
    transform = ForwardTransform(length: length)
  }

  /// Frames of the transform.
  var length: Int { transform.length }

  /// Transforms the ``length`` newest frames of a history.
  mutating func process(_ history: borrowing Buffer) {
    let (length, half) = (length, length / 2)
    transform.process(history, from: history.count / 2 - length)
    precondition(ears.left.half == half && ears.right.half == half)
    precondition(transform.re.count > length && transform.im.count > length)
    let pair = unsafe SpectrumLanes(re: transform.re.pointer, im: transform.im.pointer)
    let (left, right) = unsafe (ears.left.lanes, ears.right.lanes)
    for k in stride(from: 0, to: half, by: 4) {
      let (own, mirror) = unsafe (pair[k], pair[length - k - 3].reversed)
      unsafe left[k] = ComplexLanes(own.re + mirror.re, own.im - mirror.im)
      unsafe right[k] = ComplexLanes(own.im + mirror.im, mirror.re - own.re)
    }
    // Half the sampling rate is its own mirror, and real in each ear.
    unsafe left.re[half] = 2 * pair.re[half]
    unsafe right.re[half] = 2 * pair.im[half]
    ears.forEach { $0.closeEnds() }
  }

  /// Power of each bin of each ear after a Hann window, mean square per bin, one-sided.
  ///
  /// - Parameters:
  ///   - bins: Bins wanted, from 0 Hz, a multiple of four, at most `length / 2`.
  ///   - power: At least `bins` elements per ear.
  func hannPower(bins: Int, into power: inout Binaural<Buffer>) {
    power.forEach(ears) { $1.hannPower(bins: bins, into: &$0) }
  }
}

/// Puts both ears' spectra together for one inverse transform of the pair, `Z[k] = L + jR` and
/// `Z[N−k] = L* + jR*`.
///
/// - Threads: `audio`.
struct PairSynthesis: ~Copyable {
  let length: Int
  /// The pair's spectrum, `re, im`, with room for the mirror of 0 Hz, which is written and not used.
  private var pair: Buffer

  init(length: Int) {
    self.length = length
    pair = AlignedBuffer(count: 2 * (length + 1))
  }

  /// Sound of both spectra, `length` times too large.
  ///
  /// - Parameter time: `length` frames, interleaved.
  mutating func process(
    _ left: borrowing HalfSpectrum, _ right: borrowing HalfSpectrum, transform: borrowing InverseTransform,
    into time: inout Buffer
  ) {
    precondition(left.half == length / 2 && right.half == length / 2)
    let (left, right) = unsafe (left.lanes, right.lanes)
    process(transform: transform, into: &time) { k in unsafe (left[k], right[k]) }
  }

  /// Sound of spectra that are worked out four bins at a time.
  ///
  /// - Parameter bins: Both ears' bins from `k` on.
  @inline(__always) mutating func process(
    transform: borrowing InverseTransform, into time: inout Buffer,
    bins: (_ k: Int) -> (left: ComplexLanes, right: ComplexLanes)
  ) {
    precondition(pair.count >= 2 * (length + 1))
    let z = unsafe pair.pointer
    // From the top down: of the first vector only the bin at half the sampling rate counts, and the next
    // one overwrites the others.
    for vector in 0...length / 8 {
      let k = length / 2 - 4 * vector
      let (left, right) = bins(k)
      unsafe z.store(ComplexLanes(left.re - right.im, left.im + right.re), at: 2 * k)
      let mirror = ComplexLanes(left.re + right.im, right.re - left.im)
      unsafe z.store(mirror.reversed, at: 2 * (length - k - 3))
    }
    transform.process(pair, into: &time)
  }
}

/// One ear's spectrum from 0 Hz to half the sampling rate, real and imaginary parts apart, which is how
/// loops over bins run fastest.
///
/// Bin `k` is at index `lead + k`. Room on both sides lets loops read neighbours and end on whole vectors;
/// ``closeEnds()`` fills in the neighbours beyond an end.
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
  private var real: Buffer
  private var imaginary: Buffer

  /// - Parameter length: Of the transform, frames; a multiple of eight.
  init(length: Int) {
    precondition(length % 8 == 0, "bins do not fill whole vectors")
    half = length / 2
    real = AlignedBuffer(count: Self.lead + half + 1 + Self.trail)
    imaginary = AlignedBuffer(count: Self.lead + half + 1 + Self.trail)
  }

  /// Real parts from bin 0; `-4 ... half + 7` may be accessed. Valid while the value lives.
  @inline(__always) @unsafe var re: UnsafeMutablePointer<Float> { unsafe real.pointer + Self.lead }

  /// Imaginary parts from bin 0, like ``re``.
  @inline(__always) @unsafe var im: UnsafeMutablePointer<Float> { unsafe imaginary.pointer + Self.lead }

  /// Both, four bins at a time.
  @inline(__always) @unsafe var lanes: SpectrumLanes { unsafe SpectrumLanes(re: re, im: im) }

  /// Fills in the neighbours beyond both ends: a real signal's spectrum mirrors there, conjugated.
  mutating func closeEnds() {
    unsafe re[-1] = re[1]
    unsafe im[-1] = -im[1]
    unsafe re[half + 1] = re[half - 1]
    unsafe im[half + 1] = -im[half - 1]
  }

  /// Sets every bin to zero.
  mutating func clear() {
    let bins = unsafe lanes
    for k in stride(from: 0, to: half + 4, by: 4) { unsafe bins[k] = ComplexLanes() }
  }

  /// Copies the bins of another spectrum of the same length.
  mutating func copy(from other: borrowing HalfSpectrum) {
    precondition(other.half == half)
    let (source, bins) = unsafe (other.lanes, lanes)
    for k in stride(from: 0, to: half + 4, by: 4) { unsafe bins[k] = source[k] }
  }

  /// The bins are those of another spectrum of the same length but for rounding: the difference has less than
  /// −80 dB of the power.
  func isClose(to other: borrowing HalfSpectrum) -> Bool {
    precondition(other.half == half)
    var (difference, power) = (SIMD4<Float>(), SIMD4<Float>())
    let (bins, others) = unsafe (lanes, other.lanes)
    for k in stride(from: 0, to: half + 4, by: 4) {
      unsafe difference += (bins[k] - others[k]).power
      unsafe power += bins[k].power
    }
    return difference.sum() <= 1e-8 * power.sum()
  }

  /// Power of each bin after a Hann window, which is three taps in the spectrum,
  /// `X_w[k] = X[k]/2 − (X[k−1] + X[k+1])/4`. The ends must be closed.
  ///
  /// - Parameters:
  ///   - bins: Bins wanted, from 0 Hz, a multiple of four, at most `half`.
  ///   - power: At least `bins` elements; mean square per bin, one-sided.
  func hannPower(bins: Int, into power: inout Buffer) {
    precondition(bins % 4 == 0 && bins <= half && power.count >= bins)
    // One-sided mean square of a Hann window: 2/(N·Σw²) with Σw² = 3N/8. The ears are held doubled and the
    // window is taken doubled: 1/16.
    let length = Float(2 * half)
    let factor = 2 / (length * length * 3 / 8) / 16
    let (x, result) = unsafe (lanes, power.pointer)
    for k in stride(from: 0, to: bins, by: 4) {
      // Twice the windowed value.
      unsafe result[lanes: k] = x.hann(k).power * factor
    }
  }
}
