import Glibc
import Realtime

/// The frames that capture and playback hold are the latency, ``prefill`` in all: found after every start
/// and watched from then on.
extension DuplexStream where Device: ~Copyable {
  /// Brings two devices that were started one after the other to the latency of two started together.
  ///
  /// Whole periods too much are read and thrown away, whole periods too few are filled with silence; less
  /// than half a period stays, because shifting the blocks against the devices' interrupts would cost more.
  mutating func align() -> StreamFault? {
    mustAlign = false
    // Both have moved by a period. Later than the silence of the start lasts is late.
    let begun = clock.now() - Double(period) / Double(request.rate)
    if begun > lastBlockTime + prefillTime { delayStart(to: begun) }
    var periods = 0
    if let fault = measure(&periods) { return fault }
    if periods == 0 { return nil }
    // A late thread may find one pointer moved and the other not yet; half a period later both have.
    clock.pause(0.5 * Double(period) / Double(request.rate))
    var again = 0
    if let fault = measure(&again) { return fault }
    if periods.signum() != again.signum() { return nil }
    return shift(by: periods.magnitude < again.magnitude ? periods : again)
  }

  /// Whole periods that wait in both devices beyond the prefill.
  private mutating func measure(_ periods: inout Int) -> StreamFault? {
    var held: (capture: Int, playback: Int)?
    if let fault = measureHeld(&held) { return fault }
    if let held { periods = wholePeriods(held.capture + held.playback - prefill) }
    return nil
  }

  /// Reads the frames that wait in each device's buffer.
  ///
  /// - Parameter held: Left alone when a device cannot say now.
  /// - Returns: The fault of a device, nil when there is none.
  private mutating func measureHeld(_ held: inout (capture: Int, playback: Int)?) -> StreamFault? {
    guard let playbackFormat else { return nil }
    let readable = capture.available()
    if let fault = serious(readable) { return .device(fault, during: .available, .capture) }
    let writable = playback.available()
    if let fault = serious(writable) { return .device(fault, during: .available, .playback) }
    if readable >= 0, writable >= 0 { held = (readable, playbackFormat.buffer - writable) }
    return nil
  }

  /// Frames as periods, to the nearest.
  private func wholePeriods(_ frames: Int) -> Int {
    let half = period / 2
    return frames >= 0 ? (frames + half) / period : -((half - frames) / period)
  }

  /// Reads periods and throws them away, or writes as many of silence where the number is negative.
  private mutating func shift(by periods: Int) -> StreamFault? {
    if periods < 0 {
      playbackFrames.fill(0)
      return writeSilence(frames: -periods * period)
    }
    guard let captureFormat else { return nil }
    for _ in 0..<periods {
      if let fault = transferIn(frames: period, format: captureFormat) { return fault }
    }
    return nil
  }

  // MARK: - While sound flows

  /// Takes what both devices said they hold, and decides on a correction when a window of blocks agrees on
  /// it.
  ///
  /// In the first sound after opening there is only the prefill to compare with. Linked devices that hold
  /// more are too late. Some drivers take frames out of the buffer ahead of playing them (USB): their
  /// buffers hold less, and their delay is the same. Devices that are not linked were aligned, and keep
  /// what that left. Later sound is compared with the first.
  mutating func watchFill(surplus: Int) {
    guard let window = watch.note(surplus: surplus, period: period) else { return }
    guard let expected = watch.expected else {
      let isWrong = isLinked && (window.isLong || (window.isShort && isShortByDelay()))
      watch.expected = isWrong ? 0 : window.mean
      if isWrong { plan(window.mean) }
      return
    }
    if window.isLong || window.isShort { plan(window.mean - expected) }
  }

  private mutating func plan(_ surplus: Int) {
    if clock.now() - correctionTime > limits.correctionWindow { correctionsInRow = 0 }
    guard correctionsInRow < limits.corrections else { return }
    correction = wholePeriods(surplus)
  }

  /// True when the delay, which includes frames that left the buffer and were not played, is too short as
  /// well.
  private mutating func isShortByDelay() -> Bool {
    var told: (capture: Int, playback: Int)?
    guard measureDelay(&told) == nil, let delay = told else { return false }
    return 2 * (delay.capture + delay.playback - prefill) <= -period
  }

  /// Carries out the correction that was decided on; the last block before it was faded out.
  mutating func correct() -> StreamEvent {
    let periods = correction
    correction = 0
    isFadedOut = false
    correctionsInRow += 1
    correctionTime = clock.now()
    watch.restart()
    if let fault = shift(by: periods) { return restart(fault) }
    let lost = Double(periods.magnitude) * Double(period) / Double(request.rate)
    counters.corrections &+= 1
    counters.restarts &+= 1
    counters.lostTime += lost
    return .restarted(.misaligned(periods: periods), lost: lost)
  }

