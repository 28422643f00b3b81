public import AudioIO
public import Base
import Glibc
import HearingDSP
public import Realtime
import Synchronization

/// A hearing aid that runs: starts and stops the audio thread, and reports its state.
///
/// - Threads: every member on control; calls may come from several threads.
public final class HearingAid: Sendable {
  /// Body of the audio thread: runs until the signal asks it to stop; the function gives the settings in force.
  typealias Work = @Sendable (LoopState, StopSignal, @escaping @Sendable () -> AidSettings) -> Void

  /// Body of the stream's thread.
  typealias StreamingWork = @Sendable (StreamingChannel, StopSignal) -> Void

  let loop = LoopState()
  private let settings: Mutex<AidSettings>
  let activity = Mutex(Activity())
  /// Longest waits of a procedure.
  let patience: TakePlayer.Patience
  private let work: Work
  private let streamingWork: StreamingWork
  /// Thread of streamed sound, made when that is turned on for the first time and kept.
  private let streamingThread = Mutex<RealtimeThread?>(nil)
  private let watch: SpectrumWatch

  /// End of an audio thread's work, after which its number may soon be another thread's.
  final class WorkEnd: Sendable {
    /// The thread takes the lock before it ends, and whoever asks the kernel by its number holds it meanwhile.
    let hasCome = Mutex(false)
  }

  /// The audio thread, and its purpose.
  struct Activity {
    var thread: RealtimeThread?
    /// Of that thread.
    var end = WorkEnd()
    /// True when the aid itself sounds while there is no procedure.
    var isStarted = false
    var isInProcedure = false
    /// Performer while there is no procedure.
    var rest: LoopState.Part { isStarted ? .aid : .nobody }
  }

  /// An aid on this machine's sound devices, not started.
  public convenience init(settings: AidSettings) {
    self.init(settings: settings) { state, stop, wishes in
      let choice = DeviceChoice(settings: wishes())
      let stream = choice.stream(wakeDescriptor: stop.descriptor)
      var loop = AudioLoop(
        stream: stream, settings: wishes, state: state, deviceFolder: DeviceWatch.folder
      ) {
        let absence = choice.settle(
          &$0, calibrated: wishes().hearing, former: state.notice.withLock { $0.former })
        // Before any sound; what changes later is noted by whoever watches (PlugWatch).
        state.heedsJack.store(wishes().heedsJack, ordering: .relaxed)
        state.note(CardJack.all(of: $0.playbackName, .playback))
        return absence
      }
      loop.run(until: stop)
    }
  }

  init(
    settings: AidSettings, patience: TakePlayer.Patience = TakePlayer.Patience(), work: @escaping Work,
    streamingWork: @escaping StreamingWork = HearingAid.stream
  ) {
    self.settings = Mutex(settings)
    (self.patience, self.work, self.streamingWork) = (patience, work, streamingWork)
    watch = SpectrumWatch(loop)
    stream(settings.hearing, from: settings.streamingName)
  }

  deinit {
    guard let thread = streamingThread.withLock({ $0 }) else { return }
    thread.stop.request()
    loop.streaming.wakeUp()
    let end = SystemTime.monotonic + Self.streamingPatience
    while loop.streaming.isWorking.load(ordering: .acquiring), SystemTime.monotonic < end { usleep(1000) }
    guard loop.streaming.isWorking.load(ordering: .acquiring) else { return thread.join() }
    // A sound server's plugin hangs in it. It is left to the end of the process, for which nobody waits because of it.
    _ = unsafe Unmanaged.passRetained(thread)
  }

  /// Time in which a stream's device is to be closed at the end, s. Own choice: a daemon gives itself 0.9 s.
  private static let streamingPatience = 0.3

  // MARK: - Orders

  /// Begins to sound, or to wait for the device. Does nothing while it runs; a fault is left behind.
  ///
  /// - Throws: ``SystemError`` when no thread can be had.
  public func start() throws(SystemError) { try start(isSilent: false) }

  /// Opens the devices, or waits for them, without any sound but that of a procedure; see
  /// ``measureFeedback(_:at:progress:repeats:isCancelled:)``. Does nothing while the aid runs.
  ///
  /// - Throws: ``SystemError`` when no thread can be had.
  public func startSilently() throws(SystemError) { try start(isSilent: true) }

