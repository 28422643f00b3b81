import Glibc

extension DuplexStream where Device: ~Copyable {
  /// Reads one block. A device with one channel feeds both ears; of one with more, the first two are heard.
  ///
  /// - Shape: ``period`` samples each.
  /// - Returns: ``StreamEvent/block``; anything else leaves both silent, and there is nothing to write.
  /// - Threads: audio, after ``wait()`` returned `.block`.
  /// - Complexity: allocates nothing.
  public mutating func read(left: inout MutableSpan<Float>, right: inout MutableSpan<Float>) -> StreamEvent
  {
    precondition(left.count == period && right.count == period, "a block has the stream's period")
    guard phase == .running, let format = captureFormat else { return silence(&left, &right, lostEvent) }
    if let fault = pending { return silence(&left, &right, restart(fault)) }
    if let fault = transferIn(frames: period, format: format) {
      return silence(&left, &right, restart(fault))
    }
    decode(channel: 0, into: &left, format)
    decode(channel: format.channels > 1 ? 1 : 0, into: &right, format)
    return .block
  }

  /// Writes one block. Channels after the second are silent.
  ///
  /// - Shape: ``period`` samples each, full scale ±1; beyond it they are held and counted, and what is not
  ///   a number is silence.
  /// - Returns: ``StreamEvent/block``, or what came of the failure; the block is then lost.
  /// - Threads: audio, once after each ``read(left:right:)``.
  /// - Complexity: allocates nothing.
  public mutating func write(left: Span<Float>, right: Span<Float>) -> StreamEvent {
    let leftCount = left.count
    let rightCount = right.count
    precondition(leftCount == period && rightCount == period, "a block has the stream's period")
    guard phase == .running, let format = playbackFormat else { return lostEvent }
    if let fault = pending { return restart(fault) }
    var frames = period
    if correction != 0 {
      // Before the correction shifts what follows.
      fadeOut(left, channel: 0, format)
      fadeOut(right, channel: 1, format)
      isFadedOut = true
    } else if !matcher.isActive {
      unsafe left.withUnsafeBufferPointer {
        guard let input = $0.baseAddress else { return }
        unsafe encode(input, frames: frames, channel: 0, format)
      }
      unsafe right.withUnsafeBufferPointer {
        guard let input = $0.baseAddress else { return }
        unsafe encode(input, frames: frames, channel: 1, format)
      }
    } else {
      frames = resample(left: left, right: right, format)
      if frames < 0 { return restart(.outOfStep) }
    }
    if let fault = transferOut(frames: frames, format: format) { return restart(fault) }
    if matcher.isActive, let fault = steer() { return restart(fault) }
    counters.blocks &+= 1
    blocksSinceStart &+= 1
    lastBlockTime = clock.now()
    return .block
  }

  /// Frames between microphone and ear, by the devices' own account: what capture has not yet handed over
  /// and playback has not yet played. Ask after ``write(left:right:)``, when as much was written as read.
  ///
  /// - Returns: Frames, or nil when a device cannot say now. A device with a fault is restarted by the next
  ///   ``wait()``.
  /// - Threads: audio.
  public mutating func measureLatency() -> Int? {
    guard phase == .running else { return nil }
    var told: (capture: Int, playback: Int)?
    if let fault = measureDelay(&told) { pending = fault }
    guard let delay = told else { return nil }
    return delay.capture + delay.playback + matcher.delay
  }

  /// Reads the frames that capture has not yet handed over and those that playback has not yet played.
  ///
  /// - Parameter told: Both; left alone when a device cannot say now.
  /// - Returns: The fault of a device, nil when there is none.
  mutating func measureDelay(_ told: inout (capture: Int, playback: Int)?) -> StreamFault? {
    let recorded = capture.delay()
    if let fault = serious(recorded.code) { return .device(fault, during: .delay, .capture) }
    let played = playback.delay()
    if let fault = serious(played.code) { return .device(fault, during: .delay, .playback) }
    if recorded.code >= 0, played.code >= 0 { told = (recorded.frames, played.frames) }
    return nil
  }

