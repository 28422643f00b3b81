import Glibc
import Realtime

/// Filters each ear of a pair with its own moving window and brings the pair back to time, crossfaded from
/// the windows of the hop before to the new ones.
///
/// One inverse transform does both, because the crossfade happens in the spectrum. By overlap-save only the
/// newest `h` frames count, `n = −h ... −1` before the end of the transform, where the share of the new
/// windows is to rise from 0. `s(n) = 1 + sin(θn)/sin(θh)` does so with `θ = 2π/N`: it is 0 at `−h`, 1 at
/// the beginning of the next hop, and for hops up to N/8 close to a straight line (0.46 in the middle).
/// What it is in the frames that are thrown away does not matter. Times `sin(θn)` is two taps in the
/// spectrum, so with the product `P = X·H` and its change `D = X·(H − H_former)`
///
/// `Y[k] = P[k] − j·(D[k−1] − D[k+1]) / (2·sin(θh))`, and the pair is `Y_left + j·Y_right`.
///
/// - Threads: built on `control`, run on `audio`.
struct PairFilter: ~Copyable {
  private let length: Int
  private var left: FilteredSpectrum
  private var right: FilteredSpectrum
  /// The pair's spectrum, `re, im`, with room for the mirror of 0 Hz, which is written and not used.
  private var pair: AlignedBuffer<Float>
  /// `1 / (2·sin(θh))` for a hop of each length `h` from 1.
  private var slopes: AlignedBuffer<Float>

  init(geometry: ChainGeometry) {
    length = geometry.filterLength
    left = FilteredSpectrum(length: length)
    right = FilteredSpectrum(length: length)
    pair = AlignedBuffer(count: 2 * (length + 1))
    slopes = AlignedBuffer(count: geometry.longestHop + 1)
    for hop in 1...geometry.longestHop {
      slopes[hop] = Float(0.5 / sin(2 * .pi * Double(hop) / Double(length)))
    }
  }

  /// - Parameters:
  ///   - spectrum: Pair that came in.
  ///   - leftWindow: Left ear's window, which carries the ½ of the pair's doubled spectra and the inverse
  ///     transform's 1/N.
  ///   - rightWindow: Right ear's window.
  ///   - frames: Length of the hop.
  ///   - time: `length` frames, interleaved; only the newest `frames` are meant to be heard.
  mutating func apply(
    _ spectrum: borrowing PairSpectrum, left leftWindow: borrowing GainWindow,
    right rightWindow: borrowing GainWindow, frames: Int, transform: borrowing PairTransform,
    into time: inout AlignedBuffer<Float>
  ) {
    left.apply(leftWindow, to: spectrum.left)
    right.apply(rightWindow, to: spectrum.right)
    join(slope: slopes[frames])
    transform.inverse(pair, into: &time)
  }

  /// Crossfades each ear and puts the pair together, `Z[k] = L + jR` and `Z[N−k] = L* + jR*`.
  private mutating func join(slope: Float) {
    precondition(left.product.half == length / 2 && pair.count >= 2 * (length + 1))
    let z = unsafe pair.pointer
    // From the top down: of the first vector only the bin at half the sampling rate counts, and the next
    // one overwrites the others.
    for vector in 0...length / 8 {
      let k = length / 2 - 4 * vector
      let (leftRe, leftIm) = Self.crossfaded(left, k, slope)
      let (rightRe, rightIm) = Self.crossfaded(right, k, slope)
      unsafe Lanes.storeInterleaved(leftRe - rightIm, leftIm + rightRe, z, 2 * k)
      unsafe Lanes.storeInterleavedBackwards(leftRe + rightIm, rightRe - leftIm, z, 2 * (length - k - 3))
    }
  }

  /// Four bins of one ear from bin `k`.
  @inline(__always)
  private static func crossfaded(
    _ ear: borrowing FilteredSpectrum, _ k: Int, _ slope: Float
  ) -> (re: SIMD4<Float>, im: SIMD4<Float>) {
    let (re, im) = unsafe (ear.change.re, ear.change.im)
    let across = unsafe (Lanes.forward(re, k - 1) - Lanes.forward(re, k + 1)) * slope
    let along = unsafe (Lanes.forward(im, k - 1) - Lanes.forward(im, k + 1)) * slope
    return unsafe (Lanes.forward(ear.product.re, k) + along, Lanes.forward(ear.product.im, k) - across)
  }
}
