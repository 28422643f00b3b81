import AudioIO
import Base
import HearingDSP
import Realtime

extension AudioLoop where Stream: ~Copyable {
  /// Time of sound after which the devices count as usable, so that the next interruption begins with a short wait
  /// again, s.
  private var provenAfter: Double { 1 }

  /// Sound of one performer, block by block, until it is asked to stop, cannot go on, or another part is
  /// wanted. Rises from silence, and falls to silence where the devices still play. Allocates nothing and
  /// takes no lock.
  ///
  /// - Parameters:
  ///   - performer: Closed.
  ///   - part: Its part.
  ///   - changes: Its settings as control publishes them.
  mutating func flow<P: Performer & ~Copyable>(
    _ performer: inout LimitedPerformer<P>, as part: LoopState.Part, changes: borrowing Handover<P.Setting>,
    _ block: inout SoundBlock, _ tap: inout MeterTap, until stop: StopSignal
  ) -> Ending {
    var isClosed = true
    // Once it leaves it falls silent, and takes up nothing new meanwhile: what is wanted by then may be this
    // part again, with another setting.
    var isLeaving = false
    var silentBlocks = 0
    state.playing.store(part, ordering: .releasing)
    // Told from the first block on: devices that were started may never move.
    var isFlowing = state.phase.load(ordering: .acquiring) == .sounding
    while true {
      isLeaving = isLeaving || state.wanted.load(ordering: .acquiring) != part
      if !isLeaving, changes.update() { changes.withCurrent { performer.retarget(to: $0) } }
      let wantsSilence = isLeaving || stop.isRequested || isSilenced(performer, part)
      if wantsSilence != isClosed {
        isClosed = wantsSilence
        if isClosed { performer.close() } else { performer.open() }
      }
      if stop.isRequested {
        // Faded out, and the last of it has left the device's buffer.
        silentBlocks += performer.isSilent ? 1 : 0
        if silentBlocks > drainBlocks(performer.geometry.blockFrames) { return .stopped }
      } else if isLeaving, performer.isSilent {
        // Nothing that was heard before is heard when its turn comes again.
        performer.restart()
        return .handedOver
      }
      let event = exchange(&block, &performer, &tap)
      if event == .block {
        if !isFlowing {
          state.opening.store(0, ordering: .releasing)
          state.phase.store(.sounding, ordering: .releasing)
        }
        isFlowing = true
      } else if let ending = mend(event, &performer, &tap, isStopping: stop.isRequested) {
        return ending
      }
      if performer.brokenHops > 0 { return .broken }
      if tap.look(at: performer, &stream), tap.time > provenAfter { prove() }
    }
  }

  /// The devices are of use.
  private mutating func prove() {
    backoff.reset()
    state.isProven.store(true, ordering: .releasing)
    state.isBreakingOff.store(false, ordering: .releasing)
  }

  /// True while a performer that stays has to be silent. A procedure plays what it was asked for although
  /// the aid is muted, but not without earphones.
  private func isSilenced<P: Performer & ~Copyable>(
    _ performer: borrowing LimitedPerformer<P>, _ part: LoopState.Part
  ) -> Bool {
    guard !state.isWithheld.load(ordering: .acquiring) else { return true }
    return switch part {
    case .aid: state.isMuted.load(ordering: .relaxed)
    case .procedure: !performer.performer.isPlaying
    case .nobody: true
    }
  }

  /// Blocks that lie in the playback buffer when the last one has been written.
  private func drainBlocks(_ frames: Int) -> Int { (stream.playbackFormat?.buffer ?? frames) / frames + 1 }

  /// Waits for one block, reads, processes and writes it.
  private mutating func exchange<P: Performer & ~Copyable>(
    _ block: inout SoundBlock, _ performer: inout LimitedPerformer<P>, _ tap: inout MeterTap
  ) -> StreamEvent {
    let waited = stream.wait()
    guard waited == .block else { return waited }
    let begin = SystemTime.monotonic
    state.lastBlock.store(begin, ordering: .releasing)
    defer { tap.count(work: SystemTime.monotonic - begin) }
    let read = block.read(&stream)
    guard read == .block else { return read }
    block.process(&performer)
    defer {
      performer.performer.tell()
      tap.spectra.look(at: performer, block)
      tap.microphones.look(block)
    }
    return block.write(&stream)
  }

  /// Handles an event other than a block.
  ///
  /// - Returns: Reason for which the sound ends; nil when it goes on.
  private func mend<P: Performer & ~Copyable>(
    _ event: StreamEvent, _ performer: inout LimitedPerformer<P>, _ tap: inout MeterTap, isStopping: Bool
  ) -> Ending? {
    switch event {
    case .block, .interrupted, .stalled:
      // While stopping, a device that no longer moves is not waited for.
      if case .stalled = event, isStopping { return .stopped }
      return nil
    case .restarted(let fault, _):
      tap.noteRestart(fault)
      performer.restart()
      return nil
    case .lost(let fault):
      tap.note(fault)
      return isStopping ? .stopped : .lost(fault)
    }
  }
}
