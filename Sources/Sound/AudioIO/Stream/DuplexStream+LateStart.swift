/// Devices that are not linked may move late: a sound server works in cycles, Bluetooth earphones have to wake. Cards do not, and
/// none of this happens to them.
extension DuplexStream where Device: ~Copyable {
  /// Part of playback in a start of devices that are not linked.
  enum Lead: BitwiseCopyable {
    /// It was started together with capture.
    case together
    /// It ran dry before capture had moved, is filled with silence again, and waits for capture's first period.
    case awaiting
    /// It was started with that.
    case followed
  }

  /// Result of a fault that is met while a block is waited for; nil: it is waited on.
  ///
  /// Playback that has nothing but the silence of the start and plays it to its end is in order: capture is late.
  mutating func answer(_ fault: StreamFault) -> StreamEvent? {
    guard mustAlign, lead == .together, case .device(.xrun, _, .playback) = fault else {
      return restart(fault)
    }
    if let failed = hold() { return restart(failed) }
    return nil
  }

  /// Makes playback ready once more, to be started by ``follow()``.
  private mutating func hold() -> StreamFault? {
    lead = .awaiting
    if PCMFault(code: playback.drop()) == .gone { return .device(.gone, during: .drop, .playback) }
    if let fault = failure(playback.prepare()) { return .device(fault, during: .prepare, .playback) }
    playbackFrames.fill(0)
    return writeSilence(frames: prefill)
  }

  /// Starts playback, now that capture moves.
  mutating func follow() -> StreamFault? {
    lead = .followed
    if let fault = failure(playback.start()) { return .device(fault, during: .start, .playback) }
    delayStart(to: clock.now())
    return nil
  }

  /// Throws away in whole periods what capture records before playback moves, from half of its buffer on, which would run over.
  ///
  /// Until something was, less than a period and a half is kept: of a buffer of two periods the first one is
  /// half, and playback that is started with capture moves some microseconds later.
  ///
  /// - Parameters:
  ///   - readable: Frames that capture has, a period or more.
  ///   - hasMoved: True once playback has moved, by less than a period.
  ///   - captureReady: False afterwards where something was thrown away.
  mutating func spill(_ readable: Int, hasMoved: Bool, _ captureReady: inout Bool) -> StreamFault? {
    guard let format = captureFormat else { return nil }
    let isFull = 2 * readable >= max(format.buffer, 3 * period)
    guard isFull || (isPlaybackLate && !hasMoved) else { return nil }
    isPlaybackLate = true
    captureReady = false
    for _ in 0..<readable / period {
      if let fault = transferIn(frames: period, format: format) { return fault }
    }
    return nil
  }

  /// Longest wait for playback alone while capture records, s, so that ``spill(_:hasMoved:_:)`` comes in time.
  var spillTime: Double {
    guard let format = captureFormat else { return limits.stallTimeout }
    return Double(format.buffer) / Double(8 * format.rate)
  }

  /// Counts the start from another time, s: what was silent until then is lost where this start brings sound back.
  mutating func delayStart(to time: Double) {
    guard time > lastBlockTime else { return }
    if bringsBack { counters.lostTime += time - lastBlockTime }
    lastBlockTime = time
  }
}
