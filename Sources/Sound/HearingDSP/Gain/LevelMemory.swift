import Acoustics
import Realtime

/// One ear's band levels over time: smoothed by attack and release for compression, and averaged for the
/// output limit of each band.
///
/// - Threads: `audio`.
struct LevelMemory: ~Copyable {
  /// Level that a chain starts with, dB SPL: loud, so that gain begins low and rises.
  static let startLevel: Float = 90
  /// Floor of every level, dB SPL: far below any microphone's own noise.
  static let floor: Float = -60
  /// Time constant of the power that a band's output limit follows, s: that of a sound level meter's
  /// `Impulse` (IEC 60651), which stands for the ear's perception of short sounds. Discomfort, which a
  /// band's limit guards against, is measured with tones of a second; held hop by hop, speech at 80 dB SPL
  /// would lose its vowels' peaks (HASQI of N4 0.87 instead of 0.91) though its level never reaches that
  /// limit. A tone 8 dB above the limit is held after 6 ms; until then the limit of all bands together,
  /// which acts at once, holds it.
  static let exposureTime = 0.035

  /// Distance from the average at which the momentary level hands back to it, dB: the gain steps by less
  /// than half of that. Without it a steady sound, whose two levels never quite meet, would stay with the
  /// momentary level.
  private static let handBack: Float = 0.3

  /// Power of the emptier neighbour, relative to the band's own, up to which it counts as empty: the main lobe
  /// of a tone's window reaches so far over the narrowest bands. In speech (LTASS in the standard bands) it
  /// has 0.26 at least.
  private static let spill: Float = 0.15
  /// Factor on what it has beyond that, which is left out of the difference of both neighbours. In speech that
  /// is at most 1.9 times the band's own power where the emptier one has 0.26, and 3.3 times where it has 0.6.
  ///
  /// Own choice. Reckoned with the shapes of the standard bands and of the gain window: a tone from 180 Hz up
  /// passes a band's limit by 0.5 dB at most at 44.1 kHz, by 0.75 dB at 48 kHz; the whole difference, 0.5 and
  /// 0.6 dB, reads speech up to 6.3 dB too loud, and of the difference no more than the band's own power lets a
  /// tone pass by 3.3 dB.
  private static let filling: Float = 20
  /// The same at either end of the bands, where the band two places away stands for the neighbour that is not
  /// there: in speech it has more than 0.8 of what the neighbour has.
  private static let fillingAtEnds: Float = 2

  /// Smoothed level for the compressor, dB SPL: the average, or the momentary level where that has taken
  /// over. - Shape: one per band, padded with floors.
  private(set) var smoothed: Buffer
  /// Momentary level, dB SPL: the fast half of the compressor.
  private(set) var momentary: Buffer
  /// Level of the listening situation, dB SPL: the slow half.
  private(set) var average: Buffer
  /// Position between the average and the momentary level, 0...1. It only grows until the two meet, so a
  /// steady loud sound stays with the fast half until the slow one has reached it.
  private var takeover: Buffer
  /// Mean square of each band, averaged over ``exposureTime``, behind a place that stays zero and before
  /// another.
  private var lasting: Buffer
  /// Level that the output limit of each band follows, dB SPL: that of ``lasting`` together with the
  /// difference of its neighbours where one of them is empty. A tone between two centres shows each band only
  /// half its power and must be held all the same: the other half lies in one neighbour, and nothing in the
  /// other. Speech and other broadband sound fill both, alike or not, and are read as they are, where a sum of
  /// all three would read noise 4.8 dB high (HASQI of N4 for speech at 80 dB SPL 0.02 lower). Of a tone beside
  /// another sound up to 4 dB may be missed; the limit of all bands together misses nothing.
  private(set) var exposure: Buffer

  /// Columns in use; the padding behind them stays at the floor, so that it spreads into no band.
  private let bandCount: Int
  /// Part of a change that ``lasting`` covers per hop.
  private let exposureShare: Float

  init(bandCount: Int, geometry: ChainGeometry) {
    self.bandCount = bandCount
    let stride = BandLayout.stride(bandCount)
    lasting = AlignedBuffer(count: stride + 2)
    smoothed = AlignedBuffer(count: stride)
    momentary = AlignedBuffer(count: stride)
    average = AlignedBuffer(count: stride)
    takeover = AlignedBuffer(count: stride)
    exposure = AlignedBuffer(count: stride)
    exposureShare = Float(geometry.hopTime / (geometry.hopTime + Self.exposureTime))
    reset()
  }

