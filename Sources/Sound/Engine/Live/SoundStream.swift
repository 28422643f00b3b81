import Acoustics
public import AudioIO
public import HearingDSP
import Realtime
import Synchronization

/// A source and a sink of sound that go in step, block by block.
///
/// - Threads: opened and closed while there is no sound; the rest on `audio`, where it allocates and locks nothing.
public protocol SoundStream: ~Copyable {
  /// Name of the device that captures.
  var captureName: String { get }
  /// Name of the device that plays.
  var playbackName: String { get }
  /// Frames of a block; known once open.
  var period: Int { get }
  /// What capture granted; nil while closed.
  var captureFormat: StreamFormat? { get }
  /// What playback granted; nil while closed.
  var playbackFormat: StreamFormat? { get }
  /// What has happened since the stream was created.
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
  public var captureName: String { capture.name }
  public var playbackName: String { playback.name }
}

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

/// The way of new settings to the chain that runs now, and what they have to fit.
///
/// - Threads: created where the chain is built; `publish` on control, one at a time; the rest on `audio`.
final class ParameterChannel: Sendable {
  let geometry: ChainGeometry
  let bands: BandLayout
  let handover: Handover<ChainParameters>

  init(geometry: ChainGeometry, bands: BandLayout, initial: ChainParameters) {
    self.geometry = geometry
    self.bands = bands
    handover = Handover(initial)
  }
}

/// What control and the audio thread tell each other.
///
/// While sound flows the audio thread touches only atomics, the seqlock and the hand-over; the locked part it writes
/// before sound begins and after it has ended.
///
/// - Threads: any, as each member says.
final class AidBoard: Sendable {
  /// Where the audio thread is.
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    case idle, opening, sounding, waiting, faulted
  }

  /// What is only written while there is no sound.
  struct Notice: Sendable {
    /// Why the aid waits or is faulted.
    var reason = ""
    var devices: AidDevices?
    var channel: ParameterChannel?
    /// Times the devices were opened.
    var opens = 0
  }

  let phase = Atomic<Phase>(.idle)
  let isMuted = Atomic<Bool>(false)
  let reading = Seqlock(AidReading())
  let notice = Mutex(Notice())

  /// State as control sees it.
  var state: AidState {
    switch phase.load(ordering: .acquiring) {
    case .idle: .stopped
    case .opening: .starting
    case .sounding: isMuted.load(ordering: .relaxed) ? .muted : .running
    case .waiting: .waitingForDevice(reason: notice.withLock { $0.reason })
    case .faulted: .faulted(reason: notice.withLock { $0.reason })
    }
  }

  /// Moves to a phase that has a reason.
  func enter(_ next: Phase, because reason: String = "") {
    notice.withLock { $0.reason = reason }
    phase.store(next, ordering: .releasing)
  }
}
