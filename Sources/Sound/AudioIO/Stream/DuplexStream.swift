import Glibc
import Realtime

/// Sound in and sound out, block by block, with a latency that is the same after every mishap.
///
/// Two devices with two clocks drift apart. Playback is then resampled to follow capture, which adds half
/// the resampler's filter to the latency and holds that too (``drift``, ``ClockPairing``).
///
/// The loop is: fill the playback buffer with ``prefill`` frames of silence, start both devices, and from
/// then on write as much as was read. The frames between microphone and ear are then always ``prefill``,
/// whatever the program does in between; that the devices hold so many is watched (``FillWatch``). Every
/// error of either device ends in one routine that stops both and begins again from silence; nothing that
/// was in a buffer before is ever played after. Devices that are not linked may move late: then playback begins
/// with capture's first period, or what capture records before playback moves is thrown away.
///
/// ```swift
/// try stream.open()
/// while running {
///   switch stream.wait() {
///   case .block:
///     guard stream.read(left: &left, right: &right) == .block else { muteThenRamp(); continue }
///     …
///     if stream.write(left: left, right: right) != .block { muteThenRamp() }
///   case .restarted: muteThenRamp()
///   case .stalled, .interrupted: break
///   case .lost: stream.close()  // wait for Backoff, open again
///   }
/// }
/// ```
///
/// - Threads: created, opened and closed on control; ``wait()``, ``read(left:right:)``,
///   ``write(left:right:)``, ``measureLatency()`` and ``stop()`` on audio. One owner at a time.
/// - Complexity: the audio calls allocate nothing and take no lock (``ALSALibrary``).
public struct DuplexStream<Device: PCMDevice & ~Copyable>: ~Copyable {
  /// Room for one device's poll descriptors; ALSA's plugins use one or two.
  static var pollDescriptorRoom: Int { 8 }

  /// Phase of a stream's life.
  enum Phase: BitwiseCopyable { case closed, idle, running, lost }

  /// Device that records.
  public internal(set) var capture: Device
  /// Device that plays.
  public internal(set) var playback: Device
  var clock: Device.Clock

  /// Request made to the devices. Takes effect at the next ``open()``.
  public var request: StreamRequest
  /// Limits of attempts to restart.
  public var limits = RestartLimits()
  /// Relation of the devices' clocks.
  public let pairing: ClockPairing

  /// Format granted by capture; nil while closed.
  public internal(set) var captureFormat: StreamFormat?
  /// Format granted by playback; nil while closed.
  public internal(set) var playbackFormat: StreamFormat?
  /// Frames of a block; 0 before the first ``open()``.
  public internal(set) var period = 0
  /// Frames of silence that playback starts with: the latency of the loop.
  public internal(set) var prefill = 0
  /// True when the kernel starts and stops the devices together.
  public internal(set) var isLinked = false
  /// True when the playback buffer turns to silence behind what is played; where a driver or plugin
  /// refuses, it may play some milliseconds twice when it runs empty.
  public internal(set) var silencesPlayed = false
  /// Counts of all events since the stream was created.
  public internal(set) var counters = StreamCounters()

  var phase = Phase.closed
  /// A fault met where no restart was possible; the next wait restarts.
  var pending: StreamFault?
  /// The fault that ended the stream.
  var finalFault: StreamFault?
  /// Restarts in a row that were not yet followed by a buffer of sound.
  var unproven = 0
  /// When the first of them began, s.
  var unprovenSince = 0.0
  /// Blocks written since the last start.
  var blocksSinceStart = 0
  /// When the last block was written, or the stream last started, s.
  var lastBlockTime = 0.0
  /// When the sound was lost that has not come back yet, s; nil while there is some, and where none was. A
  /// stream on other devices takes it over.
  public internal(set) var silentSince: Double?
  /// Waits in a row that ended without a block.
  var stallsInRow = 0
  /// The devices were started one after the other, and their distance is not yet known.
  var mustAlign = false
  /// Part of playback in such a start.
  var lead = Lead.together
  /// Playback moves so late that capture's frames are thrown away meanwhile.
  var isPlaybackLate = false
  /// The start brings back sound that was lost.
  var bringsBack = false