  /// Sets all levels to ``startLevel``, on the safe side.
  mutating func reset() {
    lasting.fill(0)
    smoothed.fill(Self.floor)
    exposure.fill(Self.floor)
    momentary.fill(Self.floor)
    // The situation is unknown: the fast half sets the gain until an average has formed.
    average.fill(Self.floor)
    takeover.fill(0)
    for band in 0..<bandCount {
      smoothed[band] = Self.startLevel
      momentary[band] = Self.startLevel
      takeover[band] = 1
    }
  }

  /// Turns band powers into levels, and averages them for the limits.
  ///
  /// - Parameters:
  ///   - power: Mean square of each band.
  ///   - offset: dB SPL of a mean square of 1.
  ///   - level: Level of each band, dB SPL.
  mutating func processPower(_ power: borrowing Buffer, offset: Float, into level: inout Buffer) {
    let count = smoothed.count
    precondition(power.count >= count && level.count >= count)
    precondition(lasting.count >= count + 2 && exposure.count >= count)
    let (squares, own) = unsafe (power.pointer, level.pointer)
    let (around, exposed) = unsafe (lasting.pointer + 1, exposure.pointer)
    let exposureShare = exposureShare
    for band in 0..<count {
      let square = unsafe squares[band]
      unsafe own[band] = Self.level(square, offset)
      unsafe around[band] += exposureShare * (square - around[band])
    }
    for band in 0..<count {
      let (below, square, above) = unsafe (around[band - 1], around[band], around[band + 1])
      let (less, more) = below < above ? (below, above) : (above, below)
      let filled = Self.filling * (less - Self.spill * square)
      let rest = more - less - (filled > 0 ? filled : 0)
      unsafe exposed[band] = Self.level(square + (rest > 0 ? rest : 0), offset)
    }
    guard bandCount > 2 else { return }
    exposeEnd(0, next: 1, beyond: 2, offset: offset)
    exposeEnd(bandCount - 1, next: bandCount - 2, beyond: bandCount - 3, offset: offset)
  }

  /// Level that the limit of the first or the last band follows.
  private mutating func exposeEnd(_ band: Int, next: Int, beyond: Int, offset: Float) {
    let rest = lasting[next + 1] - Self.fillingAtEnds * lasting[beyond + 1]
    exposure[band] = Self.level(lasting[band + 1] + max(0, rest), offset)
  }

  /// dB SPL of a mean square, not below the floor.
  @inline(__always) private static func level(_ power: Float, _ offset: Float) -> Float {
    // 1e-20 is −200 dB FS: keeps silence out of the logarithm and lies below every floor.
    let read = Decibel.fromPower(power + 1e-20) + offset
    return read > Self.floor ? read : Self.floor
  }

  /// Moves the smoothed levels by one hop.
  ///
  /// - Parameter level: Of each band, linked, dB SPL.
  mutating func processLevel(_ level: borrowing Buffer, table: borrowing EarTable) {
    precondition(level.count >= table.stride)
    precondition(momentary.count >= table.stride && average.count >= table.stride)
    let (read, fast, slow) = unsafe (level.pointer, momentary.pointer, average.pointer)
    let (share, followed) = unsafe (takeover.pointer, smoothed.pointer)
    let (attacks, releases) = unsafe (table.row(.attack), table.row(.release))
    let (slowAttacks, slowReleases) = unsafe (table.row(.averageAttack), table.row(.averageRelease))
    let (threshold, perBlend) = (table.takeover, 1 / Float(SlowAverage.blend))
    for band in 0..<table.stride {
      // Both shares are loaded before one is chosen: a load that depends on a comparison would not
      // vectorise.
      let (attack, release) = unsafe (attacks[band], releases[band])
      let rise = unsafe read[band] - fast[band]
      let quick = unsafe fast[band] + (rise > 0 ? attack : release) * rise
      let (slowAttack, slowRelease) = unsafe (slowAttacks[band], slowReleases[band])
      let drift = unsafe read[band] - slow[band]
      let mean = unsafe slow[band] + (drift > 0 ? slowAttack : slowRelease) * drift
      let above = quick - mean
      let reached = (above - threshold) * perBlend
      let before = unsafe share[band]
      let claimed = reached > before ? reached : before
      let bounded = claimed < 1 ? claimed : 1
      let taken: Float = above > Self.handBack ? bounded : 0
      unsafe fast[band] = quick
      unsafe slow[band] = mean
      unsafe share[band] = taken
      unsafe followed[band] = mean + taken * above
    }
  }

  /// Copies what smooths levels from another memory; ``exposure`` stays.
  mutating func copy(from other: borrowing LevelMemory) {
    for band in 0..<smoothed.count {
      smoothed[band] = other.smoothed[band]
      momentary[band] = other.momentary[band]
      average[band] = other.average[band]
      takeover[band] = other.takeover[band]
    }
  }

}
