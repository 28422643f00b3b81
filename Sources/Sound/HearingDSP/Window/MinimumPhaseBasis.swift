public import Acoustics
import Glibc

/// Effect of one decibel in one band on every bin of the gain window: magnitude and phase.
///
/// The gain in dB between two band centres is interpolated linearly over log frequency and held outside
/// them, so band `b` contributes a triangle `B_b(f)`, rounded at its corners by ``rounding``. The phase of
/// a minimum-phase filter is the Hilbert transform of its log magnitude and therefore linear in the gains
/// as well, `log H = Σ g_b (B_b + j·Hilbert{B_b})`, which is what makes a minimum-phase window affordable
/// in every block.
///
/// - Threads: `control`.
struct MinimumPhaseBasis: Sendable {
  /// Band triangles at every bin. - Shape: `[band][bin]`, 0...1.
  private(set) var magnitude: [[Double]] = []
  /// Their Hilbert transforms at every bin, rad per neper. - Shape: `[band][bin]`.
  private(set) var phase: [[Double]] = []

  /// Ratio between the design grid and the window's grid: sixteen keeps the aliasing of the cepstrum below
  /// the window's own truncation.
  private static let oversampling = 16

  /// Half the width over which the triangles are averaged, Hz.
  ///
  /// A corner in the gain delays the frequencies around it, without bound as it gets sharper; a window of
  /// 11.6 ms blurs it anyway. Own choice: the least that keeps the group delay of the steepest standard
  /// audiogram (N7, 18 dB per octave below 250 Hz and 8 above) within 1 ms, which costs 0.2 dB at 250 Hz.
  static let rounding = 20.0

  init(bands: BandLayout, geometry: ChainGeometry) {
    let intervals = geometry.filterLength / 2 * Self.oversampling
    let step = geometry.sampleRate / Double(2 * intervals)
    let weights = bands.centres.indices.map { band in
      // Most of the grid lies beyond the neighbours' centres.
      let near = Self.support(bands.centres, band)
      return (0...intervals).map { index in
        let f = Double(index) * step
        return near.contains(f) ? Self.weight(bands.centres, band, at: f) : 0
      }
    }
    let hilbert = HilbertPair(intervals: intervals)
    for first in stride(from: 0, to: weights.count, by: 2) {
      // Of an odd number the last band goes in twice.
      let pair = weights[first..<min(first + 2, weights.count)]
      let angles = hilbert.phases(of: pair.first!, pair.last!)
      phase += zip(pair, angles).map { decimated($1) }
    }
    magnitude = weights.map(decimated)
    func decimated(_ values: [Double]) -> [Double] {
      (0..<geometry.binCount).map { values[$0 * Self.oversampling] }
    }
  }

  /// Frequencies outside which a band has no weight, Hz.
  private static func support(_ centres: [Double], _ band: Int) -> ClosedRange<Double> {
    let lower = band > 0 ? centres[band - 1] - rounding : -.infinity
    let upper = band + 1 < centres.count ? centres[band + 1] + rounding : .infinity
    return lower...upper
  }

  /// Places within ``rounding`` at which a triangle is averaged, Hz.
  private static let offsets = (-4...4).map { Double($0) / 4 * rounding }

  /// Mean of the triangle over ``rounding`` around `f`, Hz; the weights of all bands still add up to one.
  static func weight(_ centres: [Double], _ band: Int, at f: Double) -> Double {
    offsets.reduce(0) { $0 + triangle(centres, band, at: abs(f + $1)) } / Double(offsets.count)
  }

  /// Weight of band `band` at frequency `f`, Hz: one at its centre, zero at its neighbours' centres.
  static func triangle(_ centres: [Double], _ band: Int, at f: Double) -> Double {
    let centre = centres[band]
    if f <= centre {
      guard band > 0 else { return 1 }
      let lower = centres[band - 1]
      return f <= lower ? 0 : log(f / lower) / log(centre / lower)
    }
    guard band + 1 < centres.count else { return 1 }
    let upper = centres[band + 1]
    return f >= upper ? 0 : log(upper / f) / log(upper / centre)
  }
}

/// A band's phase at every `spacing`-th bin, and its difference from a cubic through the four nearest of
/// them (Lagrange).
///
/// - Threads: `control`.
struct CoarsePhase {
  /// Phase at bins `-spacing`, 0, `spacing`, ... up to two behind the last group of bins.
  let knots: [Double]
  /// Phase minus cubic at each bin; 0 at the knots.
  let remainder: [Double]