  /// Configures both devices for one block size and a latency of `periods` blocks.
  ///
  /// A device that cannot grant the period grants a near one. The stream then works in blocks of the
  /// longest granted, and asks once more, because the buffer has to hold that many longer blocks.
  mutating func agree() throws(PCMOpenError) {
    var asked = request
    for _ in 0..<2 {
      // The capture buffer costs no latency; room in it forgives a late thread.
      let captured = try capture.configure(asked, buffer: 2 * asked.periods * asked.period)
      // Two clocks: the fill wanders while the loop learns the drift, and needs room above too.
      let room = asked.periods * asked.period * (hasTwoClocks ? 2 : 1)
      let played = try playback.configure(asked, buffer: room)
      captureFormat = captured
      playbackFormat = played
      period = max(request.period, max(captured.period, played.period))
      prefill = request.periods * period
      if period == asked.period && played.buffer >= prefill { break }
      asked.period = period
    }
    guard let captureFormat, let playbackFormat else { preconditionFailure("both were just set") }
    let needed = prefill + (hasTwoClocks ? 2 * period : 0)
    guard playbackFormat.buffer >= needed else {
      throw .bufferRefused(name: playback.name, asked: needed, granted: playbackFormat.buffer)
    }
    guard captureFormat.buffer >= 2 * period else {
      throw .bufferRefused(name: capture.name, asked: 2 * period, granted: captureFormat.buffer)
    }
    if hasTwoClocks {
      guard let active = RateMatcher(period: period, rate: request.rate) else {
        throw .failed(name: playback.name, call: "src_new", errno: ENOMEM)
      }
      matcher = active
      // A card is known by its number.
      behind = DelayBehind(
        isOfCapture: capture.clockIdentity == nil, isOfPlayback: playback.clockIdentity == nil)
    }
    // A device that refuses is still good: what it plays when it runs empty is its own affair.
    silencesPlayed = playback.silencePlayed() >= 0
    captureFrames = AlignedBuffer(count: period * captureFormat.bytesPerFrame)
    fadedBlock = AlignedBuffer(count: period)
    playbackFrames = AlignedBuffer(count: RateMatcher.room(period) * playbackFormat.bytesPerFrame)
  }

  /// True when the open devices are paced by different oscillators.
  private var hasTwoClocks: Bool {
    switch pairing {
    case .shared: return false
    case .separate: return true
    case .automatic:
      if let first = capture.clockIdentity, let second = playback.clockIdentity { return first != second }
      return capture.name != playback.name
    }
  }

  /// Resamples one block into the playback buffer.
  ///
  /// - Returns: Frames made, or a negative number when the resampler failed.
  mutating func resample(left: Span<Float>, right: Span<Float>, _ format: StreamFormat) -> Int {
    let frames = matcher.process(left: left, right: right)
    if frames <= 0 { return frames }
    unsafe encode(matcher.left.pointer, frames: frames, channel: 0, format)
    unsafe encode(matcher.right.pointer, frames: frames, channel: 1, format)
    return frames
  }

  /// Compares what waits in both devices with what should, and corrects the ratio.
  ///
  /// Both figures are taken at one point of the cycle: a late wake-up lengthens the one by what it shortens
  /// the other. A distance of a whole start-up silence cannot come from drift; then both begin again. While
  /// the part of the delay that lies behind the buffers is not known, or changes, the ratio stays as it is:
  /// 300 ppm are a thirteenth of a period by the time that it is known, after 256 blocks.
  mutating func steer() -> StreamFault? {
    var told: (capture: Int, playback: Int)?
    if let fault = measureDelay(&told) { return fault }
    guard let delay = told else { return nil }
    var error = delay.capture + delay.playback - prefill
    if behind.isSought {
      var held: (capture: Int, playback: Int)?
      if let fault = measureHeld(&held) { return fault }
      guard let buffers = held,
        behind.note(told: delay, held: buffers, prefill: prefill, period: period),
        let beyond = behind.frames
      else { return nil }
      error -= beyond
    }
    if error > prefill || error < -prefill { return .outOfStep }
    matcher.steer(error: error)
    return nil
  }
}

#if RT_LINT
  /// Compiled for the compiler's analysis only: the audio calls of a stream, made concrete, neither
  /// allocate nor lock. What it cannot see into is alsa-lib and the kernel.
  @_noAllocation
  func proveAudioPath(
    _ stream: inout DuplexStream<ALSADevice>, left: inout MutableSpan<Float>,
    right: inout MutableSpan<Float>, output: Span<Float>
  ) -> Bool {
    let waited = stream.wait()
    let read = stream.read(left: &left, right: &right)
    let written = stream.write(left: output, right: output)
    let latency = stream.measureLatency()
    stream.stop()
    return waited == .block && read == .block && written == .block && latency != nil
  }
#endif
