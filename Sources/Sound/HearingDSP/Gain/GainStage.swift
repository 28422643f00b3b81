import Acoustics
import Realtime

/// Gain of both ears from their band powers: levels, the link between the ears, gain curves, band limits.
///
/// - Threads: built on `control`, run on `audio`.
struct GainStage: ~Copyable {
  private(set) var ears: Binaural<EarGain>
  /// Level of each band in this hop, dB SPL. - Shape: one per band, padded with floors.
  private(set) var level: Binaural<Buffer>
  /// The same, linked as the setting before linked it.
  private var formerLevel: Binaural<Buffer>
  /// Digital gain of each band, nepers.
  private(set) var nepers: Binaural<Buffer>
  private var link: Float
  private var formerLink: Float
  /// Position between the setting before and the one in force, 0...1.
  private var progress: Float = 1
  private var progressStep: Float
  private let hopTime: Double

  /// - Parameters:
  ///   - link: Share of the level difference between the ears that is taken out, 0...1.
  ///   - transition: Time of the transition to the next setting, s.
  init(_ tables: borrowing Binaural<EarTable>, link: Float, transition: Double, geometry: ChainGeometry) {
    let stride = tables.left.stride
    ears = Binaural(
      left: EarGain(tables.left, geometry: geometry), right: EarGain(tables.right, geometry: geometry))
    level = Binaural { _ in AlignedBuffer(count: stride) }
    formerLevel = Binaural { _ in AlignedBuffer(count: stride) }
    nepers = Binaural { _ in AlignedBuffer(count: stride) }
    self.link = link
    formerLink = link
    hopTime = geometry.hopTime
    progressStep = Float(geometry.hopTime / transition)
  }

  /// Moves to another setting from the gain in force.
  ///
  /// - Parameter relief: Attenuation that is part of the gain in force, dB.
  mutating func retarget(
    to tables: borrowing Binaural<EarTable>, link: Float, transition: Double,
    relief: borrowing Binaural<Buffer>
  ) {
    ears.left.retarget(to: tables.left, nepers: nepers.left, relief: relief.left)
    ears.right.retarget(to: tables.right, nepers: nepers.right, relief: relief.right)
    formerLink = self.link
    self.link = link
    progressStep = Float(hopTime / transition)
    progress = 0
  }

  /// Sets all levels to those that a chain starts with.
  mutating func reset() { ears.forEach { $0.reset() } }

  /// Turns this hop's band powers into levels. Apart from ``processGains(relief:)``, because attenuation by
  /// noise depends on them.
  mutating func processPowers(_ powers: borrowing Binaural<Buffer>) {
    ears.forEach(with: &level, powers) { $0.processPower($2, into: &$1) }
  }

  /// Moves levels and band gains by one hop.
  ///
  /// - Parameter relief: Attenuation of each band by noise reduction, wind relief and expansion, dB ≥ 0.
  mutating func processGains(relief: borrowing Binaural<Buffer>) {
    progress = min(1, progress + progressStep)
    // Eased, so that a change neither begins nor ends with a corner: 3p² − 2p³ is flat at both ends.
    let eased = progress * progress * (3 - 2 * progress)
    if progress < 1 {
      formerLevel.forEach(level) { former, level in
        for band in 0..<level.count { former[band] = level[band] }
      }
      Self.link(&formerLevel, share: formerLink)
    }
    Self.link(&level, share: link)
    ears.left.processGains(
      level.left, former: formerLevel.left, relief: relief.left, progress: eased, into: &nepers.left)
    ears.right.processGains(
      level.right, former: formerLevel.right, relief: relief.right, progress: eased, into: &nepers.right)
  }

  /// Moves both ears' levels towards the louder one's.
  ///
  /// - Parameter share: 0 leaves them, 1 makes both ears follow the louder one.
  private static func link(_ level: inout Binaural<Buffer>, share: Float) {
    guard share > 0 else { return }
    for band in 0..<level.left.count {
      level.left[band] += share * max(level.right[band] - level.left[band], 0)
    }
    for band in 0..<level.left.count {
      level.right[band] += share * max(level.left[band] - level.right[band], 0)
    }
  }
}

/// One ear's levels and gains.
///
/// - Threads: built on `control`, run on `audio`.
struct EarGain: ~Copyable {
  /// Setting in force.
  private(set) var table: EarTable
  private var formerTable: EarTable
  private var memory: LevelMemory
  /// Levels as the setting before goes on to smooth them during a change; otherwise a change of time
  /// constants or link would make the level jump.
  private var former: LevelMemory
  private(set) var computer: GainComputer

  init(_ table: borrowing EarTable, geometry: ChainGeometry) {
    self.table = EarTable(copying: table)
    formerTable = EarTable(copying: table)
    memory = LevelMemory(bandCount: table.bandCount, geometry: geometry)
    former = LevelMemory(bandCount: table.bandCount, geometry: geometry)
    computer = GainComputer(stride: table.stride)
  }

  mutating func retarget(to next: borrowing EarTable, nepers: borrowing Buffer, relief: borrowing Buffer) {
    former.copy(from: memory)
    formerTable.copy(from: table)
    table.copy(from: next)
    computer.retarget(to: table, nepers: nepers, relief: relief)
  }

  mutating func reset() {
    memory.reset()
    former.reset()
  }

  /// Reads the level of each band, and the level that its output limit follows.
  mutating func processPower(_ power: borrowing Buffer, into level: inout Buffer) {
    memory.processPower(power, offset: table.inputOffset, into: &level)
  }

  /// Smooths the linked levels and computes the gain of each band.
  mutating func processGains(
    _ level: borrowing Buffer, former formerLevel: borrowing Buffer, relief: borrowing Buffer,
    progress: Float, into nepers: inout Buffer
  ) {
    memory.processLevel(level, table: table)
    if progress < 1 { former.processLevel(formerLevel, table: formerTable) }
    memory.processTransition(from: former, progress: progress)
    computer.process(memory, table: table, relief: relief, progress: progress, into: &nepers)
  }
}
