import Realtime

/// Turns one ear's levels into the digital gain of each band.
///
/// - Threads: `audio`.
struct GainComputer: ~Copyable {
  /// Digital gains never leave −120…120 dB: below it a band is silent, above it no calibration is honest.
  private static var lowest: Float { -120 }
  private static var highest: Float { 120 }
  /// The same as ``ChainParameters/gainCeiling``.
  private static var ceiling: Float { 80 }

  /// Insertion gain of each band, dB.
  private(set) var insertionGain: AlignedBuffer<Float>
  /// Digital gain of each band, nepers.
  private(set) var nepers: AlignedBuffer<Float>
  /// Reduction by the band's output limit, dB, not negative.
  private(set) var limiting: AlignedBuffer<Float>
  private var level: LevelSpread
  private var exposure: LevelSpread
  /// What the gain in force, without relief, lay above the new setting's when that was set, dB.
  private var departure: AlignedBuffer<Float>
  private var isDeparting = false

  init(stride: Int) {
    insertionGain = AlignedBuffer(count: stride)
    nepers = AlignedBuffer(count: stride)
    limiting = AlignedBuffer(count: stride)
    level = LevelSpread(stride: stride)
    exposure = LevelSpread(stride: stride)
    departure = AlignedBuffer(count: stride)
  }

  /// Makes the gain in force the one that a change of setting starts from.
  ///
  /// - Parameters:
  ///   - table: The setting to move to.
  ///   - relief: What was taken from the gain in force, dB: relief goes on as it is, only the setting's own gain is
  ///     on its way.
  mutating func depart(to table: borrowing EarTable, relief: borrowing AlignedBuffer<Float>) {
    precondition(relief.count >= table.stride)
    let offsets = unsafe table.row(.digitalOffset)
    for band in 0..<table.stride {
      unsafe departure[band] = nepers[band] * (1 / Decibel.nepers) - offsets[band] + relief[band]
    }
    isDeparting = true
  }

  /// Computes every band's gain.
  ///
  /// - Parameters:
  ///   - memory: The ear's levels.
  ///   - table: The setting in force.
  ///   - relief: What is taken from each band's gain, dB, not negative.
  ///   - progress: Way from the gain at the last ``depart(to:relief:)`` to that of `table`, 0...1.
  mutating func compute(
    _ memory: borrowing LevelMemory, table: borrowing EarTable, relief: borrowing AlignedBuffer<Float>,
    progress: Float
  ) {
    level.spread(memory.followed, count: table.stride)
    exposure.spread(memory.exposure, count: table.stride)
    Self.evaluate(table, at: level, into: &insertionGain)
    if isDeparting {
      for band in 0..<table.stride { departure[band] -= insertionGain[band] }
      isDeparting = false
    }
    if progress < 1 {
      for band in 0..<table.stride {
        // The level may fall on the way; the sum must not reach beyond what any setting may ask for.
        insertionGain[band] = min(insertionGain[band] + (1 - progress) * departure[band], Self.ceiling)
      }
    }
    limit(table, relief)
  }

  /// Holds each band below its output limit and turns insertion gain into digital gain.
  private mutating func limit(_ table: borrowing EarTable, _ relief: borrowing AlignedBuffer<Float>) {
    precondition(relief.count >= table.stride)
    let (limits, offsets) = unsafe (table.row(.limit), table.row(.digitalOffset))
    let gain = unsafe insertionGain.pointer
    let (reduced, result) = unsafe (limiting.pointer, nepers.pointer)
    let (exposed, relieved) = unsafe (exposure.pointer, relief.pointer)
    for band in 0..<table.stride {
      let wanted = unsafe gain[band] - relieved[band]
      let allowed = unsafe limits[band] - exposed[band]
      let limited = wanted < allowed ? wanted : allowed
      unsafe gain[band] = limited
      unsafe reduced[band] = wanted - limited
      let digital = unsafe limited + offsets[band]
      let bounded = digital > Self.lowest ? digital : Self.lowest
      unsafe result[band] = (bounded < Self.highest ? bounded : Self.highest) * Decibel.nepers
    }
  }

  /// Value of every band's gain curve at that band's level.
  private static func evaluate(
    _ table: borrowing EarTable, at level: borrowing LevelSpread, into gain: inout AlignedBuffer<Float>
  ) {
    precondition(gain.count >= table.stride)
    let (result, levels) = unsafe (gain.pointer, level.pointer)
    let (first, gains, slopes) = unsafe (
      table.knotLevels(0), table.row(.gainAtKnot), table.row(.slopeBelow)
    )
    for band in 0..<table.stride {
      let below = unsafe levels[band] - first[band]
      unsafe result[band] = gains[band] + slopes[band] * (below < 0 ? below : 0)
    }
    for knot in 0..<table.knotCount {
      let (knots, changes) = unsafe (table.knotLevels(knot), table.slopeChanges(knot))
      for band in 0..<table.stride {
        let above = unsafe levels[band] - knots[band]
        unsafe result[band] += changes[band] * (above > 0 ? above : 0)
      }
    }
  }
}
