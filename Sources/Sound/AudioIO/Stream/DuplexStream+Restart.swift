extension DuplexStream where Device: ~Copyable {
  /// Prepares both devices, fills playback with silence and starts. Both are stopped before.
  ///
  /// - Returns: The fault, or nil when sound flows.
  mutating func begin() -> StreamFault? {
    if let fault = failure(capture.prepare()) { return .device(fault, during: .prepare, .capture) }
    if let fault = failure(playback.prepare()) { return .device(fault, during: .prepare, .playback) }
    if matcher.isActive, !matcher.prime() { return .outOfStep }
    playbackFrames.fill(0)
    if let fault = writeSilence(frames: prefill) { return fault }
    // Capture first: what it records before playback runs is thrown away by align(), whereas playback left
    // to run alone would eat the silence that is the latency.
    if let fault = failure(capture.start()) { return .device(fault, during: .start, .capture) }
    if !isLinked, let fault = failure(playback.start()) { return .device(fault, during: .start, .playback) }
    mustAlign = !isLinked
    (lead, isPlaybackLate, bringsBack) = (.together, false, silentSince != nil)
    pending = nil
    (correction, isFadedOut, correctionsInRow) = (0, false, 0)
    watch.restart()
    behind.restart()
    lastBlockTime = clock.now()
    blocksSinceStart = 0
    phase = .running
    // The silence at the start is part of it: the first block sounds when that has been played.
    if let since = silentSince { counters.lostTime += max(0, lastBlockTime + prefillTime - since) }
    silentSince = nil
    return nil
  }

  /// Brings the stream back from any error of either device, with its latency as it was.
  ///
  /// Repairing one direction is never enough: the other has stopped with it, or has drifted from it by the
  /// time that was lost. So both are dropped, prepared, filled with silence and started.
  mutating func restart(_ reported: StreamFault) -> StreamEvent {
    let now = clock.now()
    let cause = attributed(reported)
    if silentSince == nil { silentSince = endOfSound(cause, now: now) }
    let lostBefore = counters.lostTime
    count(cause)
    pending = nil
    stallsInRow = 0
    // It was waited for long enough. Opened anew, it may move.
    if cause == .unmoved { return lose(cause) }
    // Before both are aligned nothing is proven, however late they move.
    let isNew = cause != .stalled && !mustAlign && now - unprovenSince > limits.window
    if blocksSinceStart > request.periods || isNew { unproven = 0 }
    if unproven == 0 { unprovenSince = now }
    unproven += 1
    blocksSinceStart = 0
    if unproven > limits.attempts { return lose(cause) }

    var fault = cause
    for attempt in 0..<limits.attempts {
      // Trying again cannot help.
      if case .device(.gone, _, _) = fault { return lose(fault) }
      if attempt > 0 { clock.pause(limits.pause) }
      wakeSuspended()
      // A failure to stop is not the end: prepare() tells whether the device can still be used.
      if PCMFault(code: playback.drop()) == .gone { return lose(.device(.gone, during: .drop, .playback)) }
      if PCMFault(code: capture.drop()) == .gone { return lose(.device(.gone, during: .drop, .capture)) }
      guard let failed = begin() else {
        counters.restarts &+= 1
        return .restarted(cause, lost: counters.lostTime - lostBefore)
      }
      fault = failed
    }
    return lose(fault)
  }

  /// Gives up until the stream is closed and opened again.
  private mutating func lose(_ fault: StreamFault) -> StreamEvent {
    _ = playback.drop()
    _ = capture.drop()
    phase = .lost
    finalFault = fault
    return .lost(fault)
  }

  /// Wakes suspended devices. One that does not wake is left to prepare(), which wakes most.
  private mutating func wakeSuspended() {
    for _ in 0..<limits.resumeAttempts {
      var waking = false
      if capture.state() == .suspended, PCMFault(code: capture.resume()) == .again { waking = true }
      if playback.state() == .suspended, PCMFault(code: playback.resume()) == .again { waking = true }
      if !waking { return }
      clock.pause(limits.resumePause)
    }
  }

  /// The fault with the device that stopped first, where both report an xrun: linked, it stopped the other,
  /// and an empty playback buffer shows that it was playback. Of linked devices the kernel calls both
  /// unplugged: only the one that is gets ENODEV for an answer.
  private mutating func attributed(_ fault: StreamFault) -> StreamFault {
    if case .device(.gone, let call, .capture) = fault, PCMFault(code: capture.available()) != .gone,
      PCMFault(code: playback.available()) == .gone
    {
      return .device(.gone, during: call, .playback)
    }
    // Asking for room makes a plugin look at its pointer; it may not have noticed yet.
    guard case .device(.xrun, let call, .capture) = fault, let format = playbackFormat,
      PCMFault(code: playback.available()) == .xrun
    else { return fault }
    // Not linked, both ran on until they stopped by themselves: playback, with the smaller buffer, first.
    if isLinked, let status = playback.status(), status.available < format.buffer { return fault }
    return .device(.xrun, during: call, .playback)
  }

  /// When the sound stopped: when the buffer that the last block filled had been played, or earlier, where
  /// the device has its own time of an xrun. A driver that did not run meanwhile found the xrun long after
  /// it.
  private mutating func endOfSound(_ cause: StreamFault, now: Double) -> Double {
    // No sound since the start: its silence is counted already.
    if blocksSinceStart == 0 { return lastBlockTime + prefillTime }
    let latest = min(now, lastBlockTime + prefillTime)
    guard case .device(.xrun, _, let direction) = cause else { return latest }
    let status = direction == .capture ? capture.status() : playback.status()
    guard let status, status.state == .xrun else { return latest }
    // The device's own two times: its clock need not be the stream's.
    let stopped = now - (status.time - status.triggerTime)
    return stopped >= lastBlockTime ? min(stopped, latest) : latest
  }

  /// Time in which the silence at the start is played, s.
  var prefillTime: Double { Double(prefill) / Double(playbackFormat?.rate ?? request.rate) }

  private mutating func count(_ cause: StreamFault) {
    switch cause {
    case .device(.xrun, _, .capture): counters.overruns &+= 1
    case .device(.xrun, _, .playback): counters.underruns &+= 1
    case .device(.suspended, _, _): counters.suspensions &+= 1
    default: break
    }
  }

  /// The fault of a call that has nothing to wait for: there even "not now" is a failure.
  func failure(_ code: Int) -> PCMFault? { code < 0 ? PCMFault(code: code) : nil }

  /// Writes silence; the playback buffer's bytes are all zero, which is silence in every format.
  mutating func writeSilence(frames: Int) -> StreamFault? {
    guard let format = playbackFormat else { return .device(.badState, during: .write, .playback) }
    var remaining = frames
    while remaining > 0 {
      let part = min(remaining, period)
      if let fault = transferOut(frames: part, format: format) { return fault }
      remaining -= part
    }
    return nil
  }
}