  private func start(isSilent: Bool) throws(SystemError) {
    if case .faulted = loop.state { stop() }
    try activity.withLock { (activity) throws(SystemError) in
      let isStarted = activity.isStarted || !isSilent
      if !activity.isInProcedure { loop.wanted.store(isStarted ? .aid : .nobody, ordering: .releasing) }
      if activity.thread == nil {
        let end = WorkEnd()
        activity.thread = try launch(until: end)
        activity.end = end
      }
      activity.isStarted = isStarted
    }
  }

  /// Makes an audio thread.
  ///
  /// - Parameter end: Comes with the end of its work.
  private func launch(until end: WorkEnd) throws(SystemError) -> RealtimeThread {
    // Before the thread exists, so that nobody sees "stopped" after a start.
    loop.enter(.opening)
    loop.reading.store(AidReading())
    do throws(SystemError) {
      return try RealtimeThread { [loop, work, self] stop in
        work(loop, stop) { self.settings.withLock { $0 } }
        end.hasCome.withLock { $0 = true }
      }
    } catch {
      loop.enter(.idle)
      throw error
    }
  }

  /// Begins to fade out, without waiting for the end: ``state`` becomes stopped, then ``stop()`` returns at
  /// once. Ends a procedure.
  public func requestStop() {
    endProcedure(.stopped)
    activity.withLock { $0.thread?.stop.request() }
  }

  /// Fades out, stops and gives the devices back; returns when that is done. Ends a procedure.
  public func stop() {
    endProcedure(.stopped)
    let thread = activity.withLock { activity in
      defer { (activity.thread, activity.isStarted) = (nil, false) }
      return activity.thread
    }
    thread?.stop.request()
    thread?.join()
  }

  /// Silence, faded, until ``unmute()``; kept through stop and start. Ends a procedure.
  public func mute() {
    loop.isMuted.store(true, ordering: .relaxed)
    endProcedure(.muted)
  }

  /// Sound again, rising from silence.
  public func unmute() { loop.isMuted.store(false, ordering: .relaxed) }

  /// True while silence is asked for.
  public var isMuted: Bool { loop.isMuted.load(ordering: .relaxed) }

  /// Takes over other settings for what is heard: at once and ramped while sound flows, otherwise at the
  /// next start.
  ///
  /// - Parameter hearing: New settings. Another band layout takes effect at the next start only.
  /// - Returns: True when it is heard at once.
  /// - Throws: ``FittingFailure``; the former settings then stay in force.
  @discardableResult public func apply(_ hearing: HearingSettings) throws(FittingFailure) -> Bool {
    try settings.withLock { (current) throws(FittingFailure) in
      let isHeard = try take(hearing, into: &current)
      stream(hearing, from: current.streamingName)
      return isHeard
    }
  }

  /// Does the work of ``apply(_:)``, under the lock: the audio thread shows its channel before it reads the
  /// settings, so they arrive by one of the two ways, whenever the devices are opened.
  @discardableResult private func take(
    _ hearing: HearingSettings, into current: inout AidSettings
  ) throws(FittingFailure) -> Bool {
    let channel = loop.notice.withLock { $0.channel }
    // Without a channel refused now rather than at the next start, when nobody looks.
    guard let geometry = channel?.geometry ?? Self.usualGeometry else { return false }
    let parameters = try hearing.parameters(for: geometry)
    current.hearing = hearing
    guard let channel, channel.bands == hearing.bands else { return false }
    channel.publish(parameters)
    return true
  }

  /// Sizes to check settings with while no device is open.
  private static let usualGeometry = try? ChainGeometry(sampleRate: 44_100, blockFrames: 64)

  /// Takes over all settings; devices change at the next start.
  ///
  /// - Throws: ``FittingFailure``; the former settings then stay in force.
  public func replace(_ new: AidSettings) throws(FittingFailure) {
    try settings.withLock { (current) throws(FittingFailure) in
      try take(new.hearing, into: &current)
      current = new
      stream(new.hearing, from: new.streamingName)
    }
  }

  /// Takes note of the jacks through which the earphones' device plays. Silence, faded, while all of them are empty, a procedure ends;
  /// sound again, rising from silence, once one has a plug.
  ///
  /// - Parameter jacks: As ``AudioIO/CardJack/all(of:_:)`` has them; empty where none tells, nil: not known now, which changes nothing.
  public func note(_ jacks: [CardJack]?) { loop.note(jacks) }

  /// Reason for which nothing sounds although the devices do: nothing is plugged in, a clause; nil: something is, or no jack tells.
  public var withheld: String? { loop.withheld }

  // MARK: - Streamed sound

