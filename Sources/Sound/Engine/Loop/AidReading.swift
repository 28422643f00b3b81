public import AudioIO
public import HearingDSP

/// The devices of a running aid, as granted.
public struct AidDevices: Sendable, Equatable {
  /// ALSA name of the device that captures, as opened.
  public let captureName: String
  /// ALSA name of the device that plays, as opened.
  public let playbackName: String
  /// Format that capture granted.
  public let capture: StreamFormat
  /// Format that playback granted.
  public let playback: StreamFormat
  /// Frames per block.
  public let period: Int

  /// - Parameters: As the properties.
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
  /// Last fault of the stream; nil when there was none.
  public var lastFault: StreamFault?
  /// Excess of playback's clock rate over capture's, parts per million; nil when one clock paces both.
  public var drift: Double?
  /// True while the output is silence: muted, or not yet risen.
  public var isSilent = true

  /// Nothing measured yet.
  public init() {}
}