  /// Puts one ear's block into the playback buffer, ending in silence.
  private mutating func fadeOut(_ input: Span<Float>, channel: Int, _ format: StreamFormat) {
    let step = 1 / Float(period)
    for n in 0..<period { fadedBlock[n] = input[n] * Float(period &- 1 &- n) * step }
    unsafe encode(fadedBlock.pointer, frames: period, channel: channel, format)
  }

  /// Takes one channel out of the capture buffer.
  private func decode(channel: Int, into output: inout MutableSpan<Float>, _ format: StreamFormat) {
    let (raw, frames) = (unsafe UnsafeRawPointer(captureFrames.pointer), period)
    unsafe output.withUnsafeMutableBufferPointer {
      guard let output = $0.baseAddress else { return }
      unsafe format.format.decode(
        raw, channels: format.channels, channel: channel, frames: frames, into: output)
    }
  }

  /// Puts one channel into the playback buffer and counts what did not fit.
  mutating func encode(_ input: UnsafePointer<Float>, frames: Int, channel: Int, _ format: StreamFormat) {
    let raw = unsafe UnsafeMutableRawPointer(playbackFrames.pointer)
    let clipped = unsafe format.format.encode(
      input, frames: frames, into: raw, channels: format.channels, channel: channel)
    counters.clippedSamples &+= clipped
    if channel == 1 { counters.clippedRightSamples &+= clipped }
  }

  /// Reads exactly `frames` frames into the capture buffer, in as many calls as it takes.
  mutating func transferIn(frames: Int, format: StreamFormat) -> StreamFault? {
    transfer(frames, .capture, during: .read) { stream, done in
      let base = unsafe UnsafeMutableRawPointer(stream.captureFrames.pointer)
      return unsafe stream.capture.readInterleaved(
        base + done * format.bytesPerFrame, frames: frames - done)
    }
  }

  /// Writes exactly `frames` frames of the playback buffer, in as many calls as it takes.
  mutating func transferOut(frames: Int, format: StreamFormat) -> StreamFault? {
    transfer(frames, .playback, during: .write) { stream, done in
      let base = unsafe UnsafeRawPointer(stream.playbackFrames.pointer)
      return unsafe stream.playback.writeInterleaved(
        base + done * format.bytesPerFrame, frames: frames - done)
    }
  }

  /// Moves frames until all have passed.
  ///
  /// - Parameter move: Given the stream and the frames that have passed; returns how many more, or `-errno`.
  @inline(__always) private mutating func transfer(
    _ frames: Int, _ direction: StreamDirection, during call: PCMCall, _ move: (inout Self, Int) -> Int
  ) -> StreamFault? {
    var done = 0
    var deadline: Double?
    while done < frames {
      let moved = move(&self, done)
      if let fault = serious(moved) { return .device(fault, during: call, direction) }
      if moved > 0 { done += moved }
      if done >= frames { break }
      counters.shortTransfers &+= 1
      if moved > 0 { continue }
      if let fault = patience(&deadline, direction) { return fault }
    }
    return nil
  }

  /// Waits for one device in the middle of a transfer, as long as the stall time allows.
  private mutating func patience(_ deadline: inout Double?, _ direction: StreamDirection) -> StreamFault? {
    let now = clock.now()
    let end = deadline ?? now + limits.stallTimeout
    // A poll that returns at once without anything having moved must not spin until the deadline.
    if deadline != nil { clock.pause(0.001) }
    deadline = end
    if now >= end { return .stalled }
    switch pollOnce(capture: direction == .capture, playback: direction == .playback, timeout: end - now) {
    case .progress, .interrupted: return nil
    case .timeout: return .stalled
    case .fault(let fault): return fault
    }
  }

  /// Result of a transfer on a stream that does not run.
  private var lostEvent: StreamEvent { .lost(finalFault ?? .device(.badState, during: .state, .capture)) }

  /// Fills both channels with silence, so that a caller who overlooks the event plays nothing stale.
  private func silence(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, _ event: StreamEvent
  ) -> StreamEvent {
    for n in 0..<period {
      left[n] = 0
      right[n] = 0
    }
    return event
  }
}
