import Realtime

extension DuplexStream where Device: ~Copyable {
  /// Configures both devices for one block size and a latency of `periods` blocks.
  ///
  /// A device that cannot grant the period grants a near one. The stream then works in blocks of the longest
  /// granted, and asks once more, because the buffer has to hold that many longer blocks.
  mutating func agree() throws(PCMOpenError) {
    var asked = request
    for _ in 0..<2 {
      // The capture buffer costs no latency; room in it forgives a late thread.
      let captured = try capture.configure(asked, buffer: 2 * asked.periods * asked.period)
      let played = try playback.configure(asked, buffer: playbackRoom(asked))
      captureFormat = captured
      playbackFormat = played
      period = max(request.period, max(captured.period, played.period))
      prefill = request.periods * period
      if period == asked.period && played.buffer >= prefill { break }
      asked.period = period
    }
    guard let captureFormat, let playbackFormat else { preconditionFailure("both were just set") }
    guard playbackFormat.buffer >= prefill else {
      throw .bufferRefused(name: playback.name, asked: prefill, granted: playbackFormat.buffer)
    }
    guard captureFormat.buffer >= 2 * period else {
      throw .bufferRefused(name: capture.name, asked: 2 * period, granted: captureFormat.buffer)
    }
    captureFrames = AlignedBuffer(count: period * captureFormat.bytesPerFrame)
    playbackFrames = AlignedBuffer(count: period * playbackFormat.bytesPerFrame)
  }

  /// Frames the playback buffer has to hold.
  private func playbackRoom(_ asked: StreamRequest) -> Int { asked.periods * asked.period }
}
