import Acoustics
import Glibc
import Realtime

/// Minimum-phase basis as the audio thread reads it, for both ears of a chain.
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
  /// Phase less the cubics between the knots, half turns per neper.
  private let bend: BandRows
  /// Weights of the four knots around a group in each of its bins.
  private let cubic: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)
  /// Exponent at 0 dB, octaves: undoes the scale of the inverse transform and of taking a pair apart,
  /// `1/2N`.
  private let offset: Float
  private var knotPhase: Binaural<AlignedBuffer<SIMD8<Float>>>

  init(_ bands: BandLayout, geometry: ChainGeometry) {
    let design = MinimumPhaseBasis(bands: bands, geometry: geometry)
    let coarse = design.phase.map { CoarsePhase($0, spacing: BandRows.group) }
    magnitude = BandRows(design.magnitude.map { $0.map { $0 / log(2) } }, negligible: 0)
    knots = BandRows(coarse.map { $0.knots.map { $0 / .pi } }, negligible: 0)
    bend = BandRows(coarse.map { $0.remainder.map { $0 / .pi } }, negligible: Self.negligibleBend / .pi)
    let groups = knots.groupCount
    knotPhase = Binaural { _ in AlignedBuffer(count: groups) }
    cubic = (Self.weights(0), Self.weights(1), Self.weights(2), Self.weights(3))
    offset = Float(-log2(2 * Double(geometry.filterLength)))
  }

  /// Number of groups that cover all bins.
  var groupCount: Int { magnitude.groupCount }

  /// Logarithm of both ears' windows at every bin: `Σ g_b (B_b + j·Hilbert{B_b})` and the transforms'
  /// scale.
  ///
  /// - Parameter gains: Gain of each band, nepers.
  mutating func process(
    _ left: borrowing Buffer, _ right: borrowing Buffer, into windows: inout Binaural<EarFilter>
  ) {
    precondition(left.count >= magnitude.bandCount && right.count >= magnitude.bandCount)
    let (l, r) = unsafe (left.pointer, right.pointer)
    for group in 0..<knots.groupCount {
      (knotPhase.left[group], knotPhase.right[group]) = unsafe knots.sum(l, r, group: group)
    }
    let (leftKnot, rightKnot) = unsafe (Self.floats(knotPhase.left), Self.floats(knotPhase.right))
    for group in 0..<groupCount {
      let angle = unsafe bend.sum(l, r, group: group)
      windows.left.angle[group] = unsafe angle.left + smooth(leftKnot, group)
      windows.right.angle[group] = unsafe angle.right + smooth(rightKnot, group)
      let exponent = unsafe magnitude.sum(l, r, group: group)
      windows.left.exponent[group] = exponent.left + offset
      windows.right.exponent[group] = exponent.right + offset
    }
  }

  /// Eight bins of the cubics through the knots.
  @inline(__always) private func smooth(_ knots: UnsafeMutablePointer<Float>, _ group: Int) -> SIMD8<Float>
  {
    let four = unsafe knots[lanes: group]
    return (four[0] * cubic.0 + four[1] * cubic.1) + (four[2] * cubic.2 + four[3] * cubic.3)
  }

  /// Weight of the knot `index` of four in each bin of a group.
  private static func weights(_ index: Int) -> SIMD8<Float> {
    let places = (0..<BandRows.group).map { Double($0) / Double(BandRows.group) }
    return SIMD8(places.map { Float(CoarsePhase.weights(at: $0)[index]) })
  }

  @inline(__always) private static func floats(
    _ groups: borrowing AlignedBuffer<SIMD8<Float>>
  ) -> UnsafeMutablePointer<Float> {
    unsafe UnsafeMutableRawPointer(groups.pointer).assumingMemoryBound(to: Float.self)
  }
}

/// Contribution of each band to each place, as rows of eight places, stored only where a band contributes.
///
/// Eight consecutive places are a group. Each group keeps one row for every band from the first to the last
/// that reaches into it.
///
/// - Threads: built on `control`, read on `audio`.
struct BandRows: ~Copyable {
  /// Places per group.
  static let group = 8

  /// Number of groups that cover all places.
  let groupCount: Int
  /// Contribution of each band to a group's places, one row per group.
  private let rows: SparseRows<SIMD8<Float>>
  /// Bands that ``sum(_:_:group:)`` may read.
  let bandCount: Int

  /// - Parameters:
  ///   - values: Contribution of each band. - Shape: `[band][place]`.
  ///   - negligible: A band without a greater contribution to a group is left out there.
  init(_ values: [[Double]], negligible: Double) {
    let places = values[0].count
    bandCount = values.count
    groupCount = (places + Self.group - 1) / Self.group
    let runs = (0..<groupCount).map { group in
      let range = group * Self.group..<min(places, (group + 1) * Self.group)
      let reaching = values.indices.filter { band in values[band][range].contains { abs($0) > negligible } }
      let (first, end) = (reaching.first ?? 0, (reaching.last ?? -1) + 1)
      return (first: first, values: values[first..<end].map { Self.eight($0[range]) })
    }
    rows = SparseRows(runs)
  }

  /// Adds up one group of places for both ears, whose rows are then read only once: `Σ gain_b · row_b`.
  ///
  /// - Parameters:
  ///   - left: Left ear's gains, `bandCount` of them.
  ///   - right: Right ear's gains.
  ///   - group: In `0..<groupCount`.
  @inline(__always) @unsafe func sum(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, group: Int
  ) -> (left: SIMD8<Float>, right: SIMD8<Float>) {
    let begin = Int(rows.start[group])
    let band = Int(rows.first[group])
    var (leftSum, rightSum) = (SIMD8<Float>(), SIMD8<Float>())
    for index in 0..<Int(rows.start[group + 1]) - begin {
      let row = unsafe rows.values[unchecked: begin + index]
      unsafe leftSum += row * left[band + index]
      unsafe rightSum += row * right[band + index]
    }
    return (leftSum, rightSum)
  }

  /// Up to eight values, zero behind them.
  private static func eight(_ values: ArraySlice<Double>) -> SIMD8<Float> {
    SIMD8(values.map { Float($0) } + Array(repeating: 0, count: group - values.count))
  }
}
