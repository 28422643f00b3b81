/// What a stream asks of its devices.
public struct StreamRequest: Sendable, Equatable {
  /// Frames per second, Hz. Asked exactly: a device that cannot is refused, never resampled in secret.
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