  /// Reads ALSA's devices.
  static let stream: StreamingWork = { channel, stop in
    var loop = StreamingLoop(channel) {
      PacedCapture(
        ALSADevice(name: $0, direction: .capture, takesBluetooth: true), clock: SystemClock())
    }
    loop.run(until: stop)
  }

  /// Priority of the stream's thread: below the audio thread's (70), which must never wait for it, and above the
  /// kernel's interrupt threads (50).
  private static let streamingPriority = 60

  /// Turns streamed sound on or off, and hands its settings on. Does not wait for the thread, whose device may hang.
  private func stream(_ hearing: HearingSettings, from device: String?) {
    loop.streaming.apply(hearing, device: device)
    guard device != nil, hearing.streaming != nil else { return }
    streamingThread.withLock { thread in
      guard thread == nil else { return }
      loop.streaming.isWorking.store(true, ordering: .releasing)
      do throws(SystemError) {
        thread = try RealtimeThread(name: "audio-stream", priority: Self.streamingPriority) {
          [channel = loop.streaming, streamingWork] in
          streamingWork(channel, $0)
          channel.isWorking.store(false, ordering: .releasing)
        }
      } catch {
        loop.streaming.isWorking.store(false, ordering: .releasing)
        loop.streaming.reading.state = .waiting(reason: "\(error)")
      }
    }
  }

  /// Streamed sound now.
  public var streaming: StreamingReading {
    var reading = loop.streaming.reading
    reading.played = loop.reading.load().meters.streaming
    reading.call = loop.streaming.call
    return reading
  }

  // MARK: - Reports

  /// State now. During a procedure it counts as running; see ``isInProcedure``.
  public var state: AidState { loop.state }

  /// Since when devices are being opened or started, monotonic s; nil: they are not. While one is waited for too, at each attempt.
  public var openingSince: Double? { loop.openingSince }

  /// Since when devices are being closed, monotonic s; nil: they are not.
  public var closingSince: Double? { loop.closingSince }

  /// When the devices had a block last, monotonic s; nil: no sound flows.
  public var lastBlock: Double? { loop.lastBlockTime }

  /// True until sound has flowed for a second since the devices were opened: they may be of no use yet.
  public var isUnproven: Bool { loop.isUnproven }

  /// Reason for which sound was lost first of devices that lose it within its first second, also while they are opened or away for a
  /// moment; nil: there are none, or it has flowed for one.
  public var breakingOff: String? { loop.breakingOff }

  /// The newest reading: twenty a second while sound flows.
  public var reading: AidReading { loop.reading.load() }

  /// Devices as granted; nil while none is open.
  public var devices: AidDevices? { loop.notice.withLock { $0.devices } }

  /// Times the devices were opened since this aid was created.
  public var opens: Int { loop.notice.withLock { $0.opens } }

  /// Why the devices' files are not watched, so that a device that is waited for is tried again and again; nil
  /// where they are.
  public var watchRefusal: String? { loop.notice.withLock { $0.watchRefusal } }

  /// The settings in force.
  public var currentSettings: AidSettings { settings.withLock { $0 } }

  /// Window into the sound.
  public var spectra: SpectrumWatch { watch }

  /// Scheduling of the audio thread; nil while there is none, and once its work is over.
  public var scheduling: Scheduling? { ofThread { $0.currentScheduling() } }

  /// Number of the audio thread, as gettid(2) has it; nil while there is none, and once its work is over.
  public var threadNumber: Int32? { ofThread(\.number) }

  /// Asks for the real-time priority again, where it was lost.
  public func renewScheduling() { _ = ofThread { $0.renewScheduling() } }

  /// Asks the audio thread for something while it cannot end; nil while there is none, and once its work is over.
  private func ofThread<Value: Sendable>(_ body: (RealtimeThread) -> Value) -> Value? {
    let (thread, end) = activity.withLock { ($0.thread, $0.end) }
    guard let thread else { return nil }
    return end.hasCome.withLock { hasCome in hasCome ? nil : body(thread) }
  }
}

/// State of an aid, and its reason.
///
/// ```
/// stopped → starting → running ⇄ muted
///              ⇅          ↓
///      waiting for device ←
///              any → faulted, which stays until started again
/// ```
public enum AidState: Sendable, Hashable {
  /// Nothing runs.
  case stopped
  /// Devices are being opened, or sound is about to rise.
  case starting
  /// Sound flows.
  case running
  /// Sound flows, but the wearer asked for silence.
  case muted
  /// A device is missing or taken; tried again by itself.
  case waitingForDevice(reason: String)
  /// A fault that trying again would not correct. Silent until somebody acts.
  case faulted(reason: String)
}
