import Glibc
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
    }
    // A device that refuses is still good: what it plays when it runs empty is its own affair.
    silencesPlayed = playback.silencePlayed() >= 0
    captureFrames = AlignedBuffer(count: period * captureFormat.bytesPerFrame)
    fadedBlock = AlignedBuffer(count: period)
    playbackFrames = AlignedBuffer(count: RateMatcher.room(period) * playbackFormat.bytesPerFrame)
  }

  /// Whether the open devices are paced by different oscillators.
  private var hasTwoClocks: Bool {
    switch pairing {
    case .shared: return false
    case .separate: return true
    case .automatic:
      if let first = capture.clockIdentity, let second = playback.clockIdentity {
        return first != second
      }
      return capture.name != playback.name
    }
  }
}
