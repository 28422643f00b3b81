/// What has happened to a stream since it was created.
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
