import Realtime

/// One ear's band levels as they move: smoothed by attack and release for compression, and held at their
/// peaks for the output limit of each band.
///
/// - Threads: `audio`.
struct LevelMemory: ~Copyable {
  /// Level that a chain starts with, dB SPL: loud, so that gain begins low and is released upwards.
  static let startLevel: Float = 90
  /// Floor of every level, dB SPL: far below any microphone's own noise.
  static let floor: Float = -60
  /// Time constant with which a held peak falls, s: 50 ms, the release of a common broadband limiter
  /// (CHAPRO `tst_gha.c`).
  static let peakRelease = 0.05

  /// Distance from the average at which the momentary level hands back to it, dB: a step of the gain of less than half
  /// of that, which a steady sound, whose two levels never quite meet, would else wait for.
  private static let handBack: Float = 0.3

  /// Level read in this hop, dB SPL. - Shape: one per band, padded with floors.
  var level: AlignedBuffer<Float>
  /// Smoothed level that the compressor follows, dB SPL: the average, or the momentary level where that has taken
  /// over.
  var smoothed: AlignedBuffer<Float>
  /// Momentary level, dB SPL: the fast half of the compressor.
  private(set) var momentary: AlignedBuffer<Float>
  /// Level of the listening situation, dB SPL: the slow half.
  private(set) var average: AlignedBuffer<Float>
  /// Way from the average to the momentary level that the compressor has gone, 0...1. It only grows until the two meet,
  /// so a steady loud sound stays with the fast half until the slow one has caught up with it.
  private var takeover: AlignedBuffer<Float>
  /// Level of each band together with its two neighbours, dB SPL, which the output limit of the band looks at: a tone
  /// between two centres shows each band only half its power, and must be held all the same. Broadband sound is read
  /// up to 4.8 dB high by it, where the limit of all bands together is reached long before.
  var vicinity: AlignedBuffer<Float>
  /// Level that rises at once and falls slowly, which the output limit follows, dB SPL.
  var peak: AlignedBuffer<Float>
  /// Level that the gain goes by, dB SPL: ``smoothed``, or on its way to that from what a former setting made of the
  /// same sound.
  private(set) var followed: AlignedBuffer<Float>

  /// Columns in use; the padding behind them stays at the floor, so that it spreads into no band.
  private let bandCount: Int

  init(bandCount: Int, stride: Int) {
    self.bandCount = bandCount
    level = AlignedBuffer(count: stride)
    vicinity = AlignedBuffer(count: stride)
    smoothed = AlignedBuffer(count: stride)
    momentary = AlignedBuffer(count: stride)
    average = AlignedBuffer(count: stride)
    takeover = AlignedBuffer(count: stride)
    peak = AlignedBuffer(count: stride)
    followed = AlignedBuffer(count: stride)
    reset()
  }

  /// Forgets the past and starts on the safe side.
  mutating func reset() {
    level.fill(Self.floor)
    vicinity.fill(Self.floor)
    smoothed.fill(Self.floor)
    peak.fill(Self.floor)
    momentary.fill(Self.floor)
    // Nothing is known of the situation: the fast half is in charge until an average has formed.
    average.fill(Self.floor)
    takeover.fill(0)
    followed.fill(Self.floor)
    for band in 0..<bandCount {
      smoothed[band] = Self.startLevel
      momentary[band] = Self.startLevel
      takeover[band] = 1
      peak[band] = Self.startLevel
    }
  }

  /// Turns band powers into levels.
  ///
  /// - Parameters:
  ///   - power: Mean square of each band.
  ///   - offset: dB SPL of a mean square of 1.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func read(_ power: borrowing AlignedBuffer<Float>, offset: Float) {
    precondition(power.count >= level.count && vicinity.count >= level.count)
    let (squares, own, around) = unsafe (power.pointer, level.pointer, vicinity.pointer)
    let last = level.count - 1
    for band in 0...last {
      unsafe own[band] = Self.level(squares[band], offset)
    }
    unsafe around[0] = Self.level(squares[0] + (last > 0 ? squares[1] : 0), offset)
    unsafe around[last] = Self.level(squares[last] + (last > 0 ? squares[last - 1] : 0), offset)
    guard last > 1 else { return }
    for band in 1..<last {
      unsafe around[band] = Self.level(squares[band - 1] + squares[band] + squares[band + 1], offset)
    }
  }

  /// dB SPL of a mean square, not below the floor.
  @inline(__always)
  private static func level(_ power: Float, _ offset: Float) -> Float {
    // 1e-20 is −200 dB FS: keeps silence out of the logarithm and lies below every floor.
    let read = Decibel.fromPower(power + 1e-20) + offset
    return read > Self.floor ? read : Self.floor
  }

  /// Moves the smoothed and the held levels by one hop.
  ///
  /// - Parameter peakShare: Share of a fall that the held peak covers per hop.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func follow(_ table: borrowing EarTable, peakShare: Float) {
    precondition(level.count >= table.stride)
    precondition(momentary.count >= table.stride && average.count >= table.stride)
    let (read, fast, slow) = unsafe (level.pointer, momentary.pointer, average.pointer)
    let (share, followed) = unsafe (takeover.pointer, smoothed.pointer)
    let (around, held) = unsafe (vicinity.pointer, peak.pointer)
    let (attacks, releases) = unsafe (table.row(.attack), table.row(.release))
    let (slowAttacks, slowReleases) = unsafe (table.row(.averageAttack), table.row(.averageRelease))
    let (threshold, perBlend) = (table.takeover, 1 / Float(SlowAverage.blend))
    for band in 0..<table.stride {
      // Both shares are loaded before one is chosen: a load that hangs on a comparison would not vectorise.
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
    for band in 0..<table.stride {
      let change = unsafe around[band] - held[band]
      unsafe held[band] += (change > 0 ? 1 : peakShare) * change
    }
  }

  /// Takes over all that another memory knows.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func copy(from other: borrowing LevelMemory) {
    for band in 0..<level.count {
      level[band] = other.level[band]
      vicinity[band] = other.vicinity[band]
      smoothed[band] = other.smoothed[band]
      momentary[band] = other.momentary[band]
      average[band] = other.average[band]
      takeover[band] = other.takeover[band]
      peak[band] = other.peak[band]
      followed[band] = other.followed[band]
    }
  }

  /// Takes over what another memory has read in this hop.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func hear(_ other: borrowing LevelMemory) {
    for band in 0..<level.count { level[band] = other.level[band] }
  }

  /// Makes the level that the gain goes by from this memory's and that of a former setting's.
  ///
  /// - Parameter share: This memory's, 0…1.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func blend(_ former: borrowing LevelMemory, share: Float) {
    for band in 0..<level.count {
      followed[band] = former.smoothed[band] + share * (smoothed[band] - former.smoothed[band])
    }
  }

  /// Makes its own level the one that the gain goes by.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func settle() {
    for band in 0..<level.count { followed[band] = smoothed[band] }
  }

  /// Moves the levels read in this hop towards the louder of both ears.
  ///
  /// - Parameters:
  ///   - other: The other ear's levels as read, dB SPL.
  ///   - share: 0 leaves them, 1 makes both ears follow the louder one.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func link(_ other: borrowing AlignedBuffer<Float>, share: Float, count: Int) {
    for band in 0..<count { level[band] += share * max(other[band] - level[band], 0) }
  }
}
