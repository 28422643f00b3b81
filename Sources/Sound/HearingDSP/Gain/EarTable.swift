import Acoustics
import Fitting
import Glibc
import Realtime

/// One ear's setting as rows of numbers with one column per band, so that each step of the gain computation
/// is a loop over bands.
///
/// A gain curve is stored as its value at the first knot, the slope below it, and one change of slope per
/// knot: `G(L) = g0 + s·(min(L, k0) − k0) + Σ dᵢ·max(0, L − kᵢ)`, which needs no search.
///
/// - Threads: built on `control`, read and copied on `audio`.
@safe struct EarTable: ~Copyable, @unchecked Sendable {
  /// Rows of the table.
  enum Row: Int, CaseIterable {
    /// Gain at the first knot, dB.
    case gainAtKnot
    /// Slope below the first knot, dB per dB.
    case slopeBelow
    /// Level at the microphone, as the chain reads it, that an insertion gain of 0 dB turns into the band's output limit, dB SPL.
    case limit
    /// Digital gain less insertion gain (``EarFitting/digitalOffset(inBand:)``), dB.
    case digitalOffset
    /// Response of the microphone, dB: the chain reads levels that much too high.
    case response
    /// Share of a rise covered per hop.
    case attack
    /// Share of a fall covered per hop.
    case release
    /// Share of a rise that the slow average covers per hop.
    case averageAttack
    /// Share of a fall that the slow average covers per hop.
    case averageRelease
    /// First row of the knots' levels as the chain reads them, dB SPL; ``EarFitting/knotLimit`` rows.
    case knotLevel
  }

  /// Level above full scale that the history lets in, dB; see ``PairHistory/ceiling``.
  private static let overload = 20 * log10(Double(PairHistory.ceiling))
  /// Rows before the knots' levels and slope changes.
  private static let plainRows = Row.knotLevel.rawValue
  /// All rows.
  static let rowCount = plainRows + 2 * EarFitting.knotLimit

  /// Sizes that the times are meant for.
  let geometry: ChainGeometry
  let bandCount: Int
  /// Knots that any band uses.
  private(set) var knotCount = 0
  /// Columns per row: bands rounded up to whole vectors.
  let stride: Int
  private(set) var values: Buffer
  /// dB SPL of an input with the mean square 1: a full-scale sine has the mean square 1/2.
  private(set) var inputOffset: Float = 0
  /// dB SPL of an output with the mean square 1, where the earphone is most sensitive.
  private(set) var outputOffset: Float = 0
  /// Excess of the momentary level over the slow average from which it takes over, dB.
  private(set) var takeover: Float = 0

  init(
    _ fitting: EarFitting, dynamics: Dynamics, bands: BandLayout, geometry: ChainGeometry
  ) throws(ChainError) {
    try fitting.check(bandCount: bands.count, levels: (Double(LevelMemory.floor), Self.overload))
    self.geometry = geometry
    bandCount = bands.count
    stride = bands.stride
    values = AlignedBuffer(count: Self.rowCount * stride)
    let sensitivity = fitting.greatestAtFullScale?.decibels ?? 0
    // A full-scale sine has the mean square 1/2: 3.01 dB below that of a full-scale constant.
    let sine = 10 * log10(2.0)
    inputOffset = Float(fitting.inputAtFullScale.decibels + sine)
    // An upper bound, also where the earphone's own calibration is lower (``EarFitting/calibratedAtFullScale``): the one meter counts what
    // is amplified, whose limits go by the assumed level, and what is added.
    outputOffset = Float(sensitivity + sine)
    takeover = Float(dynamics.average?.threshold ?? 0)
    fill(fitting, dynamics: dynamics, bands: bands, geometry: geometry)
  }

  /// A copy, for the audio thread.
  init(copying other: borrowing EarTable) {
    geometry = other.geometry
    bandCount = other.bandCount
    stride = other.stride
    values = AlignedBuffer(count: other.values.count)
    copy(from: other)
  }

  /// Copies another table's numbers. The shapes must agree.
  mutating func copy(from other: borrowing EarTable) {
    precondition(other.bandCount == bandCount, "a setting made for other bands")
    precondition(other.geometry == geometry, "a setting made for another rate or block")
    for index in 0..<values.count { values[index] = other.values[index] }
    inputOffset = other.inputOffset
    outputOffset = other.outputOffset
    takeover = other.takeover
    knotCount = other.knotCount
  }

