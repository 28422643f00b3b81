import Realtime

/// One ear's band levels as they move: smoothed by attack and release for compression, and averaged for the output
/// limit of each band.
///
/// - Threads: `audio`.
struct LevelMemory: ~Copyable {
  /// Level that a chain starts with, dB SPL: loud, so that gain begins low and is released upwards.
  static let startLevel: Float = 90
  /// Floor of every level, dB SPL: far below any microphone's own noise.
  static let floor: Float = -60
  /// Time constant of the power that a band's output limit looks at, s: that of a sound level meter's `Impulse` (IEC
  /// 60651), which stands for the ear's reading of short sounds. What a band's limit guards against, discomfort, is
  /// measured with tones of a second; held hop by hop, speech at 80 dB SPL would lose its vowels' peaks (HASQI of N4
  /// 0.87 instead of 0.91) though its level never reaches that limit. A tone 8 dB above the limit is held after 6 ms;
  /// until then the limit of all bands together, which waits for nothing, holds it.
  static let exposureTime = 0.035

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
  /// Mean square of each band, averaged over ``exposureTime``, behind a place that stays zero and before another.
  private var lasting: AlignedBuffer<Float>
  /// Level that the output limit of each band follows, dB SPL: that of ``lasting`` together with the difference of its
  /// neighbours. A tone between two centres shows each band only half its power and must be held all the same: the other
  /// half lies in one neighbour. Broadband sound lies in both alike and is read as it is, where a sum of all three would
  /// read it 4.8 dB high (HASQI of N4 for speech at 80 dB SPL 0.02 lower). Of a tone beside another one up to half may be
  /// missed; the limit of all bands together misses nothing.
  private(set) var exposure: AlignedBuffer<Float>
  /// Level that the gain goes by, dB SPL: ``smoothed``, or on its way to that from what a former setting made of the
  /// same sound.
  private(set) var followed: AlignedBuffer<Float>

  /// Columns in use; the padding behind them stays at the floor, so that it spreads into no band.
  private let bandCount: Int

  init(bandCount: Int, stride: Int) {
    self.bandCount = bandCount
    level = AlignedBuffer(count: stride)
    lasting = AlignedBuffer(count: stride + 2)
    smoothed = AlignedBuffer(count: stride)
    momentary = AlignedBuffer(count: stride)
    average = AlignedBuffer(count: stride)
    takeover = AlignedBuffer(count: stride)
    exposure = AlignedBuffer(count: stride)
    followed = AlignedBuffer(count: stride)
    reset()
  }

  /// Forgets the past and starts on the safe side.
  mutating func reset() {
    level.fill(Self.floor)
    lasting.fill(0)
    smoothed.fill(Self.floor)
    exposure.fill(Self.floor)
    momentary.fill(Self.floor)
    // Nothing is known of the situation: the fast half is in charge until an average has formed.
    average.fill(Self.floor)
    takeover.fill(0)
    followed.fill(Self.floor)
    for band in 0..<bandCount {
      smoothed[band] = Self.startLevel
      momentary[band] = Self.startLevel
      takeover[band] = 1
    }
  }

  /// Turns band powers into levels.
  ///
  /// - Parameters:
  ///   - power: Mean square of each band.
  ///   - offset: dB SPL of a mean square of 1.
  ///   - exposureShare: Share of a change that the limits' average covers per hop.
  mutating func read(_ power: borrowing AlignedBuffer<Float>, offset: Float, exposureShare: Float) {
    precondition(power.count >= level.count && lasting.count >= level.count + 2)
    precondition(exposure.count >= level.count)
    let (squares, own) = unsafe (power.pointer, level.pointer)
    let (around, exposed) = unsafe (lasting.pointer + 1, exposure.pointer)
    for band in 0..<level.count {
      let square = unsafe squares[band]
      unsafe own[band] = Self.level(square, offset)
      unsafe around[band] += exposureShare * (square - around[band])
    }
    for band in 0..<level.count {
      let beside = unsafe around[band - 1] - around[band + 1]
      unsafe exposed[band] = Self.level(around[band] + abs(beside), offset)
    }
  }

  /// dB SPL of a mean square, not below the floor.
  @inline(__always)
  private static func level(_ power: Float, _ offset: Float) -> Float {
    // 1e-20 is −200 dB FS: keeps silence out of the logarithm and lies below every floor.
    let read = Decibel.fromPower(power + 1e-20) + offset
    return read > Self.floor ? read : Self.floor
  }

  /// Moves the smoothed levels by one hop.
  mutating func follow(_ table: borrowing EarTable) {
    precondition(level.count >= table.stride)
    precondition(momentary.count >= table.stride && average.count >= table.stride)
    let (read, fast, slow) = unsafe (level.pointer, momentary.pointer, average.pointer)
    let (share, followed) = unsafe (takeover.pointer, smoothed.pointer)
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
  }

  /// Takes over all that another memory knows.
  mutating func copy(from other: borrowing LevelMemory) {
    for band in 0..<level.count {
      level[band] = other.level[band]
      lasting[band + 1] = other.lasting[band + 1]
      smoothed[band] = other.smoothed[band]
      momentary[band] = other.momentary[band]
      average[band] = other.average[band]
      takeover[band] = other.takeover[band]
      exposure[band] = other.exposure[band]
      followed[band] = other.followed[band]
    }
  }

  /// Takes over what another memory has read in this hop.
  mutating func hear(_ other: borrowing LevelMemory) {
    for band in 0..<level.count { level[band] = other.level[band] }
  }

  /// Makes the level that the gain goes by from this memory's and that of a former setting's.
  ///
  /// - Parameter share: This memory's, 0…1.
  mutating func blend(_ former: borrowing LevelMemory, share: Float) {
    for band in 0..<level.count {
      followed[band] = former.smoothed[band] + share * (smoothed[band] - former.smoothed[band])
    }
  }

  /// Makes its own level the one that the gain goes by.
  mutating func settle() {
    for band in 0..<level.count { followed[band] = smoothed[band] }
  }

  /// Moves the levels read in this hop towards the louder of both ears.
  ///
  /// - Parameters:
  ///   - other: The other ear's levels as read, dB SPL.
  ///   - share: 0 leaves them, 1 makes both ears follow the louder one.
  mutating func link(_ other: borrowing AlignedBuffer<Float>, share: Float, count: Int) {
    for band in 0..<count { level[band] += share * max(other[band] - level[band], 0) }
  }
}
