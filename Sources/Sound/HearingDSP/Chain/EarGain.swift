import Acoustics
import Glibc
import Realtime

/// One ear's gain: what its band powers turn into.
///
/// - Threads: built on `control`, run on `audio`.
struct EarGain: ~Copyable {
  /// Setting in force.
  private(set) var table: EarTable
  /// Mean square of each band in this hop.
  var bandPower: AlignedBuffer<Float>
  private(set) var memory: LevelMemory
  /// What the setting before goes on to make of the levels while a change is on its way: other times or another link
  /// would else move the level itself by a jump.
  private(set) var former: LevelMemory
  private var formerTable: EarTable
  /// What noise reduction and its kin take from each band's gain in this hop, dB, not negative.
  var relief: AlignedBuffer<Float>
  private(set) var gains: GainComputer
  private(set) var window: GainWindow

  init(_ table: borrowing EarTable, basis: borrowing GainBasis) {
    self.table = EarTable(copying: table)
    bandPower = AlignedBuffer(count: table.stride)
    memory = LevelMemory(bandCount: table.bandCount, stride: table.stride)
    former = LevelMemory(bandCount: table.bandCount, stride: table.stride)
    formerTable = EarTable(copying: table)
    relief = AlignedBuffer(count: table.stride)
    gains = GainComputer(stride: table.stride)
    window = GainWindow(basis: basis)
  }

  /// Makes another setting the one to move to, from the one in force.
  mutating func retarget(_ next: borrowing EarTable) {
    former.copy(from: memory)
    formerTable.copy(from: table)
    table.copy(from: next)
    gains.depart(to: table, relief: relief)
  }

  /// Forgets everything heard so far.
  mutating func reset() {
    memory.reset()
    former.reset()
    relief.fill(0)
  }

  /// Turns this hop's band powers into levels.
  ///
  /// - Parameter exposureShare: Share of a change that the average of the bands' limits covers per hop.
  mutating func readLevels(exposureShare: Float) {
    memory.read(bandPower, offset: table.inputOffset, exposureShare: exposureShare)
  }

  /// Moves this ear's levels towards the louder of both ears.
  mutating func link(_ other: borrowing AlignedBuffer<Float>, share: Float) {
    memory.link(other, share: share, count: table.stride)
  }

  /// Lets the former setting hear what was read in this hop.
  mutating func readFormerLevels() { former.hear(memory) }

  /// Moves the former setting's levels towards the louder of both ears, as it linked them.
  mutating func linkFormer(_ other: borrowing AlignedBuffer<Float>, share: Float) {
    former.link(other, share: share, count: table.stride)
  }

  /// Moves levels and band gains by one hop.
  mutating func followLevels(progress: Float) {
    memory.follow(table)
    if progress < 1 {
      former.follow(formerTable)
      memory.blend(former, share: progress)
    } else {
      memory.settle()
    }
    gains.compute(memory, table: table, relief: relief, progress: progress)
  }

  /// Makes a new gain window.
  mutating func advanceWindow(_ logarithm: borrowing LogWindow) {
    window.advance(logarithm)
  }
}
