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

  /// Creates a format; times in frames.
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
  /// From the microphone into the program.
  case capture
  /// From the program to the ear.
  case playback
}
