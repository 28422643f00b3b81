import AudioIO
import Base
import Book
import Control
import Glibc
import Realtime
import Sealing

/// Facts that an examination judges, gathered first so that the verdicts can be tested.
package struct Machine: Sendable {
  var configuration: Result<LoadedConfiguration, ConfigurationFailures>
  var devices: [DeviceDescription]
  /// Why alsa-lib finds no device; nil: it reads its configuration.
  var deviceFault: String?
  /// Reason for which a device that would be used cannot be opened; empty while a daemon has them, or when they can.
  var refusals: [StreamDirection: String] = [:]
  /// Directions whose named device was opened, or tried.
  var tried: Set<StreamDirection> = []
  /// Scheduling that the kernel grants a thread that asks for real time.
  var scheduling: Scheduling?
  var memory: MemoryLock
  /// The daemon's own report, or why there is none.
  var daemon: Result<StatusReport, Failure>
  var report: StatusReport? { try? daemon.get() }
  /// Start of an aid, where none runs.
  var start = StartAdvice(isSystems: false)
  /// Processor frequency governor; nil: not adjustable here.
  var governor: String?
  /// The kernel's own description, `#1 SMP PREEMPT_DYNAMIC …`.
  var kernel: String
  /// True when `/sys/kernel/realtime` says 1.
  var isRealtimeKernel: Bool
  /// Everything wrong with the aid's files.
  var files: [FileFact] = []
  var book = BookForm.absent
  /// True when the book ever took a card; nil: it cannot be told.
  var hasCards: Bool? = false
  /// Delays that were measured, as far as this user can read them.
  var measured = FeedbackRecord()

  /// Measured delay of the loop that ends in a device, s: the daemon's, otherwise what this user's file has; nil: nobody has
  /// measured it.
  func measuredDelay(of playback: String) -> Double? {
    let running = report?.devices?.playback.name == playback ? report?.latency?.measured?.loopSeconds : nil
    return running ?? measured.delay(of: playback)
  }
}

extension Machine {
  /// Looks at this machine. Opens each card for a moment, starts and ends a thread, locks and unlocks memory.
  ///
  /// - Parameters:
  ///   - configurationFile: From the command line, if any.
  ///   - socket: Of a daemon to ask.
  /// - Threads: control.
  package init(configurationFile: String?, socket: String) {
    let scheduling = (try? RealtimeThread { _ in })?.startScheduling
    let memory = MemoryLock.lockAll()
    MemoryLock.unlockAll()
    self.init(
      configuration: ConfigurationSearch(explicit: configurationFile).load(), devices: DeviceList.all(),
      deviceFault: DeviceList.configurationFault, scheduling: scheduling, memory: memory,
      daemon: Result { () throws(Failure) in try Self.report(of: socket) },
      governor: Self.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
      kernel: Self.line("/proc/version") ?? "", isRealtimeKernel: Self.line("/sys/kernel/realtime") == "1")
    let paths = StandardPaths.current
    start = StartAdvice(paths, asking: socket)
    let loaded = try? configuration.get()
    let file = ConfigurationSearch(explicit: configurationFile).file()
    let isRunning = if case .running = DaemonTrace(ofSocket: socket) { true } else { false }
    files =
      AidFiles(
        paths, socket: socket, file: file, loaded: loaded,
        hasDaemon: report != nil || isUnanswered || isRunning
      ).facts
    measured = FeedbackFile(folder: paths.stateDirectory).measured
    look(atBookIn: paths.stateDirectory + "/book")
    // One that does not answer may have the devices.
    guard report?.devices == nil, !isUnanswered,
      let configured = try? configuration.get().configuration.device
    else { return }
    tryDevices(configured)
  }

  private mutating func look(atBookIn folder: String) {
    book = BookForm(ofBookIn: folder)
    hasCards = BookForm.hasCards(inBookIn: folder)
    // A daemon that runs has read the key; the next one could not.
    if report == nil, let damage = SealingKey.damage(of: SealingKey.standardFile(for: folder)) {
      book = .unreadable("\(damage)")
    }
  }

  /// Longest that a daemon is given to answer, s: one that is well takes some milliseconds.
  static let longestAnswer = 2.0

  /// The daemon's own report.
  ///
  /// - Parameter patience: Longest wait for an answer, s.
  /// - Throws: ``Failure``: ``ExitStatus/unavailable`` where none runs, ``ExitStatus/temporary`` of one that does not answer.
  static func report(
    of socket: String, within patience: Double = longestAnswer
  ) throws(Failure) -> StatusReport {
    let client = try ControlClient(path: socket, timeout: patience)
    do throws(Failure) { return try client.ask(ReportMethods.Status()) } catch {
      // Where no process has the socket, a service manager keeps it, and nothing runs.
      guard error.exitStatus == .unavailable, DaemonTrace(ofSocket: socket) != .absent else { throw error }
      throw unanswered(socket, within: patience)
    }
  }

  private static func unanswered(_ socket: String, within patience: Double) -> Failure {
    let number: Int32? =
      if case .running(let number) = DaemonTrace(ofSocket: socket) { number } else { nil }
    return Failure(
      "daemon",
      found: (number.map { "process \($0)" } ?? "it")
        + " runs and does not answer within \(NumberText.exact(patience)) s",
      remedy:
        "Its log may say why: journalctl -u auricled, of a person's own: journalctl --user -u auricled. Then, as root: "
        + "systemctl restart auricled; a person's own: "
        + "auricle stop --daemon, or, where it does not obey, kill -KILL \(number.map { "\($0)" } ?? "its number").",
      exit: .temporary)
  }

  /// True of a daemon that is there and does not answer.
  var isUnanswered: Bool {
    if case .failure(let failure) = daemon { failure.exitStatus == .temporary } else { false }
  }

  /// Opens and sets up the devices that the configuration names, one after the other, as the daemon would.
  private mutating func tryDevices(_ configured: Configuration.Device) {
    let request = StreamRequest(
      rate: configured.rate, period: configured.period, periods: configured.periods,
      format: configured.format)
    for (name, direction) in [
      (configured.capture, StreamDirection.capture), (configured.playback, .playback),
    ] {
      guard let name else { continue }
      tried.insert(direction)
      refusals[direction] = DeviceTrial.refusal(of: name, direction, setUp: request)
    }
  }

  private static func line(_ path: String) -> String? {
    guard let bytes = try? FileContent.bytes(of: path, limit: 1 << 16) else { return nil }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }
}
