import Acoustics
import Realtime

/// The minimum-phase basis as the audio thread reads it, for both ears of a chain.
///
/// Bins are taken in groups of eight. The magnitude of a group depends on the few bands around it, its phase on all
/// bands.
///
/// - Threads: built on `control`, read on `audio`.
struct GainBasis: ~Copyable {
  /// Bins per group.
  static let group = 8

  let bandCount: Int
  /// Number of groups that cover all bins.
  let groupCount: Int
  /// Factor of every bin: undoes the scale of the inverse transform and of taking a pair apart.
  let scale: Float
  /// First band that reaches into each group. - Shape: `groupCount`.
  private var firstBand: AlignedBuffer<Int32>
  /// Where each group's magnitude rows begin. - Shape: `groupCount + 1`.
  private var magnitudeStart: AlignedBuffer<Int32>
  /// Magnitude basis: for each group one row per band that reaches into it.
  private var magnitude: AlignedBuffer<SIMD8<Float>>
  /// Phase basis, rad per neper. - Shape: `[group][band]`.
  private var phase: AlignedBuffer<SIMD8<Float>>

  init(_ bands: BandLayout, geometry: ChainGeometry) throws(ChainError) {
    let design = try MinimumPhaseBasis(bands: bands, geometry: geometry)
    let bandCount = bands.count
    let groupCount = (geometry.binCount + Self.group - 1) / Self.group
    firstBand = AlignedBuffer(count: groupCount)
    magnitudeStart = AlignedBuffer(count: groupCount + 1)
    phase = AlignedBuffer(count: groupCount * bandCount)
    var rows: [SIMD8<Float>] = []
    for group in 0..<groupCount {
      let reaching = (0..<bandCount).filter { Self.row(design.magnitude[$0], group) != SIMD8() }
      let touched = (reaching.first ?? 0)...(reaching.last ?? 0)
      firstBand[group] = Int32(touched.lowerBound)
      magnitudeStart[group] = Int32(rows.count)
      rows += touched.map { Self.row(design.magnitude[$0], group) }
      for band in 0..<bandCount { phase[group * bandCount + band] = Self.row(design.phase[band], group) }
    }
    magnitudeStart[groupCount] = Int32(rows.count)
    magnitude = AlignedBuffer(count: rows.count)
    for (index, row) in rows.enumerated() { magnitude[index] = row }
    self.bandCount = bandCount
    self.groupCount = groupCount
    scale = 0.5 / Float(geometry.filterLength)
  }

  /// Bins rounded up to whole groups.
  var paddedBins: Int { groupCount * Self.group }

  /// Log magnitude, nepers, and phase, rad, of both ears' windows at every bin: `Σ g_b (B_b + j·Hilbert{B_b})`.
  ///
  /// Both ears at once, because the basis is large and each of its rows need then be read only once.
  #if RT_LINT
    @_noAllocation
  #endif
  func expand(
    left: borrowing AlignedBuffer<Float>, right: borrowing AlignedBuffer<Float>,
    into leftWindow: inout LogWindow, _ rightWindow: inout LogWindow
  ) {
    precondition(left.count >= bandCount && right.count >= bandCount)
    precondition(leftWindow.angle.count >= groupCount && rightWindow.angle.count >= groupCount)
    let (l, r) = unsafe (left.pointer, right.pointer)
    for group in 0..<groupCount {
      let phases = unsafe phase.pointer + group * bandCount
      var (leftAngle, rightAngle) = (SIMD8<Float>(), SIMD8<Float>())
      for band in 0..<bandCount {
        let row = unsafe phases[band]
        unsafe leftAngle += row * l[band]
        unsafe rightAngle += row * r[band]
      }
      var (leftExponent, rightExponent) = (SIMD8<Float>(), SIMD8<Float>())
      let start = Int(magnitudeStart[group])
      let first = Int(firstBand[group])
      for index in 0..<Int(magnitudeStart[group + 1]) - start {
        let row = unsafe magnitude[unchecked: start + index]
        unsafe leftExponent += row * l[first + index]
        unsafe rightExponent += row * r[first + index]
      }
      leftWindow.angle[group] = leftAngle
      rightWindow.angle[group] = rightAngle
      leftWindow.exponent[group] = leftExponent
      rightWindow.exponent[group] = rightExponent
    }
  }

  /// Eight bins of a design row, zero beyond its end.
  private static func row(_ values: [Double], _ group: Int) -> SIMD8<Float> {
    var eight = SIMD8<Float>()
    for lane in 0..<Self.group where group * Self.group + lane < values.count {
      eight[lane] = Float(values[group * Self.group + lane])
    }
    return eight
  }
}
