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

/// Devices that an aid opens: those it was told, or the first card that captures and plays.
///
/// - Threads: while there is no sound; it allocates and asks the system.
struct DeviceChoice: Sendable {
  let settings: AidSettings
  /// The machine's devices on cards; replaced in tests.
  var cards: @Sendable () -> [DeviceDescription] = DeviceList.onCards

  /// Names to open now; nil when none was told and no card will do.
  func names() -> (capture: String, playback: String)? {
    if let capture = settings.captureName, let playback = settings.playbackName {
      return (capture, playback)
    }
    guard let first = cards().first(where: { Set($0.directions).count == 2 })?.name else { return nil }
    return (settings.captureName ?? first, settings.playbackName ?? first)
  }

  /// Moves a closed stream to the devices that are there now. What it has counted begins anew on others,
  /// but for the time that has been silent since the former ones were lost.
  ///
  /// - Returns: Reason for which there are none; nil when there are.
  func settle(_ stream: inout DuplexStream<ALSADevice>) -> String? {
    guard let names = names() else { return "this machine has no sound card that captures and plays" }
    if names != (stream.captureName, stream.playbackName) {
      stream = self.stream(
        on: names, wakeDescriptor: stream.wakeDescriptor, silentSince: stream.silentSince)
    }
    return nil
  }

  /// A closed stream, by default on no device yet.
  func stream(
    on names: (capture: String, playback: String) = ("", ""), wakeDescriptor: Int32,
    silentSince: Double? = nil
  ) -> DuplexStream<ALSADevice> {
    DuplexStream(
      capture: ALSADevice(name: names.capture, direction: .capture),
      playback: ALSADevice(name: names.playback, direction: .playback), clock: SystemClock(),
      request: settings.stream, pairing: settings.clock, wakeDescriptor: wakeDescriptor,
      silentSince: silentSince)
  }
}
