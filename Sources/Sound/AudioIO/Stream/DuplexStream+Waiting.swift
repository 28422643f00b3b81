import Glibc

extension DuplexStream where Device: ~Copyable {
  /// Polls that wake without progress before the thread pauses, so that a device that cries wolf cannot
  /// take the processor from everyone else.
  private var idlePolls: Int { 4 }

  /// Waits until a block can be read and written, and restarts the devices after any fault.
  ///
  /// - Returns: any ``StreamEvent``; `.lost` again and again once the stream is lost or closed.
  /// - Threads: audio.
  /// - Complexity: allocates nothing; sleeps in `poll`, at most ``RestartLimits/stallTimeout``.
  public mutating func wait() -> StreamEvent {
    switch phase {
    case .running: break
    case .idle:
      lastBlockTime = clock.now()
      blocksSinceStart = 0
      if let fault = begin() { return restart(fault) }
    case .closed, .lost: return .lost(finalFault ?? .device(.gone, during: .state, .capture))
    }
    if let fault = pending { return restart(fault) }

    let deadline = clock.now() + limits.stallTimeout
    var polls = 0
    while true {
      var captureReady = false
      var playbackReady = false
      if let fault = look(captureReady: &captureReady, playbackReady: &playbackReady) {
        if let event = answer(fault) { return event }
        continue
      }
      if captureReady && playbackReady {
        if isFadedOut { return correct() }
        if lead == .awaiting {
          if let fault = follow() { return restart(fault) }
          continue
        }
        if !mustAlign {
          stallsInRow = 0
          return .block
        }
        if let fault = align() { return restart(fault) }
        continue
      }
      let remaining = deadline - clock.now()
      if remaining <= 0 { return stall() }
      // Of a capture that is ready nothing wakes, and its buffer fills.
      let timeout = mustAlign && captureReady ? min(remaining, spillTime) : remaining
      if polls > idlePolls { clock.pause(min(0.001, timeout)) }
      polls += 1
      switch pollOnce(capture: !captureReady, playback: !playbackReady, timeout: timeout) {
      case .progress: break
      case .timeout: if timeout == remaining { return stall() }
      case .interrupted: return .interrupted
      case .fault(let fault): if let event = answer(fault) { return event }
      }
    }
  }

  /// Asks both devices how they are and whether a block is there.
  mutating func look(captureReady: inout Bool, playbackReady: inout Bool) -> StreamFault? {
    if let fault = capture.state().fault { return .device(fault, during: .state, .capture) }
    let isAwaiting = lead == .awaiting
    if !isAwaiting, let fault = playback.state().fault { return .device(fault, during: .state, .playback) }
    let readable = capture.available()
    if let fault = serious(readable) { return .device(fault, during: .available, .capture) }
    captureReady = readable >= period
    if isAwaiting {
      playbackReady = true
      return nil
    }
    let writable = playback.available()
    if let fault = serious(writable) { return .device(fault, during: .available, .playback) }
    if mustAlign, let format = playbackFormat {
      // Both have moved by a period: only then do their pointers belong to one moment.
      let moved = writable - (format.buffer - prefill)
      playbackReady = moved >= period
      if captureReady, !playbackReady { return spill(readable, hasMoved: moved > 0, &captureReady) }
    } else {
      // Capture sets the pace where there are two clocks; playback has room to spare.
      playbackReady = matcher.isActive || writable >= period
      if captureReady, playbackReady, !matcher.isActive, correction == 0, let format = playbackFormat {
        watchFill(surplus: readable + (format.buffer - writable) - prefill)
      }
    }
    return nil
  }

  /// The fault of a return value, unless it only means "not now".
  func serious(_ code: Int) -> PCMFault? {
    guard code < 0 else { return nil }
    let fault = PCMFault(code: code)
    return fault == .again || fault == .interrupted ? nil : fault
  }

  /// Result of one poll.
  enum PollOutcome: BitwiseCopyable {
    case progress, timeout, interrupted
    case fault(StreamFault)
  }

  /// One `poll` over the devices that are waited for, and the owner's descriptor.
  mutating func pollOnce(
    capture waitsCapture: Bool, playback waitsPlayback: Bool, timeout: Double
  ) -> PollOutcome {
    let room = Self.pollDescriptorRoom
    let base = unsafe descriptors.pointer
    let captured = waitsCapture ? unsafe capture.fillPollDescriptors(base, capacity: room) : 0
    if captured < 0 { return .fault(.device(PCMFault(code: captured), during: .poll, .capture)) }
    let played = waitsPlayback ? unsafe playback.fillPollDescriptors(base + captured, capacity: room) : 0
    if played < 0 { return .fault(.device(PCMFault(code: played), during: .poll, .playback)) }
    var count = captured + played
    let wakeIndex = count
    if wakeDescriptor >= 0 {
      unsafe base[wakeIndex] = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
      count += 1
    }

    let ready = unsafe clock.poll(base, count: count, timeout: timeout)
    if ready < 0 {
      let fault = PCMFault(code: ready)
      if fault == .interrupted || fault == .again { return .interrupted }
      return .fault(.device(fault, during: .poll, waitsCapture ? .capture : .playback))
    }
    if ready == 0 { return .timeout }
    if wakeIndex < count, unsafe base[wakeIndex].revents != 0 {
      drainWakeDescriptor()
      return .interrupted
    }
    if waitsCapture {
      let events = unsafe capture.pollEvents(base, count: captured)
      if let fault = pollFault(events, state: capture.state()) {
        return .fault(.device(fault, during: .poll, .capture))
      }
    }
    if waitsPlayback {
      let events = unsafe playback.pollEvents(base + captured, count: played)
      if let fault = pollFault(events, state: playback.state()) {
        return .fault(.device(fault, during: .poll, .playback))
      }
    }
    return .progress
  }

  /// Fault reported by a device's poll events. Its state is more precise than `POLLERR`, where it tells
  /// one.
  private func pollFault(_ events: Int, state: PCMState) -> PCMFault? {
    if events < 0 { return serious(events) }
    if events & Int(POLLERR | POLLHUP | POLLNVAL) == 0 { return nil }
    if let fault = state.fault { return fault }
    return events & Int(POLLHUP | POLLNVAL) != 0 ? .gone : .inputOutput
  }

  /// Reads the owner's eventfd empty; it was just seen readable.
  @_semantics("no_performance_analysis")
  private func drainWakeDescriptor() {
    var count: UInt64 = 0
    _ = unsafe Glibc.read(wakeDescriptor, &count, MemoryLayout<UInt64>.size)
  }

  /// Counts a wait without a block; the last of a row restarts the stream, because a device that stopped
  /// without an error looks just like this. Devices that have yet to move have longer, and are not counted.
  mutating func stall() -> StreamEvent {
    if mustAlign {
      let time = clock.now() - lastBlockTime
      return time < limits.startPatience ? .stalled(after: time) : restart(.unmoved)
    }
    counters.stalls += 1
    stallsInRow += 1
    if stallsInRow >= limits.stalls { return restart(.stalled) }
    return .stalled(after: clock.now() - lastBlockTime)
  }
}
