import AudioIO
import Base
import HearingDSP
import Realtime

extension LiveLoop where Stream: ~Copyable {
  /// Time between two readings for control, s.
  private var readingInterval: Double { 0.05 }
  /// Blocks after which a first sound counts as success, s.
  private var provenAfter: Double { 1 }

  /// Sound, block by block, until it is asked to stop or cannot go on. Allocates nothing and takes no lock.
  mutating func flow(
    through chain: inout LimitedChain, channel: ParameterChannel, until stop: StopSignal
  ) -> Ending {
    var reading = AidReading()
    reading.lastFault = lastFault
    let ending = flow(through: &chain, channel: channel, reading: &reading, until: stop)
    // What happened last would otherwise never be told; nothing sounds any more.
    publish(&reading, chain)
    reading.isSilent = true
    board.reading.store(reading)
    lastFault = reading.lastFault
    return ending
  }

  private mutating func flow(
    through chain: inout LimitedChain, channel: ParameterChannel, reading: inout AidReading,
    until stop: StopSignal
  ) -> Ending {
    let frames = chain.geometry.blockFrames
    let blockTime = Double(frames) / chain.geometry.sampleRate
    let blocksPerReading = max(1, Int(readingInterval / blockTime))
    var block = LiveBlock(frames: frames)
    var count = 0
    var isMuted = true
    var silentBlocks = 0
    board.phase.store(.sounding, ordering: .releasing)

    while true {
      let wantsSilence = board.isMuted.load(ordering: .relaxed) || stop.isRequested
      if wantsSilence != isMuted {
        isMuted = wantsSilence
        if isMuted { chain.close() } else { chain.open() }
      }
      // Faded out, and the last of it has left the device's buffer.
      if stop.isRequested {
        silentBlocks += chain.isSilent ? 1 : 0
        if silentBlocks > drainBlocks(frames) { return .stopped }
      }
      if channel.handover.update() { channel.handover.withCurrent { chain.retarget(to: $0) } }

      let event = stream.wait()
      if event == .block {
        let begin = SystemTime.monotonic
        let outcome = exchange(&block, &chain)
        reading.load.count((SystemTime.monotonic - begin) / blockTime)
        if outcome != .block, let ending = mend(outcome, &chain, &reading, isStopping: stop.isRequested) {
          return ending
        }
      } else if let ending = mend(event, &chain, &reading, isStopping: stop.isRequested) {
        return ending
      }
      if chain.meters.left.brokenOutput + chain.meters.right.brokenOutput > 0 { return .broken }

      count += 1
      if count % blocksPerReading == 0 {
        publish(&reading, chain)
        if Double(count) * blockTime > provenAfter { noteSuccess() }
      }
    }
  }

  /// Blocks that lie in the playback buffer when the last one has been written.
  private func drainBlocks(_ frames: Int) -> Int {
    (stream.playbackFormat?.buffer ?? frames) / frames + 1
  }

  /// Reads, processes and writes one block.
  private mutating func exchange(_ block: inout LiveBlock, _ chain: inout LimitedChain) -> StreamEvent {
    let read = block.read(&stream)
    guard read == .block else { return read }
    block.process(&chain)
    return block.write(&stream)
  }

  /// What an event other than a block means for the sound.
  ///
  /// - Returns: Why sound cannot go on, or nil when it does.
  private func mend(
    _ event: StreamEvent, _ chain: inout LimitedChain, _ reading: inout AidReading, isStopping: Bool
  ) -> Ending? {
    switch event {
    case .block, .interrupted, .stalled:
      // While stopping, a device that no longer moves is not waited for.
      if case .stalled = event, isStopping { return .stopped }
      return nil
    case .restarted(let fault, _):
      reading.lastFault = fault
      // Another one now, perhaps.
      reading.deviceLatency = nil
      chain.restart()
      return nil
    case .lost(let fault):
      reading.lastFault = fault
      return isStopping ? .stopped : .lost(fault)
    }
  }

  /// Hands a reading to control.
  private mutating func publish(_ reading: inout AidReading, _ chain: borrowing LimitedChain) {
    reading.meters = chain.meters
    reading.counters = stream.counters
    reading.drift = stream.drift
    reading.isSilent = chain.isSilent
    if let latency = stream.measureLatency() { reading.deviceLatency = Int32(truncatingIfNeeded: latency) }
    board.reading.store(reading)
  }
}
