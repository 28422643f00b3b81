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

  /// - Parameters:
  ///   - rate: Hz, 1 or more.
  ///   - period: Frames, 1 or more.
  ///   - periods: 2 or more.
  ///   - format: nil: whichever the devices have.
  public init(rate: Int = 44_100, period: Int = 64, periods: Int = 3, format: SampleFormat? = nil) {
    precondition(rate >= 1 && period >= 1, "rate and period are positive")
    precondition(periods >= 2, "one period plays while another is made: two are the least")
    (self.rate, self.period, self.periods, self.format) = (rate, period, periods, format)
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
    (self.rate, self.channels, self.format) = (rate, channels, format)
    (self.period, self.buffer) = (period, buffer)
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
