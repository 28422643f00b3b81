/// Rate, period and format that a stream asks of its devices.
public struct StreamRequest: Sendable, Equatable {
  /// Frames per second, Hz. Asked exactly: a device that cannot is refused, never silently resampled.
  public var rate: Int
  /// Frames processed at a time. A device may grant another; the stream then uses the larger.
  public var period: Int
  /// Periods of silence that fill the playback buffer at every start, 2 or more. The loop's latency is
  /// `periods · period` frames.
  public var periods: Int
  /// Sample format of both devices; nil tries ``SampleFormat/preferred`` in order.
  public var format: SampleFormat?
  /// Channels captured; nil takes 2, or 1 heard in both ears, or as few as the device allows.
  public var captureChannels: Int?
  /// Channels played; nil takes 2, or as few more as the device allows.
  public var playbackChannels: Int?

  /// - Parameters:
  ///   - rate: Hz, 1 or more.
  ///   - period: Frames, 1 or more.
  ///   - periods: 2 or more.
  public init(
    rate: Int = 44_100, period: Int = 64, periods: Int = 3, format: SampleFormat? = nil,
    captureChannels: Int? = nil, playbackChannels: Int? = nil
  ) {
    precondition(rate >= 1 && period >= 1, "rate and period are positive")
    precondition(periods >= 2, "one period plays while another is made: two are the least")
    self.rate = rate
    self.period = period
    self.periods = periods
    self.format = format
    self.captureChannels = captureChannels
    self.playbackChannels = playbackChannels
  }
}

/// Format granted by one device, read back after it was configured.
public struct StreamFormat: Sendable, Equatable, Codable {
  /// Frames per second, Hz.
  public var rate: Int
  /// Samples per frame.
  public var channels: Int
  /// Format of a sample.
  public var format: SampleFormat
  /// Frames between two of the device's interrupts.
  public var period: Int
  /// Frames the device's buffer holds.
  public var buffer: Int

  public init(rate: Int, channels: Int, format: SampleFormat, period: Int, buffer: Int) {
    self.rate = rate
    self.channels = channels
    self.format = format
    self.period = period
    self.buffer = buffer
  }

  /// Bytes of one frame.
  public var bytesPerFrame: Int { channels * format.bytesPerSample }
}

/// The way sound moves through a device.
public enum StreamDirection: String, Sendable, Hashable, Codable, CaseIterable, BitwiseCopyable {
  /// From the world into the program.
  case capture
  /// From the program to the ear.
  case playback
}

/// Result of a stream's step. A plain value: the audio thread counts it and passes it on.
public enum StreamEvent: Sendable, Hashable, BitwiseCopyable {
  /// The step is done: a block can be read, was read, or was written.
  case block
  /// The stream broke and runs again with its latency as before; the block is lost. Silence has been
  /// playing; mute and ramp up. `lost` is the time without sound, s.
  case restarted(StreamFault, lost: Double)
  /// No block within the time allowed; `after` is how long it has been, s. Nothing was done yet: wait on.
  case stalled(after: Double)
  /// The stream cannot be brought back: close it, and open it again later (``Backoff``).
  case lost(StreamFault)
  /// A signal, or the owner's descriptor, ended the wait. Nothing is wrong: look, and wait on.
  case interrupted
}

/// Cause of a stream's interruption.
public enum StreamFault: Sendable, Hashable, BitwiseCopyable {
  /// A call on one of the devices failed.
  case device(PCMFault, during: PCMCall, StreamDirection)
  /// The devices are well by their own account, but no sound moves.
  case stalled
  /// Two clocks have run too far apart to be brought together by resampling, or the resampler failed.
  case outOfStep
  /// The devices hold so many periods more than the latency, or fewer where negative.
  case misaligned(periods: Int)
}

extension StreamFault: CustomStringConvertible {
  /// Words for a message, in English.
  public var description: String {
    switch self {
    case .device(.xrun, _, .capture): "overrun"
    case .device(.xrun, _, .playback): "underrun"
    case .device(let fault, let call, let direction): "\(direction.rawValue) \(call.rawValue): \(fault)"
    case .stalled: "no sound moves"
    case .outOfStep: "clocks too far apart"
    case .misaligned(let periods):
      "delay \(periods.magnitude) \(periods.magnitude == 1 ? "period" : "periods") too \(periods > 0 ? "long" : "short")"
    }
  }
}

/// Counts of a stream's events since it was created.
public struct StreamCounters: Sendable, Equatable, BitwiseCopyable {
  /// Blocks written.
  public var blocks = 0
  /// Overruns of the capture device.
  public var overruns = 0
  /// Underruns of the playback device.
  public var underruns = 0
  /// Times the machine slept under the stream.
  public var suspensions = 0
  /// Waits that ended without a block.
  public var stalls = 0
  /// Restarts, for whatever cause.
  public var restarts = 0
  /// Restarts that only shifted the devices against each other, to the latency as it should be.
  public var corrections = 0
  /// Transfers that moved fewer frames than asked.
  public var shortTransfers = 0
  /// Output samples held at full scale, or not a number.
  public var clippedSamples = 0
  /// Those of ``clippedSamples`` that were the right ear's.
  public var clippedRightSamples = 0
  /// Time without sound because of restarts and lost devices, s: from the last sample that can have been played to the first
  /// new one. What has not come back is not yet in it.
  public var lostTime = 0.0

  public init() {}
}
