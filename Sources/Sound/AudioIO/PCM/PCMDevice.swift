import Glibc

/// One direction of one sound device, in the terms of ALSA.
///
/// A device is created closed and may be opened and closed any number of times. Calls of the audio thread
/// return a count or `-errno` (``PCMFault/init(code:)``): they do not throw, allocate or log. A stream is
/// generic over the device, so that no call goes through an existential.
public protocol PCMDevice: ~Copyable {
  /// Clock of a stream of such devices.
  associatedtype Clock: StreamClock

  /// The name by which it is opened, such as `hw:CARD=Aid,DEV=0`.
  var name: String { get }
  var direction: StreamDirection { get }
  /// Oscillator that paces the device. Equal values mean one clock; nil means that it is not known.
  var clockIdentity: Int? { get }

  // MARK: Control

  /// Opens the device, without waiting for another program that holds it.
  ///
  /// - Throws: ``PCMOpenError``; the device is then still closed.
  mutating func open() throws(PCMOpenError)
  /// Sets rate, channels, format, period and buffer of an open device, and reads back what was granted.
  ///
  /// - Parameter buffer: Frames the buffer is to hold, at least.
  /// - Throws: ``PCMOpenError`` with what the device offers.
  mutating func configure(_ request: StreamRequest, buffer: Int) throws(PCMOpenError) -> StreamFormat
  /// Lets the buffer of a configured playback device turn to silence behind what is played, so that nothing
  /// is played twice when it runs empty. Returns 0 or `-errno`: not every driver and plugin can.
  mutating func silencePlayed() -> Int
  /// Keeps other programs of this project, of whichever user, from playing on the open device too, until it is closed.
  ///
  /// - Throws: ``PCMOpenError/busy(name:holders:)`` while one of them does.
  mutating func claim() throws(PCMOpenError)
  /// Gives the device back. Does nothing to a closed one.
  mutating func close()

  // MARK: Audio

  /// Makes `self` and `other` start and stop together. Returns 0 or `-errno`.
  mutating func link(with other: borrowing Self) -> Int
  /// Makes a stopped device ready to start, with an empty buffer. Returns 0 or `-errno`.
  mutating func prepare() -> Int
  /// Starts a prepared device. Returns 0 or `-errno`.
  mutating func start() -> Int
  /// Stops at once; what is in the buffer is thrown away. Returns 0 or `-errno`.
  mutating func drop() -> Int
  /// Wakes a suspended device. Returns 0, -EAGAIN while it is still waking, or `-errno`.
  mutating func resume() -> Int
  /// The state now.
  mutating func state() -> PCMState

  /// Fills in descriptors and the events to wait for. Returns their number, or `-errno`.
  mutating func fillPollDescriptors(_ descriptors: UnsafeMutablePointer<pollfd>, capacity: Int) -> Int
  /// Meaning of a poll's results: `POLLIN`, `POLLOUT`, `POLLERR`… for the device as a whole, or `-errno`.
  mutating func pollEvents(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int) -> Int

  /// Reads interleaved frames. Returns how many, or `-errno`.
  mutating func readInterleaved(_ buffer: UnsafeMutableRawPointer, frames: Int) -> Int
  /// Writes interleaved frames. Returns how many, or `-errno`.
  mutating func writeInterleaved(_ buffer: UnsafeRawPointer, frames: Int) -> Int
  /// Frames that can be read or written now, or `-errno`.
  mutating func available() -> Int
  /// Frames between the program and the converter, or `-errno`. It may be negative for other reasons on
  /// broken drivers, hence the pair.
  mutating func delay() -> (frames: Int, code: Int)
  /// All figures at once, or nil when the device does not say.
  mutating func status() -> PCMStatus?
}

/// The calls of ``PCMDevice`` that can fail while a stream lives.
public enum PCMCall: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
  case silence, link, prepare, start, drop, resume, state, poll, read, write, available, delay
}

