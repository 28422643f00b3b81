public import AudioIO
public import HearingDSP

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

/// One reading of a running aid: plain numbers that cross from the audio thread to control.
public struct AidReading: BitwiseCopyable, Sendable {
  /// Levels, gains, limits; during a procedure those from before it.
  public var meters = ChainMeters()
  /// Restarts, xruns, lost time.
  public var counters = StreamCounters()
  /// Work ÷ period.
  public var load = LoadHistogram()
  /// Frames between the devices' converters, as they say; nil until measured.
  public var deviceLatency: Int32?
  /// The same as believed after many measurements, see ``ToldLatency``.
  public var believedLatency: Int32?
  /// What broke the stream last; nil when nothing has.
  public var lastFault: StreamFault?
  /// Excess of playback's clock rate over capture's, parts per million; nil when one clock paces both.
  public var drift: Double?
  /// Whether the output is silence: muted, or not yet risen.
  public var isSilent = true

  public init() {}
}
