import AudioIO
import HearingDSP
import Realtime

/// Opening of the device, and the chain behind it.
extension StreamingLoop where Device: ~Copyable {
  /// Builds the chain for a setting, or moves the present one to it.
  ///
  /// - Returns: Reason for which there is none.
  mutating func adapt(to wanted: StreamingChain.Setting) -> String? {
    guard let present = setting, present.geometry == wanted.geometry,
      present.parameters.bands == wanted.parameters.bands
    else {
      close(.off)
      let feed = channel.feed
      do throws(ChainError) {
        // Planning transforms takes longer than a real-time thread may compute.
        chain = try OrdinaryWork.make { () throws(ChainError) in try StreamingChain(wanted, feed: feed) }
        setting = wanted
        return nil
      } catch {
        setting = nil
        return "\(error)"
      }
    }
    if present.parameters.number != wanted.parameters.number { chain?.retarget(to: wanted) }
    setting = wanted
    return nil
  }

  /// Opens the device.
  ///
  /// - Returns: Pause before the next attempt, s; nil: it is open.
  mutating func open() -> Double? {
    guard let geometry = setting?.geometry else { return 3600 }
    let blockTime = Double(geometry.blockFrames) / geometry.sampleRate
    let longest = longestPeriod(geometry)
    do throws(PCMOpenError) {
      // As the aid's devices: reading ALSA's configuration may take longer than a real-time thread may compute.
      try OrdinaryWork.make { () throws(PCMOpenError) in
        try capture.open(rate: Int(geometry.sampleRate), jitter: blockTime, longestPeriod: longest)
      }
    } catch {
      return wait("\(error)", backoff.next())
    }
    chain?.reset()
    restarts = 0
    burst = capture.period
    aimFor(geometry)
    drain()
    channel.feed.isFlowing = true
    lastSound = now
    (reading.state, reading.device, reading.format) = (.flowing, capture.name, capture.format)
    channel.reading = reading
    return nil
  }

  /// Longest period that the feed bridges, s: what it holds at most, less what the audio thread needs and a late thread takes. At 96 kHz
  /// that is less than the longest that is taken.
  private mutating func longestPeriod(_ geometry: ChainGeometry) -> Double {
    Double(StreamingFeed.greatestTarget - (chain?.leastTarget ?? 0)) / geometry.sampleRate - Self.margin
  }

  /// Finds how much is to wait: what the audio thread needs, what arrives at once, and what a late thread takes.
  mutating func aimFor(_ geometry: ChainGeometry) {
    let spare = max(capture.period, Int(Self.margin * geometry.sampleRate))
    target = min((chain?.leastTarget ?? 0) + burst + spare, StreamingFeed.greatestTarget)
    reading.delay = Double(target) / geometry.sampleRate
  }

  /// Notes how many frames arrived at once. What waits while sound flows stays: the next beginning waits for more.
  mutating func note(burst got: Int) {
    guard let geometry = setting?.geometry, got > burst else { return }
    burst = max(burst, min(got, Int(Self.longestBurst * geometry.sampleRate)))
    aimFor(geometry)
    if !isDraining { channel.feed.target = target }
  }
}
