import HearingDSP
import Realtime
import Synchronization

/// Sound and numbers on their way from the loop to a spectrum.
///
/// - Threads: created on control; one thread writes, one other reads.
final class SpectrumChannel: Sendable {
  /// Sound there is room for, frames: 0.17 s at 96 kHz, four times the interval.
  private static let room = 16_384

  /// True while somebody watches; otherwise the loop hands nothing on.
  let isWatched = Atomic(false)
  /// Left input, right input, left output, right output.
  let sound = SPSCRing<SIMD4<Float>>(capacity: room)
  /// Numbers of a hop; ``ChainFrame/position`` is how much sound there was until its end.
  let frames = SPSCRing<ChainFrame>(capacity: 8)
}

/// The tap of spectra: hands each block's sound on as it was read and played, and 25 times a second the
/// numbers of the hop that ended with it.
///
/// Nothing is calculated here. While nobody watches it costs one load a block.
///
/// - Threads: `audio`.
struct SpectrumTap {
  private let channel: SpectrumChannel
  private let blockTime: Double
  /// Sound since the frame before was due, s. Its rest counts for the next one, so that frames come 25 times a second on
  /// average where an interval is no whole number of blocks.
  private var elapsed = 0.0
  private var isBroken = true
  private var load: Float = 0
  /// Sound for which there was no room.
  private var (lost, lostAt) = (0, 0)

  /// - Parameter blockTime: s.
  init(_ channel: SpectrumChannel, blockTime: Double) {
    self.channel = channel
    self.blockTime = blockTime
  }

  /// Notes the work that a block took.
  ///
  /// - Parameter load: Share of the period.
  mutating func note(load share: Double) { load = max(load, Float(share)) }

  /// Hands a block on, where somebody watches.
  ///
  /// Never inlined, so that its instructions can be counted: Benchmarks/Watching.
  @inline(never) mutating func look<P: Performer & ~Copyable>(
    at performer: borrowing LimitedPerformer<P>, _ block: borrowing SoundBlock
  ) {
    guard channel.isWatched.load(ordering: .relaxed) else {
      (isBroken, load, elapsed, lost) = (true, 0, 0, 0)
      return
    }
    let count = block.leftInput.count
    let isTaken = channel.sound.push(count) { n in
      SIMD4(block.leftInput[n], block.rightInput[n], block.leftOutput[n], block.rightOutput[n])
    }
    elapsed += blockTime
    guard isTaken else {
      if lost == 0 { lostAt = channel.sound.pushed }
      lost += count
      isBroken = true
      return
    }
    // A millionth of an interval forgives rounding.
    guard elapsed >= SpectrumWatch.interval * (1 - 1e-6) else { return }
    var frame = ChainFrame()
    performer.performer.read(into: &frame)
    (frame.position, frame.isBroken, frame.load) = (channel.sound.pushed, isBroken, load)
    (frame.lost, frame.lostAt) = (lost, lostAt)
    guard channel.frames.push(frame) else { return }
    // Of a block longer than the interval each has a frame.
    elapsed = min(elapsed - SpectrumWatch.interval, SpectrumWatch.interval)
    (isBroken, load, lost) = (false, 0, 0)
  }
}
