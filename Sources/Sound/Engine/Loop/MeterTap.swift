import AudioIO
import HearingDSP
import Realtime

/// The loop's meters: a tap that reads performer and stream after each block and shows control a reading
/// now and then.
///
/// It is the place of any other tap: one of spectra would be called beside it, with the block as it was read
/// and played, and fill an ``SPSCRing`` for control.
///
/// - Threads: `audio`.
struct MeterTap {
  /// Time between two readings for control, s.
  private static let interval = 0.05

  private(set) var reading = AidReading()
  private var told = ToldLatency()
  private let state: LoopState
  private let blockTime: Double
  private let blocksPerReading: Int
  private var blocks = 0

  /// - Parameter blockTime: s.
  init(_ state: LoopState, blockTime: Double) {
    self.state = state
    self.blockTime = blockTime
    blocksPerReading = max(1, Int(Self.interval / blockTime))
  }

  /// Time that sound has flowed, s.
  var time: Double { Double(blocks) * blockTime }

  /// Notes what broke the stream last.
  mutating func note(_ fault: StreamFault?) { reading.lastFault = fault }

  /// Notes a gap in the sound: the devices' delay may be another one now.
  mutating func noteRestart(_ fault: StreamFault) {
    reading.lastFault = fault
    reading.deviceLatency = nil
    reading.believedLatency = nil
    told = ToldLatency()
  }

  /// Counts the work that a block took.
  ///
  /// - Parameter time: s.
  mutating func count(work time: Double) { reading.load.count(time / blockTime) }

  /// Shows a reading, where one is due.
  ///
  /// - Returns: True when one was shown.
  mutating func look<P: Performer & ~Copyable, Stream: SoundStream & ~Copyable>(
    at performer: borrowing LimitedPerformer<P>, _ stream: inout Stream
  ) -> Bool {
    blocks += 1
    guard blocks % blocksPerReading == 0 else { return false }
    show(performer, &stream)
    return true
  }

  /// Shows a reading.
  mutating func show<P: Performer & ~Copyable, Stream: SoundStream & ~Copyable>(
    _ performer: borrowing LimitedPerformer<P>, _ stream: inout Stream
  ) {
    performer.performer.read(into: &reading.meters)
    reading.counters = stream.counters
    reading.drift = stream.drift
    reading.isSilent = performer.isSilent
    if let latency = stream.measureLatency() {
      reading.deviceLatency = Int32(truncatingIfNeeded: latency)
      told.tell(latency)
      reading.believedLatency = told.believed.map { Int32(truncatingIfNeeded: $0) }
    }
    state.reading.store(reading)
  }

  /// Shows that nothing sounds any more.
  mutating func showSilence() {
    reading.isSilent = true
    state.reading.store(reading)
  }
}
