import Acoustics
import Glibc
import Realtime

/// Filters each ear of a pair with its own moving window and brings the pair back to time, crossfaded from
/// the windows of the hop before to the new ones.
///
/// One inverse transform does both, because the crossfade happens in the spectrum. By overlap-save only the
/// newest `h` frames count, `n = −h ... −1` before the end of the transform, where the share of the new
/// windows rises from 0. `s(n) = 1 + sin(θn)/sin(θh)` does so with `θ = 2π/N`: it is 0 at `−h`, 1 at
/// the beginning of the next hop, and for hops up to N/8 close to a straight line (0.46 in the middle).
/// Its value in the discarded frames does not matter. Times `sin(θn)` is two taps in the
/// spectrum, so with the product `P = X·H` and its change `D = X·(H − H_former)`
///
/// `Y[k] = P[k] − j·(D[k−1] − D[k+1]) / (2·sin(θh))`, and the pair is `Y_left + j·Y_right`.
///
/// - Threads: built on `control`, run on `audio`.
struct PairFilter: ~Copyable {
  private let length: Int
  private var ears: Binaural<FilteredSpectrum>
  private var synthesis: PairSynthesis
  /// `1 / (2·sin(θh))` for a hop of each length `h` from 1.
  private var slopes: Buffer

  init(geometry: ChainGeometry) {
    let length = geometry.filterLength
    self.length = length
    ears = Binaural { _ in FilteredSpectrum(length: length) }
    synthesis = PairSynthesis(length: length)
    slopes = AlignedBuffer(count: geometry.longestHop + 1)
    for hop in 1...geometry.longestHop {
      slopes[hop] = Float(0.5 / sin(2 * .pi * Double(hop) / Double(length)))
    }
  }

  /// - Parameters:
  ///   - spectrum: Of the pair's input.
  ///   - windows: Of each ear; they carry the ½ of the pair's doubled spectra and the inverse transform's
  ///     1/N.
  ///   - frames: Length of the hop.
  ///   - time: `length` frames, interleaved; only the newest `frames` count.
  mutating func process(
    _ spectrum: borrowing PairSpectrum, windows: borrowing Binaural<GainWindow>, frames: Int,
    transform: borrowing PairTransform, into time: inout Buffer
  ) {
    ears.forEach(windows, spectrum.ears) { $0.process($2, window: $1) }
    precondition(ears.left.product.half == length / 2 && ears.right.product.half == length / 2)
    let slope = slopes[frames]
    let (left, right) = unsafe (ears.left.lanes, ears.right.lanes)
    synthesis.process(transform: transform, into: &time) { k in
      unsafe (Self.crossfaded(left, k, slope), Self.crossfaded(right, k, slope))
    }
  }

  /// Four bins of one ear from bin `k`.
  @inline(__always)
  private static func crossfaded(
    _ ear: FilteredSpectrum.Pointers, _ k: Int, _ slope: Float
  ) -> ComplexLanes {
    let (re, im) = unsafe (ear.changeRe, ear.changeIm)
    let across = unsafe (Lanes.forward(re, k - 1) - Lanes.forward(re, k + 1)) * slope
    let along = unsafe (Lanes.forward(im, k - 1) - Lanes.forward(im, k + 1)) * slope
    return unsafe (Lanes.forward(ear.productRe, k) + along, Lanes.forward(ear.productIm, k) - across)
  }
}

/// One ear's spectrum behind its gain window, and its change by the window's last step.
///
/// - Threads: `audio`.
struct FilteredSpectrum: ~Copyable {
  /// `X·H_current`.
  private(set) var product: HalfSpectrum
  /// `X·(H_current − H_former)`, ends closed.
  private(set) var change: HalfSpectrum

  init(length: Int) {
    product = HalfSpectrum(length: length)
    change = HalfSpectrum(length: length)
  }

  /// Both spectra's bins.
  typealias Pointers = (
    productRe: UnsafeMutablePointer<Float>, productIm: UnsafeMutablePointer<Float>,
    changeRe: UnsafeMutablePointer<Float>, changeIm: UnsafeMutablePointer<Float>
  )

  /// Valid while the value lives.
  @inline(__always) @unsafe
  var lanes: Pointers { unsafe (product.re, product.im, change.re, change.im) }

  /// Filters a spectrum with a window and with the window's last step.
  mutating func process(_ spectrum: borrowing HalfSpectrum, window: borrowing GainWindow) {
    let half = spectrum.half
    precondition(product.half == half && change.half == half)
    precondition(window.current.count >= half + 4 && window.former.count >= half + 4)
    let (xRe, xIm) = unsafe (spectrum.re, spectrum.im)
    let (hRe, hIm) = unsafe (window.current.real.pointer, window.current.imaginary.pointer)
    let (oldRe, oldIm) = unsafe (window.former.real.pointer, window.former.imaginary.pointer)
    let (productRe, productIm) = unsafe (product.re, product.im)
    let (changeRe, changeIm) = unsafe (change.re, change.im)
    for k in stride(from: 0, to: half + 4, by: 4) {
      let (a, b) = unsafe (Lanes.forward(xRe, k), Lanes.forward(xIm, k))
      let (c, d) = unsafe (Lanes.forward(hRe, k), Lanes.forward(hIm, k))
      let (stepRe, stepIm) = unsafe (c - Lanes.forward(oldRe, k), d - Lanes.forward(oldIm, k))
      unsafe Lanes.store(a * c - b * d, productRe, k)
      unsafe Lanes.store(a * d + b * c, productIm, k)
      unsafe Lanes.store(a * stepRe - b * stepIm, changeRe, k)
      unsafe Lanes.store(a * stepIm + b * stepRe, changeIm, k)
    }
    change.closeEnds()
  }
}
