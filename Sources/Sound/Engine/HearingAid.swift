import AudioIO
public import Base
import HearingDSP
public import Realtime
import Synchronization

/// A hearing aid that runs: starts and stops the audio thread, and tells what it does.
///
/// - Threads: every member on control; calls may come from several threads.
public final class HearingAid: Sendable {
  /// Makes the closed stream for an audio thread; `wake` is a descriptor that must end a wait when readable.
  typealias Work = @Sendable (AidBoard, StopSignal, @escaping @Sendable () -> AidSettings) -> Void

  private let board = AidBoard()
  private let settings: Mutex<AidSettings>
  private let thread = Mutex<RealtimeThread?>(nil)
  private let work: Work

  /// An aid on this machine's sound devices, not started.
  public convenience init(settings: AidSettings) {
    self.init(settings: settings) { board, stop, wishes in
      let choice = DeviceChoice(wishes())
      let stream = choice.stream(wakeDescriptor: stop.descriptor)
      var loop = LiveLoop(stream: stream, settings: wishes, board: board) { choice.settle(&$0) }
      loop.run(until: stop)
    }
  }

  init(settings: AidSettings, work: @escaping Work) {
    self.settings = Mutex(settings)
    self.work = work
  }

  // MARK: - What it is told

  /// Begins to sound, or to wait for the device. Does nothing while it runs; a fault is left behind.
  ///
  /// - Throws: ``SystemError`` when no thread can be had.
  public func start() throws(SystemError) {
    if case .faulted = board.state { stop() }
    try thread.withLock { (running) throws(SystemError) in
      guard running == nil else { return }
      // Before the thread exists, so that nobody sees "stopped" after a start.
      board.enter(.opening)
      board.reading.store(AidReading())
      do throws(SystemError) {
        running = try RealtimeThread { [board, work, self] stop in
          work(board, stop) { self.settings.withLock { $0 } }
        }
      } catch {
        board.enter(.idle)
        throw error
      }
    }
  }

  /// Begins to fade out, without waiting for the end: ``state`` becomes stopped, then ``stop()`` returns at once.
  public func requestStop() { thread.withLock { $0?.stop.request() } }

  /// Fades out, stops and gives the devices back; returns when that is done.
  public func stop() {
    let running = thread.withLock { running in
      let taken = running
      running = nil
      return taken
    }
    running?.stop.request()
    running?.join()
  }

  /// Silence, faded, until ``unmute()``; kept through stop and start.
  public func mute() { board.isMuted.store(true, ordering: .relaxed) }

  /// Sound again, rising from silence.
  public func unmute() { board.isMuted.store(false, ordering: .relaxed) }

  /// Whether silence was asked for.
  public var isMuted: Bool { board.isMuted.load(ordering: .relaxed) }

  /// Takes over other settings for what is heard: at once and ramped while sound flows, otherwise at the next start.
  ///
  /// - Parameter hearing: New wishes. Another band layout takes effect at the next start only.
  /// - Returns: Whether it is heard at once.
  /// - Throws: ``FittingFailure``; the former settings then stay in force.
  @discardableResult
  public func apply(_ hearing: HearingSettings) throws(FittingFailure) -> Bool {
    try settings.withLock { (current) throws(FittingFailure) in try take(hearing, into: &current) }
  }

  /// What ``apply(_:)`` does, under the lock: the audio thread shows its channel before it reads the settings, so
  /// they arrive by one of the two ways, whenever the devices are opened.
  @discardableResult
  private func take(
    _ hearing: HearingSettings, into current: inout AidSettings
  ) throws(FittingFailure) -> Bool {
    let channel = board.notice.withLock { $0.channel }
    // Without a channel refused now rather than at the next start, when nobody looks.
    guard let geometry = channel?.geometry ?? Self.usualGeometry else { return false }
    let parameters = try hearing.parameters(for: geometry)
    current.hearing = hearing
    guard let channel, channel.bands == hearing.bands else { return false }
    channel.handover.publish(parameters)
    return true
  }

  /// Sizes to check settings with while no device is open.
  private static let usualGeometry = try? ChainGeometry(sampleRate: 44_100, blockFrames: 64)

  /// Takes over all settings; devices change at the next start.
  public func replace(_ new: AidSettings) throws(FittingFailure) {
    try settings.withLock { (current) throws(FittingFailure) in
      try take(new.hearing, into: &current)
      current = new
    }
  }

  // MARK: - What it tells

  public var state: AidState { board.state }

  /// The newest reading: twenty a second while sound flows.
  public var reading: AidReading { board.reading.load() }

  /// What the devices granted; nil while none is open.
  public var devices: AidDevices? { board.notice.withLock { $0.devices } }

  /// Times the devices were opened since this aid was created.
  public var opens: Int { board.notice.withLock { $0.opens } }

  /// The wishes in force.
  public var currentSettings: AidSettings { settings.withLock { $0 } }

  /// How the kernel schedules the audio thread; nil while there is none.
  public var scheduling: Scheduling? { thread.withLock { $0?.currentScheduling() } }

  /// Asks for the real-time priority again, where it was lost.
  public func renewScheduling() {
    thread.withLock { running in _ = running?.renewScheduling() }
  }
}

/// What an aid is doing, and why.
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
  /// Something is wrong that trying again would not mend. Silent until somebody acts.
  case faulted(reason: String)
}
