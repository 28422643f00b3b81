import Acoustics
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
    let basis = try GainBasis(bands, geometry: geometry)
    logarithms = Binaural(left: LogWindow(basis: basis), right: LogWindow(basis: basis))
    windows = Binaural(left: GainWindow(basis: basis), right: GainWindow(basis: basis))
    filter = PairFilter(geometry: geometry)
    time = AlignedBuffer(count: 2 * geometry.filterLength)
    self.basis = basis
  }

  /// Filters the newest frames: by overlap-save only they are free of the circular wrap.
  ///
  /// - Parameters:
  ///   - gains: Digital gain of each band, nepers.
  ///   - spectrum: Of the history.
  ///   - frames: Length of the hop, which begins at `start` of the outputs.
  mutating func process(
    _ gains: borrowing Binaural<Buffer>, spectrum: borrowing PairSpectrum,
    transform: borrowing PairTransform, left: inout MutableSpan<Float>, right: inout MutableSpan<Float>,
    from start: Int, frames: Int
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
  private(set) var current: ComplexWindow
  private(set) var former: ComplexWindow

  init(basis: borrowing GainBasis) {
    current = ComplexWindow(bins: basis.paddedBins)
    former = ComplexWindow(bins: basis.paddedBins)
  }

  /// Computes a new current window from its logarithm; the former one stays for the crossfade.
  ///
  /// - Parameter logarithm: Exponents within ± 120 octaves and angles within ± 300 half turns; the chain's
  ///   gains stay far inside.
  mutating func process(_ logarithm: borrowing LogWindow) {
    swap(&current, &former)
    let bins = logarithm.exponent.count * BandRows.group
    precondition(current.real.count >= bins && current.imaginary.count >= bins)
    let a = unsafe UnsafeMutableRawPointer(logarithm.exponent.pointer).assumingMemoryBound(to: Float.self)
    let phi = unsafe UnsafeMutableRawPointer(logarithm.angle.pointer).assumingMemoryBound(to: Float.self)
    let (real, imaginary) = unsafe (current.real.pointer, current.imaginary.pointer)
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

/// Complex factor of every bin, real and imaginary parts apart.
///
/// - Threads: `audio`.
struct ComplexWindow: ~Copyable {
  var real: Buffer
  var imaginary: Buffer

  /// Number of bins.
  var count: Int { real.count }

  /// - Parameter bins: Bins, and room up to a whole group.
  init(bins: Int) {
    real = AlignedBuffer(count: bins)
    imaginary = AlignedBuffer(count: bins)
  }
}
