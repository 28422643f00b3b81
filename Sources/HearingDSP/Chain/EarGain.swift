import Acoustics
import Realtime

/// One ear's gain and limits: what its band powers turn into.
///
/// - Threads: built on `control`, run on `audio`.
struct EarGain: ~Copyable {
  /// Setting in force.
  private(set) var table: EarTable
  /// Mean square of each band in this hop.
  var bandPower: AlignedBuffer<Float>
  private(set) var memory: LevelMemory
  private(set) var gains: GainComputer
  private(set) var window: GainWindow
  private(set) var limiter: OutputLimiter

  init(_ table: borrowing EarTable, basis: borrowing GainBasis, geometry: ChainGeometry) {
    self.table = EarTable(copying: table)
    bandPower = AlignedBuffer(count: table.stride)
    memory = LevelMemory(bandCount: table.bandCount, stride: table.stride)
    gains = GainComputer(stride: table.stride)
    window = GainWindow(basis: basis)
    limiter = OutputLimiter(geometry: geometry)
  }

  /// Makes another setting the one to move to, from the one in force.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func retarget(_ next: borrowing EarTable) {
    table.copy(from: next)
    gains.depart()
  }

  /// Forgets everything heard so far.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func reset() {
    memory.reset()
    limiter.reset()
  }

  /// Turns this hop's band powers into levels.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func readLevels() {
    memory.read(bandPower, offset: table.inputOffset)
  }

  /// Moves this ear's levels towards the louder of both ears.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func link(_ other: borrowing AlignedBuffer<Float>, share: Float) {
    memory.link(other, share: share, count: table.stride)
  }

  /// Moves levels and band gains by one hop.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func followLevels(peakShare: Float, progress: Float) {
    memory.follow(table, peakShare: peakShare)
    gains.compute(memory, table: table, progress: progress)
  }

  /// Makes a new gain window.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func advanceWindow(_ logarithm: borrowing LogWindow) {
    window.advance(logarithm)
  }

  /// Holds one hop below this ear's limits.
  ///
  /// - Returns: False when a sample was not finite; the hop is then silence.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func limit(_ output: inout MutableSpan<Float>, from start: Int, frames: Int) -> Bool {
    limiter.limit(
      &output, from: start, frames: frames, limitPower: table.limitPower, limitPeak: table.limitPeak)
  }
}
