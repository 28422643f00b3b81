import Realtime

/// One ear's levels, and the gain of each band that follows from them.
///
/// - Threads: built on `control`, run on `audio`.
struct EarGain: ~Copyable {
  /// Digital gains stay within −120…120 dB: below it a band is silent, above it no calibration is credible.
  static var lowest: Float { -120 }
  static var highest: Float { 120 }
  /// Greatest sum of all attenuations of a band, dB: more would be a hole in the spectrum.
  static var greatestRelief: Float { 24 }
  private static var ceiling: Float { Float(EarFitting.gainCeiling) }

  /// Setting in force.
  private(set) var table: EarTable
  /// Setting before, from which a transition leads.
  private(set) var formerTable: EarTable
  /// Level of each band in this hop, dB SPL. - Shape: one per band, padded with floors.
  var level: Buffer
  /// The same, linked as the setting before linked it.
  var formerLevel: Buffer
  /// Insertion gain of each band, dB.
  private(set) var insertionGain: Buffer
  /// Reduction by the band's output limit, dB, not negative.
  private(set) var limiting: Buffer
  /// Digital gain of each band, nepers.
  private(set) var nepers: Buffer
  private var memory: LevelMemory
  /// Levels as the setting before goes on to smooth them during a change; otherwise a change of time
  /// constants or link would make the level jump.
  private var former: LevelMemory
  private var spread: LevelSpread
  private var exposure: LevelSpread
  /// Gain of the setting before at the level of this hop, dB.
  private var formerGain: Buffer
  /// Levels as the setting before reads them: its microphone may have been calibrated otherwise.
  private var formerSpread: Buffer
  /// Excess of the gain in force at the moment of the change, without relief, over that of the setting before, dB: what a
  /// way not finished had added to it, less what a band's limit took.
  private var residual: Buffer
  /// That gain in force, dB, and the level of each band at that moment, dB SPL.
  private var beginGain: Buffer
  private var beginLevel: Buffer
  /// Excess of the gain at which the way begins over the new setting's, dB, both at the level of this hop.
  private var excess: Buffer
  /// The setting has changed and no hop has been processed since: ``excess`` holds the gain in force itself.
  private var isNew = false
  /// Share of ``excess`` in the last hop's gain, 0...1.
  private var rest: Float = 0

  init(_ table: borrowing EarTable, geometry: ChainGeometry) {
    self.table = EarTable(copying: table)
    formerTable = EarTable(copying: table)
    level = AlignedBuffer(count: table.stride)
    formerLevel = AlignedBuffer(count: table.stride)
    insertionGain = AlignedBuffer(count: table.stride)
    limiting = AlignedBuffer(count: table.stride)
    nepers = AlignedBuffer(count: table.stride)
    memory = LevelMemory(bandCount: table.bandCount, geometry: geometry)
    former = LevelMemory(bandCount: table.bandCount, geometry: geometry)
    spread = LevelSpread(stride: table.stride)
    exposure = LevelSpread(stride: table.stride)
    formerGain = AlignedBuffer(count: table.stride)
    formerSpread = AlignedBuffer(count: table.stride)
    residual = AlignedBuffer(count: table.stride)
    beginGain = AlignedBuffer(count: table.stride)
    beginLevel = AlignedBuffer(count: table.stride)
    excess = AlignedBuffer(count: table.stride)
  }

  /// Moves to another setting from the gain in force.
  ///
  /// - Parameters:
  ///   - relief: Attenuation within that gain, dB: that goes on unchanged, only the setting's own gain moves.
  ///   - keepsFormer: True less than half way from the setting before: that one is nearer to what is in force, and stays the one
  ///     from which the way leads.
  mutating func retarget(
    to next: borrowing EarTable, relief: borrowing Buffer, keepsFormer: Bool = false
  ) {
    if !keepsFormer {
      former.copy(from: memory)
      formerTable.copy(from: table)
    }
    table.copy(from: next)
    precondition(relief.count >= table.stride)
    let offsets = unsafe table.row(.digitalOffset)
    for band in 0..<table.stride {
      // The reduction by a band's limit is part of it: a higher limit is not reached at once.
      unsafe excess[band] = nepers[band] * (1 / Decibel.nepers) - offsets[band] + relief[band]
    }
    isNew = true
  }

  /// Takes another setting at once, where no gain is in force.
  mutating func retarget(to next: borrowing EarTable) {
    table.copy(from: next)
    isNew = false
  }

  mutating func reset() {
    memory.reset()
    former.reset()
    isNew = false
  }

  /// Reads the level of each band, and the level that its output limit follows.
  mutating func processPower(_ power: borrowing Buffer) {
    memory.processPower(power, offset: table.inputOffset, into: &level)
  }

  /// Smooths the linked levels and computes the gain of each band.
  ///
  /// - Parameters:
  ///   - relief: Attenuation of each band's gain, dB ≥ 0.
  ///   - progress: Position between the gain at the last ``retarget(to:relief:keepsFormer:)`` and that of the setting in
  ///     force, 0...1.
  mutating func processGains(relief: borrowing Buffer, progress: Float) {
    memory.processLevel(level, table: table)
    rest = 1 - progress
    if progress < 1 {
      former.processLevel(formerLevel, table: formerTable)
      // The level that sets the gain lies between both settings'.
      for band in 0..<table.stride {
        let before = former.smoothed[band]
        formerLevel[band] = before + progress * (memory.smoothed[band] - before)
      }
      spread.process(formerLevel, count: table.stride)
    } else {
      spread.process(memory.smoothed, count: table.stride)
    }
    exposure.process(memory.exposure, count: table.stride)
    unsafe Self.evaluate(table, at: spread.pointer, into: &insertionGain)
    if progress < 1 { moveFromFormer() }
    isNew = false
    limit(relief)
  }

