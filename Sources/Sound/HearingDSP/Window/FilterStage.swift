import Acoustics
import Glibc
import Realtime

/// Applies both ears' band gains to the sound: a minimum-phase gain window per ear, filtered by
/// overlap-save.
///
/// - Threads: built on `control`, run on `audio`.
struct FilterStage: ~Copyable {
  private var basis: GainBasis
  private var logarithms: Binaural<LogWindow>
  private var windows: Binaural<GainWindow>
  private var filter: PairFilter
  private var time: Buffer

  /// - Throws: ``ChainError/noPlan(length:)``.
  init(_ bands: BandLayout, geometry: ChainGeometry) throws(ChainError) {
    basis = try GainBasis(bands, geometry: geometry)
    logarithms = Binaural(left: LogWindow(basis: basis), right: LogWindow(basis: basis))
    windows = Binaural { _ in GainWindow(length: geometry.filterLength) }
    filter = PairFilter(geometry: geometry)
    time = AlignedBuffer(count: 2 * geometry.filterLength)
  }

  /// Filters the newest frames: by overlap-save only they are free of the circular wrap.
  ///
  /// - Parameters:
  ///   - gains: Digital gain of each band, nepers.
  ///   - spectrum: Of the history.
  ///   - frames: Length of the hop, which begins at `start` of the outputs.
  mutating func process(
    _ gains: borrowing Binaural<Buffer>, spectrum: borrowing PairSpectrum,
    transform: borrowing PairTransform, left: inout Samples, right: inout Samples, from start: Int,
    frames: Int
  ) {
    basis.process(gains, into: &logarithms)
    windows.forEach(logarithms) { $0.process($1) }
    filter.process(spectrum, windows: windows, frames: frames, transform: transform, into: &time)
    let newest = time.count - 2 * frames
    for n in 0..<frames {
      left[start + n] = time[newest + 2 * n]
      right[start + n] = time[newest + 2 * n + 1]
    }
  }
}

/// One ear's gain at every bin: a minimum-phase filter that moves with the band gains.
///
/// `log H = Σ g_b (B_b + j·Hilbert{B_b})` with the basis of ``MinimumPhaseBasis``; the scale of the
/// transforms is part of it. Two windows are kept, of this hop and of the one before, between which the
/// output is crossfaded.
///
/// - Threads: `audio`.
struct GainWindow: ~Copyable {
  private(set) var current: HalfSpectrum
  private(set) var former: HalfSpectrum

  init(length: Int) {
    current = HalfSpectrum(length: length)
    former = HalfSpectrum(length: length)
  }

  /// Computes a new current window from its logarithm; the former one stays for the crossfade.
  ///
  /// - Parameter logarithm: Exponents within ± 120 octaves and angles within ± 300 half turns; the chain's
  ///   gains stay far inside.
  mutating func process(_ logarithm: borrowing LogWindow) {
    swap(&current, &former)
    let bins = logarithm.exponent.count * BandRows.group
    precondition(bins <= current.half + 8)
    let a = unsafe UnsafeMutableRawPointer(logarithm.exponent.pointer).assumingMemoryBound(to: Float.self)
    let phi = unsafe UnsafeMutableRawPointer(logarithm.angle.pointer).assumingMemoryBound(to: Float.self)
    let (real, imaginary) = unsafe (current.re, current.im)
    for k in 0..<bins {
      let direction = unsafe ComplexExponential.direction(phi[k])
      let magnitude = unsafe ComplexExponential.magnitude(a[k], sign: direction.sign)
      unsafe real[k] = magnitude * direction.cosine
      unsafe imaginary[k] = magnitude * direction.sine
    }
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
  @inline(__always) private static func crossfaded(
    _ ear: FilteredSpectrum.Lanes, _ k: Int, _ slope: Float
  ) -> ComplexLanes {
    let (turn, product) = unsafe (slope * (ear.change[k - 1] - ear.change[k + 1]), ear.product[k])
    return ComplexLanes(product.re + turn.im, product.im - turn.re)
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
  typealias Lanes = (product: SpectrumLanes, change: SpectrumLanes)

  /// Valid while the value lives.
  @inline(__always) @unsafe var lanes: Lanes { unsafe (product.lanes, change.lanes) }

  /// Filters a spectrum with a window and with the window's last step.
  mutating func process(_ spectrum: borrowing HalfSpectrum, window: borrowing GainWindow) {
    let half = spectrum.half
    precondition(product.half == half && change.half == half)
    precondition(window.current.half == half && window.former.half == half)
    let (x, now, before) = unsafe (spectrum.lanes, window.current.lanes, window.former.lanes)
    let (result, step) = unsafe lanes
    for k in stride(from: 0, to: half + 4, by: 4) {
      let (bins, factors) = unsafe (x[k], now[k])
      unsafe result[k] = bins * factors
      unsafe step[k] = bins * (factors - before[k])
    }
    change.closeEnds()
  }
}
