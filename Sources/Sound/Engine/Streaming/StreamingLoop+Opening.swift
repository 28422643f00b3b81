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
  /// - Parameter earphones: ALSA name of the device that plays; nil: none does.
  /// - Returns: Pause before the next attempt, s; nil: it is open.
  mutating func open(beside earphones: String?) -> Double? {
    guard let geometry = setting?.geometry else { return 3600 }
    guard !isMicrophone(of: earphones) else {
      return wait("\(capture.name) is \(BluetoothLink.captureRefusal): choose another device", 3600)
    }
    let blockTime = Double(geometry.blockFrames) / geometry.sampleRate
    let longest = Self.longestPeriod(geometry)
    channel.beginCall(on: capture.name)
    defer { channel.endCall() }
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

  /// True of the microphone of the Bluetooth earphones that play, which opening it would turn to telephone quality in both directions:
  /// both names have one address, or neither has any.
  private func isMicrophone(of earphones: String?) -> Bool {
    guard let earphones, let played = BluetoothLink(deviceName: earphones),
      let captured = BluetoothLink(deviceName: capture.name)
    else { return false }
    return played.address == captured.address
  }

  /// Longest period that the feed bridges, s: one delivery alone must not reach the greatest target, so that sound begins with the
  /// second, and one waits when the next is due. A block is room for the converter's ratio. At 96 kHz that is less than the longest that
  /// is taken.
  private static func longestPeriod(_ geometry: ChainGeometry) -> Double {
    // Half a frame less than what is too long, so that no rounding decides.
    (Double(StreamingFeed.greatestTarget - geometry.blockFrames) - 0.5) / geometry.sampleRate
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
