import AudioIO
import Base
import CLinux
import Control
import Engine
import Glibc
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
    /// Settings that the configuration asks for, with its files as they were when it was read.
    var configured: HearingSettings
    /// The state as it was last told.
    var state: StatusReport.State
    /// When that state began, by the running clock.
    var stateBegan: Double
    /// Times the devices were opened when FFTW's plans were kept last.
    var wisdomOpens = 0
    /// Times the devices were opened, and the delay of the chain that was then built.
    var chainOpens = -1
    var chainDelay: Double?
    var isEnding = false
    /// The prescription applied, and why the one in force is not; nil: it is.
    var applied: Prescribed
    var refusal: Failure?
    /// Whether a developer's pass was open when it was looked at last.
    var isDeveloping = false
    /// Why the configuration in force is not the one of the file, a sentence; nil: it is.
    var configurationTrouble: String?
    /// The last trouble with the book that was logged.
    var bookTrouble: String?
  }

  /// Longest that a call waits for the disk, s: clients wait five for an answer, and nobody else is served meanwhile.
  private static let diskPatience = 2.0
  /// Longest that a line of the log is waited for, s. Own choice: unnoticed in a call.
  private static let logPatience = 0.05

  let options: DaemonOptions
  let pilot: AidPilot
  let desk: PrescriptionDesk
  let dial: ListeningDial
  let feedback: FeedbackMemory
  let lender = DeviceLender()
  let memory: Mutex<Memory>
  /// Work on the disk of book, configuration and memory.
  let disk = DiskThread()
  /// Writing to standard error, which may be another disk.
  private let logging = DiskThread()
  /// Longest that a call waits for the disk, s.
  let diskPatience: Double
  /// Held from looking at what is prescribed until it is applied: that happens on several threads, and the later look
  /// must win. Never held while a disk works.
  let wearing = Mutex<Void>(())
  let memoryLock: MemoryLock
  let wisdomPath: String?
  /// The playback device as this daemon's alone; nil for one that needs none.
  let playback = Mutex<PlaybackClaim?>(nil)
  /// Where such claims lie; nil: nobody else is looked for.
  let claimFolder: String?
  let clock: DaemonClock
  /// When it started, by both clocks.
  private let started: Double
  private let began: Double
  /// The process that starts this one again; nil: none does.
  let ward: Guardian.Ward?
  /// Where a mute outlasts a crash; nil: nowhere.
  let keptMute: KeptMute?
  /// Where the configuration in force outlasts a crash; nil: nowhere.
  let keptConfiguration: KeptConfiguration?
  /// Wakes the main thread when a wish has changed.
  let bell: Int32
  /// Reads the configuration again; replaced in tests.
  let load: @Sendable () -> Result<LoadedConfiguration, ConfigurationFailures>

  var aid: HearingAid { pilot.aid }

  /// - Parameters:
  ///   - applied: What the aid's settings follow already.
  ///   - configured: What the configuration alone asks for; nil: the aid's settings.
  ///   - bookTrouble: What is wrong with the book, as the log has it already.
  ///   - refused: Faults of the configuration file, which made way for the kept configuration.
  init(
    _ aid: HearingAid, options: DaemonOptions, configuration: LoadedConfiguration, log: MessageLog,
    desk: PrescriptionDesk, applied: Prescribed = .byConfiguration, configured: HearingSettings? = nil,
    bookTrouble: String? = nil, dial: ListeningDial = ListeningDial(path: nil),
    feedback: FeedbackMemory = FeedbackMemory(folder: nil), memoryLock: MemoryLock, wisdomPath: String?,
    claimFolder: String? = nil, ward: Guardian.Ward? = nil, keptMute: KeptMute? = nil,
    keptConfiguration: KeptConfiguration? = nil, refused: [Failure] = [], clock: DaemonClock = .system,
    diskPatience: Double = Daemon.diskPatience,
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
    self.keptConfiguration = keptConfiguration
    self.load = load
    self.clock = clock
    self.diskPatience = diskPatience
    pilot = AidPilot(aid)
    started = clock.wall()
    began = clock.running()
    bell = clinux_eventfd()
    memory = Mutex(
      Memory(
        configuration: configuration, log: log, configured: configured ?? aid.currentSettings.hearing,
        state: StatusReport.State(.stopped, since: started), stateBegan: began, applied: applied,
        configurationTrouble: KeptConfiguration.sentence(refused), bookTrouble: bookTrouble))
  }

  deinit { close(bell) }

  // MARK: - Telling

  /// The state now. A change is dated when it is first seen.
  func currentState() -> StatusReport.State {
    let seen = StatusReport.State(of: pilot.state, isMuted: aid.isMuted, since: clock.wall())
    return memory.withLock { memory in
      guard memory.state.isAlike(seen) else { return seen }
      // A mute that is only remembered does not begin the wait anew.
      return StatusReport.State(
        seen.name, reason: seen.reason, isMuted: seen.isMuted,
        since: clock.wallTime(of: memory.stateBegan, noted: memory.state.since))
    }
  }

  /// Takes note of a state.
  ///
  /// - Returns: Whether it is another one than before, and when it began, by the running clock.
  func note(_ state: StatusReport.State) -> (isNew: Bool, began: Double) {
    memory.withLock { memory in
      let isNew = !memory.state.isSame(as: state)
      if !memory.state.isAlike(state) { memory.stateBegan = clock.running() }
      memory.state = state
      return (isNew, memory.stateBegan)
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
        chainDelay: memory.chainDelay, memory: memoryLock
      ).noting(memory.configurationTrouble).noting(diskTrouble)
    }
  }

  func report() -> StatusReport {
    StatusReport(
      snapshot(),
      daemon: StatusReport.Daemon(
        version: Version.number, processID: getpid(), started: clock.wallTime(of: began, noted: started),
        now: clock.wall(), restart: ward?.cause?.report))
  }

  /// Writes a line of the log, and does not wait for long where it cannot be written.
  func write(_ line: LogLine) {
    let log = memory.withLock { $0.log }
    let now = clock.wall()
    logging.wait(atMost: Self.logPatience) { log.write(line, at: now) }
  }

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
  ///
  /// - Threads: the disk's, so that the later of two reads is the one in force.
  func reload() -> Result<ReloadReport, ConfigurationFailures> {
    do throws(ConfigurationFailures) {
      let new = try load().get()
      let settings = try AidSettings(new)
      let isMeasuredAnew = feedback.reread()
      let claim = try claim(for: new)
      let report = try wearing.withLock { _ throws(ConfigurationFailures) in
        try adopt(new, settings, isMeasuredAnew: isMeasuredAnew)
      }
      playback.withLock { $0 = claim }
      keepConfiguration()
      if !report.reopened.isEmpty {
        pilot.requestReopening()
        ring()
      }
      if let problem = feedback.problem { write(LogLine(.warning, problem)) }
      return .success(report)
    } catch {
      return .failure(error)
    }
  }

  private func adopt(
    _ new: LoadedConfiguration, _ settings: AidSettings, isMeasuredAnew: Bool
  ) throws(ConfigurationFailures) -> ReloadReport {
    let change = ConfigurationChange(
      from: memory.withLock { $0.configuration }.configuration, to: new.configuration)
    let prescribed = desk.prescribed
    let former = aid.currentSettings.hearing
    var adopted = settings
    adopted.hearing = feedback.informed(dial.adjusted(settings.hearing.following(prescribed)))
    do {
      try aid.replace(adopted)
    } catch {
      throw ConfigurationFailures(failures: [Failure(error, new)])
    }
    memory.withLock {
      $0.configuration = new
      $0.configurationTrouble = nil
      $0.configured = settings.hearing
      $0.log = MessageLog(threshold: new.configuration.log.level)
      // A pass that is open is seen anew within a second.
      $0.isDeveloping = false
      // The gains, and with them the delay, may be others.
      $0.chainOpens = -1
      $0.applied = prescribed
      $0.refusal = nil
    }
    let files = adopted.hearing.changedFiles(since: former, beside: change.live)
    return ReloadReport(
      applied: change.live + files + (isMeasuredAnew ? ["measured feedback"] : []),
      reopened: change.reopensDevices, restartNeeded: change.restartsDaemon,
      notes: [feedback.problem].compactMap(\.self))
  }

  /// Wakes the main thread.
  func ring() { clinux_eventfd_signal(bell) }
}
