import Acoustics
import Glibc
import Realtime

/// Applies both ears' band gains to the sound: a minimum-phase gain window per ear, filtered by
/// overlap-save.
///
/// - Threads: built on `control`, run on `audio`.
struct FilterStage: ~Copyable {
  private var basis: GainBasis
  private var filter: PairFilter
  private var time: Buffer

  init(_ bands: BandLayout, geometry: ChainGeometry) {
    basis = GainBasis(bands, geometry: geometry)
    filter = PairFilter(geometry: geometry, groupCount: basis.groupCount)
    time = AlignedBuffer(count: 2 * geometry.filterLength)
  }

  /// Filters the newest frames: by overlap-save only they are free of the circular wrap.
  ///
  /// - Parameters:
  ///   - spectrum: Of the history.
  ///   - frames: Length of the hop, which begins at `start` of the outputs.
  mutating func process(
    _ gains: borrowing Binaural<EarGain>, spectrum: borrowing PairSpectrum,
    transform: borrowing InverseTransform, left: inout Samples, right: inout Samples, from start: Int,
    frames: Int
  ) {
    basis.process(gains.left.nepers, gains.right.nepers, into: &filter.ears)
    filter.process(spectrum, frames: frames, transform: transform, into: &time)
    let newest = time.count - 2 * frames
    precondition(newest >= 0 && start >= 0 && start + frames <= min(left.count, right.count))
    let filtered = unsafe time.pointer + newest
    for n in 0..<frames {
      unsafe left[unchecked: start + n] = filtered[2 * n]
      unsafe right[unchecked: start + n] = filtered[2 * n + 1]
    }
  }
}

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
  var ears: Binaural<EarFilter>
  private var synthesis: PairSynthesis
  /// `1 / (2·sin(θh))` for a hop of each length `h` from 1.
  private let slopes: Buffer

  /// - Parameter groupCount: Groups of bins in a window's logarithm.
  init(geometry: ChainGeometry, groupCount: Int) {
    let length = geometry.filterLength
    ears = Binaural { _ in EarFilter(length: length, groupCount: groupCount) }
    synthesis = PairSynthesis(length: length)
    slopes = AlignedBuffer(count: geometry.longestHop + 1) { hop in
      hop > 0 ? Float(0.5 / sin(2 * .pi * Double(hop) / Double(length))) : 0
    }
  }

  /// - Parameters:
  ///   - spectrum: Of the pair's input.
  ///   - frames: Length of the hop.
  ///   - time: `length` frames, interleaved; only the newest `frames` count.
  mutating func process(
    _ spectrum: borrowing PairSpectrum, frames: Int, transform: borrowing InverseTransform,
    into time: inout Buffer
  ) {
    precondition(ears.left.half == synthesis.length / 2 && ears.right.half == synthesis.length / 2)
    ears.forEach(spectrum.ears) { $0.process($1) }
    let slope = slopes[frames]
    let (left, right) = unsafe (ears.left.lanes, ears.right.lanes)
    synthesis.process(transform: transform, into: &time) { k in
      unsafe (Self.crossfaded(left, k, slope), Self.crossfaded(right, k, slope))
    }
  }

  /// Four bins of one ear from bin `k`.
  @inline(__always) private static func crossfaded(
    _ ear: EarFilter.Lanes, _ k: Int, _ slope: Float
  ) -> ComplexLanes {
    let (turn, product) = unsafe (slope * (ear.change[k - 1] - ear.change[k + 1]), ear.product[k])
    return ComplexLanes(product.re + turn.im, product.im - turn.re)
  }
}

/// One ear's gain window, a minimum-phase filter that moves with the band gains, and the spectrum behind it.
///
/// `log H = Σ g_b (B_b + j·Hilbert{B_b})` with the basis of ``MinimumPhaseBasis``; the ½ of the pair's
/// doubled spectra and the inverse transform's 1/N are part of it. The output is crossfaded from the window
/// of the hop before.
///
/// - Threads: `audio`.
struct EarFilter: ~Copyable {
  /// Log magnitude of the window, octaves: base 2. With ``angle`` in groups of eight bins and in the units
  /// that turn into a complex factor with the least work, `2^exponent · exp(jπ·angle)`: exponents within
  /// ± 120 octaves and angles within ± 300 half turns; the chain's gains stay far inside.
  var exponent: AlignedBuffer<SIMD8<Float>>
  /// Phase of the window, half turns.
  var angle: AlignedBuffer<SIMD8<Float>>
  private var window: HalfSpectrum
  /// Window of the hop before, and then `X·(H − H_former)`, ends closed.
  private var change: HalfSpectrum
  /// `X·H`.
  private var product: HalfSpectrum

  init(length: Int, groupCount: Int) {
    exponent = AlignedBuffer(count: groupCount)
    angle = AlignedBuffer(count: groupCount)
    window = HalfSpectrum(length: length)
    change = HalfSpectrum(length: length)
    product = HalfSpectrum(length: length)
  }

  /// Index of the bin at half the sampling rate.
  var half: Int { product.half }

  /// Bins of the product and of the change.
  typealias Lanes = (product: SpectrumLanes, change: SpectrumLanes)

  /// Valid while the value lives.
  @inline(__always) @unsafe var lanes: Lanes { unsafe (product.lanes, change.lanes) }

  /// Filters a spectrum with a new window from its logarithm, and with the window's step.
  mutating func process(_ spectrum: borrowing HalfSpectrum) {
    swap(&window, &change)
    processWindow()
    precondition(spectrum.half == half)
    let (x, now, (result, step)) = unsafe (spectrum.lanes, window.lanes, lanes)
    for k in stride(from: 0, to: half + 4, by: 4) {
      let (bins, factors) = unsafe (x[k], now[k])
      unsafe result[k] = bins * factors
      unsafe step[k] = bins * (factors - step[k])
    }
    change.closeEnds()
  }

  private mutating func processWindow() {
    let bins = exponent.count * BandRows.group
    precondition(bins <= half + 8)
    let a = unsafe UnsafeMutableRawPointer(exponent.pointer).assumingMemoryBound(to: Float.self)
    let phi = unsafe UnsafeMutableRawPointer(angle.pointer).assumingMemoryBound(to: Float.self)
    let (real, imaginary) = unsafe (window.re, window.im)
    for k in 0..<bins {
      let direction = unsafe ComplexExponential.direction(phi[k])
      let magnitude = unsafe ComplexExponential.magnitude(a[k], sign: direction.sign)
      unsafe real[k] = magnitude * direction.cosine
      unsafe imaginary[k] = magnitude * direction.sine
    }
  }
}
