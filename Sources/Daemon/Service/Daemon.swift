import AudioIO
import CLinux
import Control
import Glibc
import HearingAid
import HearingDSP
import Realtime
import Synchronization

/// An aid that is told what to do through a socket and by signals, and tells how it is.
///
/// - Threads: ``run(_:_:)`` on main; the handler's calls on the server's thread.
final class Daemon: Sendable {
  /// What the daemon knows beside the aid itself.
  struct Memory: Sendable {
    var configuration: LoadedConfiguration
    var log: MessageLog
    /// The state as it was last told.
    var state: StatusReport.State
    /// Times the devices were opened, and the delay of the chain that was then built.
    var chainOpens = -1
    var chainDelay: Double?
    var isEnding = false
    /// What is worn, and why the prescription in force is not; nil: it is.
    var worn = Prescribed.byConfiguration
    var refusal: Failure?
    /// Whether a developer's pass was open when it was looked at last.
    var isDeveloping = false
    /// The last trouble with the book that was logged.
    var bookTrouble: String?
  }

  let options: DaemonOptions
  let pilot: AidPilot
  let desk: PrescriptionDesk
  let dial: ListeningDial
  let feedback: FeedbackMemory
  let lender = DeviceLender()
  let memory: Mutex<Memory>
  /// Held from looking at what is prescribed until it is worn: calls and signals come on two threads, and the
  /// later look must win.
  let wearing = Mutex<Void>(())
  let memoryLock: MemoryLock
  let wisdomPath: String?
  /// The playback device as this daemon's alone; nil for one that needs none.
  let playback = Mutex<PlaybackClaim?>(nil)
  /// Where such claims lie; nil: nobody else is looked for.
  let claimFolder: String?
  /// The process that starts this one again; nil: none does.
  let ward: Guardian.Ward?
  /// Where a mute outlasts a crash; nil: nowhere.
  let keptMute: KeptMute?
  let started: Double
  /// Wakes the main thread when a wish has changed.
  let bell: Int32
  /// Reads the configuration again; replaced in tests.
  let load: @Sendable () -> Result<LoadedConfiguration, ConfigurationFailures>

  var aid: HearingAid { pilot.aid }

  init(
    _ aid: HearingAid, options: DaemonOptions, configuration: LoadedConfiguration, log: MessageLog,
    desk: PrescriptionDesk, dial: ListeningDial = ListeningDial(path: nil),
    feedback: FeedbackMemory = FeedbackMemory(folder: nil), memoryLock: MemoryLock, wisdomPath: String?,
    claimFolder: String? = nil, ward: Guardian.Ward? = nil, keptMute: KeptMute? = nil,
    load: @escaping @Sendable () -> Result<LoadedConfiguration, ConfigurationFailures>
  ) {
    self.options = options
    self.desk = desk
    self.dial = dial
    self.feedback = feedback
    self.memoryLock = memoryLock
    self.wisdomPath = wisdomPath
    self.claimFolder = claimFolder
    self.ward = ward
    self.keptMute = keptMute
    self.load = load
    pilot = AidPilot(aid)
    started = Moment.now
    bell = clinux_eventfd()
    memory = Mutex(
      Memory(configuration: configuration, log: log, state: StatusReport.State(.stopped, since: started)))
  }

  deinit { close(bell) }

  // MARK: - Telling

  /// The state now. A change is dated when it is first seen.
  func currentState() -> StatusReport.State {
    let seen = StatusReport.State(of: pilot.state, isMuted: aid.isMuted, since: Moment.now)
    return memory.withLock { memory in
      guard memory.state.isAlike(seen) else { return seen }
      // A mute that is only remembered does not begin the wait anew.
      return StatusReport.State(
        seen.name, reason: seen.reason, isMuted: seen.isMuted, since: memory.state.since)
    }
  }

  /// Everything there is to report.
  func snapshot() -> AidSnapshot {
    let state = currentState()
    let program = programReport()
    let feedback = feedbackReport()
    return memory.withLock { memory in
      AidSnapshot(
        state: state, reading: aid.reading, devices: state.name == .stopped ? nil : aid.devices,
        opens: aid.opens,
        scheduling: aid.scheduling, hearing: aid.currentSettings.hearing,
        configuration: memory.configuration, prescription: standing(memory.refusal), program: program,
        feedback: feedback,
        chainDelay: memory.chainDelay, memory: memoryLock)
    }
  }

  func report() -> StatusReport {
    StatusReport(
      snapshot(),
      daemon: StatusReport.Daemon(
        version: Version.number, processID: getpid(), started: started, now: Moment.now,
        restart: ward?.cause?.report))
  }

  /// Writes a line of the log.
  func write(_ line: LogLine) { memory.withLock { $0.log }.write(line) }

  /// Works out the running chain's delay when it is a new one.
  func measureChain() {
    let opens = aid.opens
    guard let devices = aid.devices, memory.withLock({ $0.chainOpens != opens }) else { return }
    let geometry = try? ChainGeometry(
      sampleRate: Double(devices.capture.rate), blockFrames: devices.period)
    let delay = geometry.flatMap { ChainDelay.seconds(for: aid.currentSettings.hearing, $0) }
    memory.withLock {
      $0.chainOpens = opens
      $0.chainDelay = delay
    }
  }

  // MARK: - Reloading

  /// Reads the configuration again. What was wrong leaves everything as it was.
  func reload() -> Result<ReloadReport, ConfigurationFailures> {
    wearing.withLock { _ in reloadAlone() }
  }

  private func reloadAlone() -> Result<ReloadReport, ConfigurationFailures> {
    do throws(ConfigurationFailures) {
      let new = try load().get()
      var settings = try AidSettings(new, wisdomPath: wisdomPath)
      let old = memory.withLock { $0.configuration }
      let change = ConfigurationChange(from: old.configuration, to: new.configuration)
      settings.wisdomPath = wisdomPath
      let prescribed = desk.prescribed
      let measured = feedback.reread()
      settings.hearing = feedback.informed(dial.dressed(settings.hearing.following(prescribed)))
      let claim = try claim(for: new)
      let former = aid.currentSettings.hearing
      do {
        try aid.replace(settings)
      } catch {
        throw ConfigurationFailures(failures: [Failure(error, new)])
      }
      memory.withLock {
        $0.configuration = new
        $0.log = MessageLog(threshold: new.configuration.log.level)
        // A pass that is open is seen anew within a second.
        $0.isDeveloping = false
        // The gains, and with them the delay, may be others.
        $0.chainOpens = -1
        $0.worn = prescribed
        $0.refusal = nil
      }
      playback.withLock { $0 = claim }
      if !change.reopensDevices.isEmpty {
        pilot.requestReopening()
        ring()
      }
      let files = settings.hearing.changedFiles(since: former, beside: change.live)
      let problem = feedback.problem
      if let problem { write(LogLine(.warning, problem)) }
      return .success(
        ReloadReport(
          applied: change.live + files + (measured ? ["measured feedback"] : []),
          reopened: change.reopensDevices,
          restartNeeded: change.restartsDaemon, notes: [problem].compactMap(\.self)))
    } catch {
      return .failure(error)
    }
  }

  /// Wakes the main thread.
  func ring() { clinux_eventfd_signal(bell) }
}
