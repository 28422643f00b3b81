public import AudioIO
public import HearingDSP

/// One reading of a running aid: plain numbers that cross from the audio thread to control.
public struct AidReading: BitwiseCopyable, Sendable {
  /// Levels, gains, limits.
  public var meters = ChainMeters()
  /// Restarts, xruns, lost time.
  public var counters = StreamCounters()
  /// Work ÷ period.
  public var load = LoadHistogram()
  /// Frames between the devices' converters, as they say; nil until measured.
  public var deviceLatency: Int32?
  /// What broke the stream last; nil when nothing has.
  public var lastFault: StreamFault?
  /// Excess of playback's clock rate over capture's, parts per million; nil when one clock paces both.
  public var drift: Double?
  /// Whether the output is silence: muted, or not yet risen.
  public var isSilent = true

  public init() {}
}
