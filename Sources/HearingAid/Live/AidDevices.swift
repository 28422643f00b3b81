public import AudioIO

/// The devices of a running aid, as granted.
public struct AidDevices: Sendable, Equatable {
  /// Names as opened.
  public let captureName: String
  public let playbackName: String
  public let capture: StreamFormat
  public let playback: StreamFormat
  /// Frames per block.
  public let period: Int

  public init(
    captureName: String, playbackName: String, capture: StreamFormat, playback: StreamFormat, period: Int
  ) {
    self.captureName = captureName
    self.playbackName = playbackName
    self.capture = capture
    self.playback = playback
    self.period = period
  }
}
