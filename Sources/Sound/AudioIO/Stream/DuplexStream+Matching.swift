extension DuplexStream where Device: ~Copyable {
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
  /// the other. A distance of a whole start-up silence cannot come from drift; then both begin again.
  mutating func steer() -> StreamFault? {
    let recorded = capture.delay()
    if let fault = serious(recorded.code) { return .device(fault, during: .delay, .capture) }
    let played = playback.delay()
    if let fault = serious(played.code) { return .device(fault, during: .delay, .playback) }
    if recorded.code < 0 || played.code < 0 { return nil }
    let error = recorded.frames + played.frames - prefill
    if error > prefill || error < -prefill { return .outOfStep }
    matcher.steer(error: error)
    return nil
  }
}
