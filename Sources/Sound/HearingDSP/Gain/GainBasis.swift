import Acoustics
import Glibc
import Realtime

/// The minimum-phase basis as the audio thread reads it, for both ears of a chain.
///
/// The magnitude of a group of eight bins depends on the few bands around it, its phase on all bands. But
/// far from a band its phase is smooth: so it is computed for every eighth bin from all bands, joined by
/// cubics, and corrected where a band near by makes it bend more than a cubic can.
///
/// - Threads: built on `control`, read on `audio`.
struct GainBasis: ~Copyable {
  /// Bends of a band's phase that are left out, rad per neper. All that is left out adds up to less than
  /// 0.0005 rad at any bin for gains that differ by one neper (8.7 dB), however they are distributed over
  /// the bands. The magnitude at every bin is not touched.
  static let negligibleBend = 0.0001

  /// Bands reaching into each group of bins, octaves per neper.
  private let magnitude: BandRows
  /// Phase at every eighth bin, half turns per neper: from the bin eight before 0 Hz to the second behind
  /// the last group.
  private let knots: BandRows
  /// What the cubics between the knots leave, half turns per neper.
  private let bend: BandRows
  /// Weights of the four knots around a group in each of its bins.
  private let cubic: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)
  /// Exponent at 0 dB, octaves: undoes the scale of the inverse transform and of taking a pair apart,
  /// `1/2N`.
  private let offset: Float
  private var leftKnots: AlignedBuffer<SIMD8<Float>>
  private var rightKnots: AlignedBuffer<SIMD8<Float>>

  init(_ bands: BandLayout, geometry: ChainGeometry) throws(ChainError) {
    let design = try MinimumPhaseBasis(bands: bands, geometry: geometry)
    let coarse = design.phase.map { CoarsePhase($0, spacing: BandRows.group) }
    magnitude = BandRows(design.magnitude.map { $0.map { $0 / log(2) } }, negligible: 0)
    knots = BandRows(coarse.map { $0.knots.map { $0 / .pi } }, negligible: 0)
    bend = BandRows(coarse.map { $0.remainder.map { $0 / .pi } }, negligible: Self.negligibleBend / .pi)
    leftKnots = AlignedBuffer(count: knots.groupCount)
    rightKnots = AlignedBuffer(count: knots.groupCount)
    cubic = (Self.weights(0), Self.weights(1), Self.weights(2), Self.weights(3))
    offset = Float(-log2(2 * Double(geometry.filterLength)))
  }

  /// Number of groups that cover all bins.
  var groupCount: Int { magnitude.groupCount }

  /// Bins rounded up to whole groups.
  var paddedBins: Int { groupCount * BandRows.group }

  /// Logarithm of both ears' windows at every bin: `Σ g_b (B_b + j·Hilbert{B_b})` and the transforms'
  /// scale.
  ///
  /// - Parameters:
  ///   - left: Gain of each band of the left ear, nepers.
  ///   - right: Of the right ear.
  mutating func expand(
    left: borrowing AlignedBuffer<Float>, right: borrowing AlignedBuffer<Float>,
    into leftWindow: inout LogWindow, _ rightWindow: inout LogWindow
  ) {
    precondition(left.count >= magnitude.bandCount && right.count >= magnitude.bandCount)
    let (l, r) = unsafe (left.pointer, right.pointer)
    for group in 0..<knots.groupCount {
      (leftKnots[group], rightKnots[group]) = unsafe knots.sum(l, r, group: group)
    }
    let (leftKnot, rightKnot) = unsafe (Self.floats(leftKnots), Self.floats(rightKnots))
    for group in 0..<groupCount {
      let angle = unsafe bend.sum(l, r, group: group)
      leftWindow.angle[group] = unsafe angle.left + smooth(leftKnot, group)
      rightWindow.angle[group] = unsafe angle.right + smooth(rightKnot, group)
      let exponent = unsafe magnitude.sum(l, r, group: group)
      leftWindow.exponent[group] = exponent.left + offset
      rightWindow.exponent[group] = exponent.right + offset
    }
  }

  /// Eight bins of the cubics through the knots.
  @inline(__always)
  private func smooth(_ knots: UnsafeMutablePointer<Float>, _ group: Int) -> SIMD8<Float> {
    let four = unsafe Lanes.forward(knots, group)
    return (four[0] * cubic.0 + four[1] * cubic.1) + (four[2] * cubic.2 + four[3] * cubic.3)
  }

  /// Weight of the knot `index` of four in each bin of a group.
  private static func weights(_ index: Int) -> SIMD8<Float> {
    var result = SIMD8<Float>()
    for lane in 0..<BandRows.group {
      result[lane] = Float(CoarsePhase.weights(at: Double(lane) / Double(BandRows.group))[index])
    }
    return result
  }

  @inline(__always)
  private static func floats(_ groups: borrowing AlignedBuffer<SIMD8<Float>>) -> UnsafeMutablePointer<Float>
  {
    unsafe UnsafeMutableRawPointer(groups.pointer).assumingMemoryBound(to: Float.self)
  }
}
