public import AudioIO
import HearingDSP
import Realtime

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
  /// Drift of playback's clock against capture's.
  var drift: ClockDrift { get }

  /// Opens both devices.
  ///
  /// - Throws: ``PCMOpenError`` of the device that refused; both are closed then.
  mutating func open() throws(PCMOpenError)
  /// Stops the sound and closes both devices.
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

/// One block on its way: both microphones, both ears.
///
/// - Threads: created while there is no sound, used on `audio`.
struct SoundBlock: ~Copyable {
  var leftInput: AlignedBuffer<Float>
  var rightInput: AlignedBuffer<Float>
  var leftOutput: AlignedBuffer<Float>
  var rightOutput: AlignedBuffer<Float>

  init(frames: Int) {
    leftInput = AlignedBuffer(count: frames)
    rightInput = AlignedBuffer(count: frames)
    leftOutput = AlignedBuffer(count: frames)
    rightOutput = AlignedBuffer(count: frames)
  }

  /// Sends the input through a performer and its safety stage to the output.
  mutating func process<P: Performer & ~Copyable>(_ performer: inout LimitedPerformer<P>) {
    RealtimeScope.enter()
    Self.process(&performer, leftInput, rightInput, &leftOutput, &rightOutput)
    RealtimeScope.exit()
  }

  /// Sends silence through a performer, before sound flows: what the process does only once, such as making
  /// the metadata of a type, is done then, and may allocate.
  mutating func warmUp<P: Performer & ~Copyable>(_ performer: inout LimitedPerformer<P>) {
    Self.process(&performer, leftInput, rightInput, &leftOutput, &rightOutput)
  }

  /// Reads the input from a stream.
  mutating func read<Stream: SoundStream & ~Copyable>(_ stream: inout Stream) -> StreamEvent {
    Self.read(&stream, &leftInput, &rightInput)
  }

  /// Writes the output to a stream.
  func write<Stream: SoundStream & ~Copyable>(_ stream: inout Stream) -> StreamEvent {
    stream.write(left: leftOutput.span, right: rightOutput.span)
  }

  // The spans of two properties cannot be had at once, those of two parameters can.

  private static func process<P: Performer & ~Copyable>(
    _ performer: inout LimitedPerformer<P>, _ leftInput: borrowing AlignedBuffer<Float>,
    _ rightInput: borrowing AlignedBuffer<Float>, _ leftOutput: inout AlignedBuffer<Float>,
    _ rightOutput: inout AlignedBuffer<Float>
  ) {
    var left = leftOutput.mutableSpan
    var right = rightOutput.mutableSpan
    performer.process(left: leftInput.span, right: rightInput.span, intoLeft: &left, intoRight: &right)
  }

  private static func read<Stream: SoundStream & ~Copyable>(
    _ stream: inout Stream, _ leftInput: inout AlignedBuffer<Float>,
    _ rightInput: inout AlignedBuffer<Float>
  ) -> StreamEvent {
    var left = leftInput.mutableSpan
    var right = rightInput.mutableSpan
    return stream.read(left: &left, right: &right)
  }
}