  /// One row, `stride` columns. Valid while the table lives.
  @inline(__always) @unsafe func row(_ row: Row) -> UnsafeMutablePointer<Float> {
    unsafe values.pointer + row.rawValue * stride
  }

  /// Levels of knot `knot`, dB SPL.
  @inline(__always) @unsafe func knotLevels(_ knot: Int) -> UnsafeMutablePointer<Float> {
    unsafe values.pointer + (Self.plainRows + knot) * stride
  }

  /// Changes of slope at knot `knot`, dB per dB.
  @inline(__always) @unsafe func slopeChanges(_ knot: Int) -> UnsafeMutablePointer<Float> {
    unsafe values.pointer + (Self.plainRows + EarFitting.knotLimit + knot) * stride
  }
}

// MARK: - Design

extension EarTable {
  /// Excess that a band reads for its limit because a neighbour is counted too, dB: 0.6 at most
  /// for a tone between two centres (computed from ``LevelWeights``, standard bands), and a margin.
  private static let neighbourExcess = 0.8

  private mutating func fill(
    _ fitting: EarFitting, dynamics: Dynamics, bands: BandLayout, geometry: ChainGeometry
  ) {
    var known: [(curve: GainCurve, isShort: Bool, shares: [(row: Row, share: Double)])] = []
    for band in 0..<bandCount {
      let curve = fitting.curves[band]
      set(.limit, band, Self.limit(of: fitting, band))
      set(.digitalOffset, band, fitting.digitalOffset(inBand: band))
      set(.response, band, fitting.response(inBand: band))
      setKnots(curve, band, higherBy: fitting.response(inBand: band))
      let isShort = bands.centres[band] >= ChainGeometry.crossover
      let shares: [(row: Row, share: Double)]
      if let same = known.first(where: { $0.isShort == isShort && Self.share(curve, $0.curve) }) {
        shares = same.shares
      } else {
        let window = isShort ? geometry.analysisLength : geometry.filterLength
        let timing = StepTiming(hopTime: geometry.hopTime, windowTime: Double(window) / geometry.sampleRate)
        shares = timing.shares(dynamics, curve: curve)
        known.append((curve, isShort, shares))
      }
      for (row, share) in shares { set(row, band, share) }
    }
  }

  /// Output limit of a band as ``Row/limit``. One that repeats the output limit is left to the limiter after the
  /// bands, which reads the sound as it is.
  static func limit(of fitting: EarFitting, _ band: Int) -> Double {
    let (own, whole) = (fitting.bandLimits[band], fitting.outputLimit)
    let limit = own < whole ? own.decibels : whole.decibels + neighbourExcess
    return limit - (fitting.couplerResponse?[band] ?? 0) + fitting.response(inBand: band)
  }

  /// Two curves change their gain alike over the standard's step, so that their timing is the same.
  private static func share(_ a: GainCurve, _ b: GainCurve) -> Bool {
    let start = SoundPressureLevel(StepTiming.levels.low)
    return Swift.stride(from: StepTiming.levels.low, through: StepTiming.levels.high, by: 2.5).allSatisfy {
      let level = SoundPressureLevel($0)
      return abs((a.gain(at: level) - a.gain(at: start)) - (b.gain(at: level) - b.gain(at: start))) < 0.01
    }
  }

  /// - Parameter response: Of the microphone, dB: the chain reads levels that much too high.
  private mutating func setKnots(_ curve: GainCurve, _ band: Int, higherBy response: Double) {
    let (knots, slopes) = (curve.knots, curve.slopes)
    knotCount = max(knotCount, knots.count)
    set(.gainAtKnot, band, knots[0].gain)
    set(.slopeBelow, band, slopes[0])
    var slope = 0.0
    for knot in 0..<EarFitting.knotLimit {
      let isKnot = knot < knots.count
      // Knots beyond the curve's own lie out of reach and change nothing.
      let level = isKnot ? knots[knot].level.decibels + response : 1000
      let next = isKnot ? slopes[knot + 1] : slope
      let row = (Row.knotLevel.rawValue + knot) * self.stride + band
      values[row] = Float(level)
      values[row + EarFitting.knotLimit * self.stride] = Float(next - slope)
      slope = next
    }
  }

  private mutating func set(_ row: Row, _ band: Int, _ value: Double) {
    values[row.rawValue * self.stride + band] = Float(value)
  }
}
