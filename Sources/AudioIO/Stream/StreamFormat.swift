/// What one device granted, read back after it was configured.
public struct StreamFormat: Sendable, Equatable, Codable {
  /// Frames per second, Hz.
  public var rate: Int
  /// Samples per frame.
  public var channels: Int
  /// How a sample is stored.
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
