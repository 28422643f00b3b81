public import AudioIO

/// The devices of a running aid, as granted.
public struct AidDevices: Sendable, Equatable {
  public let capture: StreamFormat
  public let playback: StreamFormat
  /// Frames per block.
  public let period: Int

  public init(capture: StreamFormat, playback: StreamFormat, period: Int) {
    self.capture = capture
    self.playback = playback
    self.period = period
  }
}