/// State of a device, as `snd_pcm_state` tells it; the raw value is ALSA's.
public enum PCMState: Int32, Sendable, Hashable, BitwiseCopyable {
  /// Open, nothing set.
  case open = 0
  /// Configured, not ready to start.
  case setup
  /// Ready to start.
  case prepared
  /// Sound moves.
  case running
  /// Stopped by an underrun or an overrun.
  case xrun
  /// Playing what is left before stopping.
  case draining
  /// Paused.
  case paused
  /// Stopped because the machine slept.
  case suspended
  /// Unplugged.
  case disconnected
  /// Something the library does not document: a negative code, which happens when a card is pulled out.
  case invalid

  /// Fault that this state means where a running stream was expected; nil when it is running.
  public var fault: PCMFault? {
    switch self {
    case .running: nil
    case .xrun: .xrun
    case .suspended: .suspended
    case .disconnected: .gone
    // A code that means nothing may mean an unplugged card: the restart's own calls will tell.
    case .invalid, .open, .setup, .prepared, .draining, .paused: .badState
    }
  }
}

/// A device's figures at one moment, all taken together.
public struct PCMStatus: Sendable, Equatable, BitwiseCopyable {
  /// State at that moment.
  public var state: PCMState
  /// When the stream last started or stopped, monotonic clock, s; 0 if it never did.
  public var triggerTime: Double
  /// When the figures were taken, monotonic clock, s.
  public var time: Double
  /// Frames that can be read or written without waiting.
  public var available: Int

  /// Creates a reading; times in s, counts in frames.
  public init(state: PCMState, triggerTime: Double, time: Double, available: Int) {
    (self.state, self.triggerTime, self.time, self.available) = (state, triggerTime, time, available)
  }
}

/// Reason for which a call on a device did not do what it was asked, by ALSA's error codes.
public struct PCMFault: Sendable, Hashable, BitwiseCopyable {
  /// `errno`, positive.
  public let errno: Int32

  /// The fault of an error code.
  ///
  /// - Parameter errno: Positive.
  public init(errno: Int32) { self.errno = errno }

  /// The fault of a negative return value.
  ///
  /// - Parameter code: `-errno`, as ALSA returns it.
  #if RT_LINT
    @_noAllocation
  #endif
  public init(code: Int) { errno = Int32(truncatingIfNeeded: -code) }

  /// The return value that means this fault, `-errno`.
  public var code: Int { -Int(errno) }

  // Computed, because the audio thread must not be the first to make a stored one.

  /// Nothing to read, or no room to write, now (EAGAIN).
  public static var again: PCMFault { PCMFault(errno: EAGAIN) }
  /// The device ran out of sound to play or of room to record (EPIPE): an underrun or an overrun.
  public static var xrun: PCMFault { PCMFault(errno: EPIPE) }
  /// The machine slept while the stream ran (ESTRPIPE).
  public static var suspended: PCMFault { PCMFault(errno: ESTRPIPE) }
  /// The transfer itself failed (EIO).
  public static var inputOutput: PCMFault { PCMFault(errno: EIO) }
  /// The device is no longer there (ENODEV).
  public static var gone: PCMFault { PCMFault(errno: ENODEV) }
  /// The device is in a state that does not allow the call (EBADFD).
  public static var badState: PCMFault { PCMFault(errno: EBADFD) }
  /// The device is in use (EBUSY).
  public static var busy: PCMFault { PCMFault(errno: EBUSY) }
  /// A signal arrived while waiting (EINTR).
  public static var interrupted: PCMFault { PCMFault(errno: EINTR) }
}

extension PCMFault: CustomStringConvertible {
  /// Words for a message, in English.
  public var description: String {
    switch self {
    case .again: "not ready"
    case .xrun: "buffer ran over or empty"
    case .suspended: "suspended"
    case .inputOutput: "input/output error"
    case .gone: "device gone"
    case .badState: "wrong state"
    case .busy: "in use"
    case .interrupted: "interrupted"
    default: "error \(errno)"
    }
  }
}