  /// Moves the gain from the setting before, at the level of this hop, towards that of the setting in force: between both, or below,
  /// whatever was heard when the setting changed.
  private mutating func moveFromFormer() {
    let shift = formerTable.inputOffset - table.inputOffset
    let levels = unsafe spread.pointer
    for band in 0..<table.stride { unsafe formerSpread[band] = levels[band] + shift }
    unsafe Self.evaluate(formerTable, at: formerSpread.pointer, into: &formerGain)
    let (offsets, formerOffsets) = unsafe (table.row(.digitalOffset), formerTable.row(.digitalOffset))
    for band in 0..<table.stride {
      let former = unsafe formerGain[band] + formerOffsets[band] - offsets[band]
      if isNew {
        (beginGain[band], residual[band]) = (excess[band], excess[band] - former)
        unsafe beginLevel[band] = levels[band]
      }
      // The residual was for the level at that moment: no louder sound has it, and no softer one more than was in force.
      let rise = unsafe max(levels[band] - beginLevel[band], 0)
      let left = min(residual[band], beginGain[band] - former) - rise
      let kept = residual[band] > 0 ? max(left, 0) : residual[band]
      excess[band] = former + kept - insertionGain[band]
      insertionGain[band] = min(insertionGain[band] + rest * excess[band], Self.ceiling)
    }
  }

  /// Writes the levels from which the last hop's gain followed, and the gain.
  func read(into frame: inout GainFrame) {
    for band in 0..<table.bandCount {
      frame.linkedLevel[band] = level[band]
      frame.followedLevel[band] = rest > 0 ? formerLevel[band] : memory.smoothed[band]
      frame.spreadLevel[band] = unsafe spread.pointer[band]
      frame.exposedLevel[band] = unsafe exposure.pointer[band]
      frame.transition[band] = rest * excess[band]
      frame.digitalGain[band] = nepers[band] * (1 / Decibel.nepers)
    }
  }

  /// Holds each band below its output limit and turns insertion gain into digital gain.
  private mutating func limit(_ relief: borrowing Buffer) {
    precondition(relief.count >= table.stride && nepers.count >= table.stride)
    let (limits, offsets) = unsafe (table.row(.limit), table.row(.digitalOffset))
    let (gain, reduced, result) = unsafe (insertionGain.pointer, limiting.pointer, nepers.pointer)
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
  @inline(__always) @unsafe private static func evaluate(
    _ table: borrowing EarTable, at levels: UnsafeMutablePointer<Float>, into gain: inout Buffer
  ) {
    precondition(gain.count >= table.stride)
    let (result, first) = unsafe (gain.pointer, table.knotLevels(0))
    let (gains, slopes) = unsafe (table.row(.gainAtKnot), table.row(.slopeBelow))
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

/// Spread of level between neighbouring bands.
///
/// A steady tone fills one band and leaves its neighbours empty. If each band followed only its own level,
/// a strongly compressed tone would sit in a deep notch of the gain window, narrower than the window can
/// resolve, and come out up to 2.5 dB too loud at 500 Hz. So no band's level counts as lower than its
/// neighbour's less ``slope``. Speech and noise, whose adjacent standard bands differ by less than that
/// (5.5 dB at most in the LTASS of Byrne et al. 1994), are read as they are.
///
/// - Threads: `audio`.
@safe struct LevelSpread: ~Copyable {
  /// Fall of level from one band to the next, dB. Own choice: tones at all audiometric frequencies are
  /// within 0.6 dB of target at 2:1 and within 0.8 dB at 3:1, and LTASS noise is read 0.1 dB high at most.
  static let slope: Float = 8
  /// Bands over which a level spreads: 16 of them, 128 dB, exceed the range of any sound.
  private static let reach = 16

  /// The result, with room on both sides. - Shape: `reach + stride + reach`.
  private var levels: Buffer
  private var scratch: Buffer

  init(stride: Int) {
    levels = AlignedBuffer(count: stride + 2 * Self.reach) { _ in LevelMemory.floor - 200 }
    scratch = AlignedBuffer(count: stride + 2 * Self.reach) { _ in LevelMemory.floor - 200 }
  }

  /// Spread levels, dB SPL, one per band. Valid while the value lives.
  @inline(__always) @unsafe var pointer: UnsafeMutablePointer<Float> { unsafe levels.pointer + Self.reach }

  /// Spreads the levels of the first `count` bands.
  ///
  /// Distances double from pass to pass, 1, 2, 4, 8, which covers every distance up to 15 without a
  /// dependency from band to band.
  mutating func process(_ input: borrowing Buffer, count: Int) {
    precondition(input.count >= count && levels.count >= count + 2 * Self.reach)
    let a = unsafe levels.pointer + Self.reach
    let b = unsafe scratch.pointer + Self.reach
    for band in 0..<count { unsafe a[band] = input[unchecked: band] }
    unsafe Self.pass(a, b, distance: 1, count)
    unsafe Self.pass(b, a, distance: 2, count)
    unsafe Self.pass(a, b, distance: 4, count)
    unsafe Self.pass(b, a, distance: 8, count)
  }

  @inline(__always) private static func pass(
    _ from: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>, distance: Int, _ count: Int
  ) {
    let fall = slope * Float(distance)
    for band in 0..<count {
      let (below, own, above) = unsafe (from[band - distance], from[band], from[band + distance])
      let neighbour = (below > above ? below : above) - fall
      unsafe to[band] = own > neighbour ? own : neighbour
    }
  }
}
