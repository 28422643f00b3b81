public import AudioIO

/// A source and a sink of sound that go in step, block by block.
///
/// - Threads: opened and closed while there is no sound; the rest on `audio`, where it allocates and locks
///   nothing.
public protocol SoundStream: ~Copyable {
  /// Name of the device that captures.
  var captureName: String { get }
  /// Name of the device that plays.
  var playbackName: String { get }
  /// Frames of a block; known once open.
  var period: Int { get }
  /// Format that capture granted; nil while closed.
  var captureFormat: StreamFormat? { get }
  /// Format that playback granted; nil while closed.
  var playbackFormat: StreamFormat? { get }
  /// Counters since the stream was created.
  var counters: StreamCounters { get }
  /// Excess of playback's clock rate over capture's, parts per million; nil when one clock paces both.
  var drift: Double? { get }

  mutating func open() throws(PCMOpenError)
  mutating func close()
  mutating func wait() -> StreamEvent
  mutating func read(left: inout MutableSpan<Float>, right: inout MutableSpan<Float>) -> StreamEvent
  mutating func write(left: Span<Float>, right: Span<Float>) -> StreamEvent
  mutating func measureLatency() -> Int?
}

extension DuplexStream: SoundStream where Device: ~Copyable {
  /// Name of the device that captures.
  public var captureName: String { capture.name }
  /// Name of the device that plays.
  public var playbackName: String { playback.name }
}