  /// - Parameter phase: At bins 0 Hz to half the sampling rate; beyond both it is mirrored with the other
  ///   sign.
  init(_ phase: [Double], spacing: Int) {
    let half = phase.count - 1
    let knots = (-1...half / spacing + 2).map { Self.mirrored(phase, $0 * spacing) }
    remainder = phase.indices.map { k in
      let weights = Self.weights(at: Double(k % spacing) / Double(spacing))
      return phase[k] - zip(weights, knots[(k / spacing)...]).reduce(0) { $0 + $1.0 * $1.1 }
    }
    self.knots = knots
  }

  /// Lagrange's weights of the values at −1, 0, 1 and 2 for the cubic's value at `x`.
  static func weights(at x: Double) -> [Double] {
    [
      -x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2, -(x + 1) * x * (x - 2) / 2,
      (x + 1) * x * (x - 1) / 6,
    ]
  }

  private static func mirrored(_ phase: [Double], _ k: Int) -> Double {
    let half = phase.count - 1
    if k < 0 { return -phase[-k] }
    return k <= half ? phase[k] : -phase[2 * half - k]
  }
}

/// Delay that a minimum-phase gain window adds to the block, by frequency.
///
/// The phase is linear in the band gains, and so is the group delay −dφ/dω.
///
/// - Threads: `control`.
public struct GroupDelay: Sendable {
  private let basis: MinimumPhaseBasis
  private let binWidth: Double

  public init(bands: BandLayout, geometry: ChainGeometry) {
    basis = MinimumPhaseBasis(bands: bands, geometry: geometry)
    binWidth = geometry.sampleRate / Double(geometry.filterLength)
  }

  /// Group delay at a frequency, s; negative where the window's phase leads.
  ///
  /// - Parameters:
  ///   - gains: Gain of each band, dB.
  ///   - frequency: Hz, between the first and the last but one bin.
  public func delay(gains: [Double], at frequency: Double) -> Double {
    let bin = min(max(Int((frequency / binWidth).rounded()), 1), basis.phase[0].count - 2)
    let nepers = log(10.0) / 20
    var slope = 0.0
    for (band, gain) in gains.enumerated() {
      slope += gain * nepers * (basis.phase[band][bin + 1] - basis.phase[band][bin - 1]) / 2
    }
    return -slope / (2 * .pi * binWidth)
  }
}

/// Turns two log magnitudes into the phases of the minimum-phase filters that have them, by folding the real
/// cepstrum (Oppenheim & Schafer, Discrete-Time Signal Processing, chapter on minimum-phase sequences).
///
/// A log magnitude is even and real, and so is its cepstrum; keeping only positive times doubles it, and makes
/// of `A` the spectrum `A + jφ`. Both go through one transform, as real and imaginary part: of `A + jB` folding
/// makes `(A − φ_B) + j(B + φ_A)`.
///
/// In double precision: in single, a filter with 60 dB of gain differs from one in double by −96 dB of full scale (N7, measured), from
/// processor to processor.
///
/// - Threads: `control`.
struct HilbertPair {
  /// Intervals between 0 Hz and half the sampling rate.
  let intervals: Int
  private let transform: FourierTransform

  /// - Parameter intervals: A power of two from 2 on.
  init(intervals: Int) {
    self.intervals = intervals
    transform = FourierTransform(count: 2 * intervals)
  }

  /// Phases, rad, at the same points as the log magnitudes, nepers.
  ///
  /// - Parameters:
  ///   - first: `intervals + 1` points from 0 Hz to half the sampling rate.
  ///   - second: As many.
  func phases(of first: [Double], _ second: [Double]) -> [[Double]] {
    precondition(first.count == intervals + 1 && second.count == intervals + 1)
    let length = 2 * intervals
    var (real, imaginary) = (
      first + first[1..<intervals].reversed(), second + second[1..<intervals].reversed()
    )
    // Even, so it does not matter in which direction.
    transform.transform(&real, &imaginary)
    for n in 0..<length {
      // The times 0 and half the length are their own mirrors.
      let share = n % intervals == 0 ? 1.0 : n < intervals ? 2 : 0
      real[n] *= share / Double(length)
      imaginary[n] *= share / Double(length)
    }
    transform.transform(&real, &imaginary)
    // The ends of a phase, an odd function, are 0.
    let inner = 1..<intervals
    return [
      [0] + inner.map { imaginary[$0] - second[$0] } + [0], [0] + inner.map { first[$0] - real[$0] } + [0],
    ]
  }
}
