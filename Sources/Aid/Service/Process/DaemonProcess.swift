import Base
import Control
import Engine
import Glibc
import HearingDSP
import Realtime

/// A whole daemon as one call: what `auricled` and `auricle run` are.
package enum DaemonProcess {
  /// Longest that a start waits for a book that another process holds, s: silence that is hardly noticed at
  /// a start. It is tried again every second then.
  private static let lockPatience = 0.5

  /// Runs a daemon until it is told to end.
  ///
  /// In this order: configuration, lock and socket, sound, service. What fails is written to standard
  /// error.
  ///
  /// - Parameters:
  ///   - options: From the command line.
  ///   - program: Name for messages.
  /// - Returns: Exit status of the process.
  /// - Threads: the main thread, before any other exists.
  package static func run(_ options: DaemonOptions, program: String) -> ExitStatus {
    do throws(ConfigurationFailures) {
      return try carryOut(options)
    } catch {
      // Who sits at a terminal has asked; everything else keeps what it gets.
      let failures = FailureText(program: program, isLog: isatty(STDERR_FILENO) == 0)
      let text = [UInt8](failures.text(for: error.failures).utf8)
      _ = write(STDERR_FILENO, text, text.count)
      return FailureText.exitStatus(for: error.failures)
    }
  }

  /// Prepares the process before it is a daemon: room for its files, privacy, somebody who starts it again,
  /// and a last line for the log. Then it is one.
  private static func carryOut(_ options: DaemonOptions) throws(ConfigurationFailures) -> ExitStatus {
    umask(0o077)
    // Before a file of the daemon's own has the number of a socket that was promised and is not there.
    let passed = try one { () throws(Failure) in try PassedSocket.take() }
    PrivateMemory.begin()
    let log = MessageLog(threshold: .info)
    try one { () throws(Failure) in try ProcessLimits.prepare() }
    try one { () throws(Failure) in try DeviceGuard().refuse(.daemon) }
    if options.isGuarded { Guardian.run(options, log: log) }
    let ward = options.ward.flatMap { Guardian.Ward($0) }
    ward?.prepareProcess()
    do {
      try FatalSignals.report(to: STDERR_FILENO, isJournal: log.isJournal)
    } catch { log.write(.warning, "a crash leaves no line here: \(error)") }
    let inbox = try one { () throws(Failure) in try SignalInbox() }
    let outcome = try supervisor(options, ward, passed).run(inbox)
    // An audio thread that a device holds up, or a disk that does not answer, cannot be waited for; the
    // kernel takes them along.
    if !outcome.isOrderly { _exit(outcome.status.rawValue) }
    return outcome.status
  }

  /// Reads everything, takes the socket and the playback device, and makes the aid, which is still silent.
  private static func supervisor(
    _ options: DaemonOptions, _ ward: Guardian.Ward?, _ passed: PassedSocket?
  ) throws(ConfigurationFailures) -> Supervisor {
    let search = ConfigurationSearch(explicit: options.configurationFile.map(Profile.absolute))
    let paths = StandardPaths.current
    let named = options.socket ?? paths.namedSocket
    let store = PrescriptionStore(paths, configuration: search)
    store.finishRestoration()
    let standing = DeviceStanding.current
    _ = store.follow(standing)
    let bookTrouble = store.open(patience: Self.lockPatience)?.logMessage
    let keptConfiguration = KeptConfiguration(besideSocket: named ?? paths.socket)
    let isMarkLeft = KeptState.isLeft(besideSocket: named ?? paths.socket)
    let found = try keptConfiguration.settings(
      search, isAudiogramHeard: store.known.prescribed == .byConfiguration)
    let loaded = found.loaded
    let log = MessageLog(threshold: loaded.configuration.log.level)
    for failure in found.refused { log.write(.error, failure.logMessage) }
    if !found.refused.isEmpty {
      log.write(.error, "the configuration that was in force before the daemon was ended stays in force")
    }
    if let leftOut = found.leftOut {
      log.write(.warning, KeptConfiguration.sentence(leavingOut: leftOut))
    }

    let disk = ServiceDisk(
      folder: paths.stateDirectory, store: store, keptConfiguration: keptConfiguration,
      claimFolder: paths.runtimeDirectory
    ) { search.load() }
    let (programs, feedback, problems) = disk.readKept()
    for problem in problems { log.write(.warning, problem) }
    if let path = disk.wisdomPath, FFTPlanning.recallWisdom(from: path) == .damaged {
      log.write(.warning, "\(path): found damaged plans of FFTW; they are measured again and kept anew.")
    }
    if case .unclear(let failure) = standing { log.write(.error, failure.logMessage) }

    do { try RealtimeThread.installCPUTimeFallback() } catch { log.write(.warning, "\(error)") }
    let notifier = ServiceNotifier()
    let socket = named ?? loaded.configuration.control.socket
    let isSystems = paths.isSystemsDaemon(named: named)
    let owner = loaded.configuration.control.owner
    let clinic = disk.store.known.clinicName
    if let clinic {
      let words = owner == .clinic ? "" : ", although control.owner is \"\(owner.rawValue)\""
      log.write(.notice, "this device belongs to \(clinic)\(words): auricle device")
    }
    let rule = (isSystems ? AccessRule.system : .person).on(deviceOf: clinic, configured: owner)
    let keptMute = KeptSilence(.mute, besideSocket: socket ?? paths.socket)
    let keptStop = KeptSilence(.stop, besideSocket: socket ?? paths.socket)
    let toldEnd = ToldEnd(
      besideSocket: socket ?? paths.socket, standard: named == nil ? paths.socket : nil)
    let facts = ServiceState.Facts(
      started: .now, processID: getpid(), restart: ward?.cause?.report,
      isMarkLeft: !toldEnd.isKept && (isMarkLeft || keptMute.isKept || keptStop.isKept),
      endsWhenStopped: options.endsWhenStopped,
      watchdogInterval: notifier.watchdogInterval,
      sharesCards: !isSystems, keepsWisdom: disk.wisdomPath != nil, rule: rule,
      configuredOwner: owner)

    let server = try one { () throws(Failure) in
      try ControlServer(
        path: socket ?? paths.socket, rule: rule, methods: .daemon,
        guardian: ward?.guardian, passed: passed)
    }
    let (claim, warning) = try disk.claim(on: found.settings.playbackDevice)
    // Only now: a start that fails before says nothing about the end of this one.
    toldEnd.forget()
    // Where another daemon has the book, that there is one was said instead.
    if let bookTrouble { log.write(.error, bookTrouble) }
    for warning in [warning, server.warning].compactMap(\.self) { log.write(.warning, warning) }
    // A daemon that is started for the sound is to play: a stop that is left is another daemon's.
    if options.endsWhenStopped { keptStop.forget() }
    let isMuted = keptMute.isKept
    let state = ServiceState(
      facts, configuration: loaded, configured: found.settings.hearing, refused: found.refused,
      leftOut: found.leftOut, known: disk.store.known,
      bookTrouble: bookTrouble, programs: programs, feedback: feedback, playback: claim, isMuted: isMuted,
      isStopped: keptStop.isKept)
    var settings = found.settings
    settings.hearing = state.heard
    let aid = HearingAid(settings: settings)
    if isMuted {
      aid.mute()
      log.write(.notice, "muted, as before the daemon was ended")
    }
    log.write(
      .info, "auricled \(Version.number), configuration \(loaded.file ?? "none"), socket \(server.path)")

    do throws(Failure) {
      let parts = Supervisor.Parts(
        aid: aid, server: server, disk: try SerialWorker("auricle-disk") { (job: DiskJob) in job(disk) },
        feedback: try FeedbackWorker(aid),
        procedures: try ProcedureWorker(
          aid, folder: disk.stateFolder.map { ProcedureFolder(state: $0) }),
        // The state leaves out what is not important enough.
        log: try LogWriter(MessageLog(threshold: .debug)), buses: DaemonBuses(hasSession: !isSystems),
        notifier: notifier, keptMute: keptMute, keptStop: keptStop, toldEnd: toldEnd,
        keptConfiguration: keptConfiguration,
        lockMemory: {
          // Pages of the program that only the start needed are not to be locked.
          ProgramPages.release()
          let lock = MemoryLock.lockAll()
          if case .refused = lock { log.write(.warning, "\(lock)") }
          return lock
        }, declareEnd: { ward?.declareEnd() })
      return Supervisor(state, parts)
    } catch { throw ConfigurationFailures(failures: [error]) }
  }

  /// One failure as a list.
  private static func one<Value: ~Copyable>(
    _ body: () throws(Failure) -> Value
  ) throws(ConfigurationFailures) -> Value {
    do throws(Failure) { return try body() } catch { throw ConfigurationFailures(failures: [error]) }
  }
}
