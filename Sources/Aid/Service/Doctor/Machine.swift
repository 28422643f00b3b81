import AudioIO
import Base
import Book
import Control
import Engine
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
  /// Directions whose device was opened, or tried.
  var tried: Set<StreamDirection> = []
  /// Programs that keep a device's card which they were asked for, a sentence without its full stop; empty where none does, or nobody was
  /// asked.
  var keepers: [StreamDirection: String] = [:]
  /// Volume controls of the card that the earphones are on.
  var volumes = PlaybackVolumes.unread
  /// Jacks of the cards in use that tell of their plugs.
  var jacks: [StreamDirection: [CardJack]] = [:]
  /// Scheduling that the kernel grants a thread that asks for real time.
  var scheduling: Scheduling?
  var memory: MemoryLock
  /// The daemon's own report, or why there is none.
  var daemon: Result<StatusReport, Failure>
  var report: StatusReport? { try? daemon.get() }
  /// Configuration file of the daemon that answers, `none` for one without, where it is another than the one that is examined; nil: it is
  /// that one, or not known.
  var otherFile: String? {
    guard let report, let examined = try? configuration.get(), !report.isBy(configuration: examined.file)
    else { return nil }
    return report.configurationFile ?? Self.noFile
  }
  static let noFile = "none"
  /// True where the daemon that answers is not this user's, as the system's aid is not.
  var isAnothers = false
  /// Configured periods of the daemon that answers; nil: not known. Playback's buffer holds more where there are two clocks, and where the
  /// card has no smaller one.
  var periods: Int? { asked?.periods }
  /// Period that its configuration asks for, frames; nil: not known.
  var period: Int? { asked?.period }
  /// False where its configuration has it ignore the jacks.
  var heedsJack: Bool { asked?.heedsJack ?? true }
  private var asked: Configuration.Device? {
    otherFile == nil ? (try? configuration.get())?.configuration.device : nil
  }
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
  /// Looks at this machine. Opens each card for a moment, starts and ends a thread, locks and unlocks memory. Where no daemon runs,
  /// sound servers of the session are asked for the cards meanwhile, as an aid of the person's own asks that starts.
  ///
  /// - Parameters:
  ///   - configurationFile: From the command line, if any.
  ///   - socket: Beside which the files of a daemon lie.
  ///   - daemon: Report of the daemon that was found, or why there is none.
  ///   - place: Socket on which it answers.
  /// - Threads: control.
  package init(
    configurationFile: String?, socket: String, daemon: Result<StatusReport, Failure>, at place: String
  ) {
    let scheduling = (try? RealtimeThread { _ in })?.startScheduling
    let memory = MemoryLock.lockAll()
    MemoryLock.unlockAll()
    let configuration = ConfigurationSearch(explicit: configurationFile).load()
    let settings = (try? configuration.get()).map { AidSettings(devicesOf: $0) }
    let paths = StandardPaths.current
    let advice = StartAdvice(paths, asking: socket)
    // A daemon asks for its cards itself, and the system's has no session to ask in.
    let cards = Self.isAbsent(daemon) && !advice.isSystems ? settings.map { Self.cards(of: $0) } : nil
    defer { withExtendedLifetime(cards) {} }
    self.init(
      configuration: configuration, devices: DeviceList.all(),
      deviceFault: DeviceList.configurationFault, scheduling: scheduling, memory: memory, daemon: daemon,
      governor: Self.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
      kernel: Self.line("/proc/version") ?? "", isRealtimeKernel: Self.line("/sys/kernel/realtime") == "1")
    start = advice
    isAnothers = report.map { !Self.isOwn(process: $0.daemon.pid) } ?? false
    let loaded = try? configuration.get()
    let file = ConfigurationSearch(explicit: configurationFile).file()
    let isRunning = if case .running = DaemonTrace(ofSocket: socket) { true } else { false }
    files =
      AidFiles(
        paths, socket: socket, file: file, loaded: loaded,
        hasDaemon: (report != nil && place == socket) || isUnanswered || isRunning
      ).facts
    measured = FeedbackFile(folder: paths.stateDirectory).measured
    volumes = .now(of: earphones)
    jacks[.playback] = earphones.flatMap { CardJack.all(of: $0, .playback) }
    jacks[.capture] = microphones.flatMap { CardJack.all(of: $0, .capture) }
    look(atBookIn: paths.stateDirectory + "/book")
    // One that does not answer may have the devices.
    guard report?.devices == nil, !isUnanswered, let settings else { return }
    tryDevices(settings, with: cards)
  }

  /// Device on which an aid plays, or would; nil: there is none.
  var earphones: String? {
    report?.devices?.playback.name ?? configured?.playbackDevice ?? devices.usual?.name
  }

  /// Device by which an aid hears, or would; nil: there is none.
  private var microphones: String? {
    report?.devices?.capture.name ?? configured?.captureDevice ?? devices.usual?.name
  }

  private var configured: AidSettings? {
    (try? configuration.get()).map { AidSettings(devicesOf: $0) }
  }

  private static func isOwn(process number: Int32) -> Bool {
    var status = stat()
    return stat("/proc/\(number)", &status) == 0 && status.st_uid == geteuid()
  }

  private static func cards(of settings: AidSettings) -> SessionCards {
    SessionCards(capture: settings.captureDevice, playback: settings.playbackDevice)
  }

  /// True where no daemon runs, or none that is this user's.
  private static func isAbsent(_ daemon: Result<StatusReport, Failure>) -> Bool {
    if case .failure(let failure) = daemon { failure.exitStatus == .unavailable } else { false }
  }

  private mutating func look(atBookIn folder: String) {
    book = BookForm(ofBookIn: folder)
    hasCards = BookForm.hasCards(inBookIn: folder)
    // A daemon that runs has read the key; the next one could not.
    if report == nil, let damage = SealingKey.damage(of: SealingKey.standardFile(for: folder)) {
      book = .unreadable("\(damage)")
    }
  }

  /// The daemon's own report.
  ///
  /// - Throws: ``Failure``: ``ExitStatus/unavailable`` where none runs, ``ExitStatus/temporary`` of one that does not answer.
  package static func report(of client: ControlClient) throws(Failure) -> StatusReport {
    do throws(Failure) { return try client.ask(ReportMethods.Status()) } catch {
      // Where no process has the socket, a service manager keeps it, and nothing runs.
      guard error.exitStatus == .unavailable, DaemonTrace(ofSocket: client.path) != .absent else {
        throw error
      }
      throw unanswered(client.path, within: client.timeout)
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

  /// Opens and sets up the devices that would be used, one after the other, as the daemon would.
  ///
  /// - Parameter cards: Those that sound servers were asked for; nil: nobody was.
  private mutating func tryDevices(_ settings: AidSettings, with cards: SessionCards?) {
    let ends = [(Configuration.End.microphone, StreamDirection.capture), (.earphone, .playback)]
    for (end, direction) in ends {
      guard let name = settings.deviceName(of: end) else { continue }
      tried.insert(direction)
      refusals[direction] = DeviceTrial.refusal(of: name, direction, setUp: settings.stream, with: cards)
      keepers[direction] = cards?.refusal(ofCardOf: name)
    }
  }

  private static func line(_ path: String) -> String? {
    guard let bytes = try? FileContent.bytes(of: path, limit: 1 << 16) else { return nil }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }
}