  /// Frames that both devices hold together, while one clock paces them.
  var watch = FillWatch()
  /// Periods to take out of the devices, or to put in where negative, once the sound is faded out; 0 for
  /// none.
  var correction = 0
  /// The last block was faded out for a correction.
  var isFadedOut = false
  /// Corrections in a row, and when the last of them was, s.
  var correctionsInRow = 0
  var correctionTime = 0.0

  /// Resamples playback when the devices have two clocks; inactive when they have one.
  var matcher = RateMatcher()
  /// Part of both devices' delay that is not in their buffers, where they have two clocks.
  var behind = DelayBehind()

  var captureFrames = AlignedBuffer<UInt8>(count: 0)
  var playbackFrames = AlignedBuffer<UInt8>(count: 0)
  /// One ear's last block before a correction.
  var fadedBlock = AlignedBuffer<Float>(count: 0)
  var descriptors: AlignedBuffer<pollfd>
  /// Descriptor that ends a wait when readable, an eventfd; negative for none.
  public let wakeDescriptor: Int32

  /// Creates a stream; both devices are still closed.
  ///
  /// - Parameters:
  ///   - capture: Device sound comes from.
  ///   - playback: Device sound goes to.
  ///   - pairing: Relation of their clocks.
  ///   - wakeDescriptor: An eventfd whose signal ends a wait with ``StreamEvent/interrupted``; it is read
  ///     empty. Negative for none.
  ///   - silentSince: When another stream lost the sound that this one is to bring back, s.
  public init(
    capture: consuming Device, playback: consuming Device, clock: Device.Clock,
    request: StreamRequest = StreamRequest(), pairing: ClockPairing = .automatic,
    wakeDescriptor: Int32 = -1, silentSince: Double? = nil
  ) {
    precondition(capture.direction == .capture && playback.direction == .playback)
    self.capture = capture
    self.playback = playback
    self.clock = clock
    (self.request, self.pairing) = (request, pairing)
    (self.wakeDescriptor, self.silentSince) = (wakeDescriptor, silentSince)
    descriptors = AlignedBuffer(count: 2 * Self.pollDescriptorRoom + 1)
  }

  /// Drift of playback's clock against capture's.
  public var drift: ClockDrift { matcher.drift }

  /// Opens both devices and agrees on a format; sound starts at the first ``wait()``.
  ///
  /// - Throws: ``PCMOpenError`` of the device that refused; both are closed then.
  /// - Threads: control, or audio while there is no sound: it allocates.
  public mutating func open() throws(PCMOpenError) {
    close()
    do {
      try capture.open()
      try playback.open()
      try playback.claim()
      try agree()
    } catch {
      close()
      throw error
    }
    // A driver that cannot link says so; the streams are then started one by one.
    isLinked = capture.link(with: playback) == 0
    phase = .idle
  }

  /// Stops the sound and closes both devices.
  public mutating func close() {
    if phase == .running { stop() }
    capture.close()
    playback.close()
    (captureFormat, playbackFormat) = (nil, nil)
    matcher = RateMatcher()
    (isLinked, silencesPlayed) = (false, false)
    (watch, behind) = (FillWatch(), DelayBehind())
    phase = .closed
    (pending, finalFault) = (nil, nil)
    (unproven, stallsInRow) = (0, 0)
  }

  /// Stops the sound at once. The next ``wait()`` starts it anew, from silence.
  public mutating func stop() {
    guard phase == .running || phase == .idle else { return }
    _ = playback.drop()
    _ = capture.drop()
    phase = .idle
    pending = nil
    silentSince = nil
  }
}
