import Base
import CLinux
import Control
import Engine
import Glibc
import HearingDSP
import Realtime

/// A whole daemon as one call: what `auricled` and `auricle run` are.
package enum DaemonProcess {
  /// Longest that a start waits for a book that another process holds, s: silence that is hardly noticed at a start.
  /// It is tried again every second then.
  private static let lockPatience = 0.5

  /// Runs a daemon until it is told to end.
  ///
  /// In this order: configuration, lock and socket, sound, service. What fails is written to standard error.
  ///
  /// - Parameters:
  ///   - options: From the command line.
  ///   - program: Name for messages.
  /// - Returns: How the process exits.
  /// - Threads: the main thread, before any other exists.
  package static func run(_ options: DaemonOptions, program: String) -> ExitStatus {
    do throws(ConfigurationFailures) {
      return try prepared(options)
    } catch {
      // Who sits at a terminal has asked; everything else keeps what it gets.
      let failures = FailureText(program: program, isLog: isatty(STDERR_FILENO) == 0)
      let text = [UInt8](failures.text(for: error.failures).utf8)
      _ = write(STDERR_FILENO, text, text.count)
      return FailureText.exitStatus(for: error.failures)
    }
  }

  /// Prepares the process before it is a daemon: room for its files, privacy, somebody who starts it again, and a last
  /// line for the log.
  private static func prepared(_ options: DaemonOptions) throws(ConfigurationFailures) -> ExitStatus {
    umask(0o077)
    PrivateMemory.begin()
    let log = MessageLog(threshold: .info)
    try one { () throws(Failure) in try ProcessLimits.prepare() }
    if options.isGuarded { Guardian.run(options, log: log) }
    let ward = options.ward.flatMap { Guardian.Ward($0) }
    ward?.prepareProcess()
    do {
      try FatalSignals.report(to: STDERR_FILENO, isJournal: log.isJournal)
    } catch {
      log.write(.warning, "a crash leaves no line here: \(error)")
    }
    return try serve(options, ward)
  }

  private static func serve(
    _ options: DaemonOptions, _ ward: Guardian.Ward?
  ) throws(ConfigurationFailures) -> ExitStatus {
    let inbox = try one { () throws(Failure) in try SignalInbox() }
    let search = ConfigurationSearch(explicit: options.configurationFile)
    let paths = StandardPaths.current
    let named = options.socket ?? paths.namedSocket
    let keptConfiguration = KeptConfiguration(besideSocket: named ?? paths.socket)
    let (loaded, asked, refused) = try keptConfiguration.settings(search)
    let log = MessageLog(threshold: loaded.configuration.log.level)
    for failure in refused { log.write(.error, failure.logMessage) }
    if !refused.isEmpty {
      log.write(.error, "the configuration that was in force before the daemon was ended stays in force")
    }

    let state = StateMemory(paths.stateDirectory)
    for problem in state.problems { log.write(.warning, problem) }
    if let path = state.wisdomPath, FFTPlanning.recallWisdom(from: path) == .damaged {
      log.write(.warning, "\(path): found damaged plans of FFTW; they are measured again and kept anew.")
    }
    let desk = PrescriptionDesk(paths)
    let bookTrouble = desk.open(patience: Self.lockPatience)?.logMessage
    if let bookTrouble { log.write(.error, bookTrouble) }

    do {
      try RealtimeThread.installCPUTimeFallback()
    } catch {
      log.write(.warning, "\(error)")
    }
    // What only the start ran is not to be locked.
    ProgramPages.letGo()
    let memoryLock = MemoryLock.lockAll()
    let prescribed = desk.prescribed
    var settings = asked
    settings.hearing = state.feedback.informed(
      state.dial.adjusted(asked.hearing.following(prescribed)))
    let socket = named ?? loaded.configuration.control.socket
    let daemon = Daemon(
      HearingAid(settings: settings), options: options, configuration: loaded, log: log, desk: desk,
      applied: prescribed, configured: asked.hearing, bookTrouble: bookTrouble, dial: state.dial,
      feedback: state.feedback, memoryLock: memoryLock, wisdomPath: state.wisdomPath,
      claimFolder: paths.runtimeDirectory, ward: ward,
      keptMute: KeptMute(besideSocket: socket ?? paths.socket), keptConfiguration: keptConfiguration,
      refused: refused
    ) { search.load() }

    let isSystems = socket == nil && paths.runtimeDirectory == "/run/auricle"
    let server = try one { () throws(Failure) in
      let server = try ControlServer(
        path: socket ?? paths.socket, rule: isSystems ? .group : .person,
        methods: MethodTable(daemon), handler: daemon, guardian: ward?.guardian
      ) { daemon.write($0) }
      daemon.restoreMute()
      try server.start()
      return server
    }
    do throws(ConfigurationFailures) {
      try daemon.claimPlayback()
    } catch {
      // Its thread would keep the server, and with it the socket, beyond this function.
      server.stop()
      throw error
    }
    if refused.isEmpty { daemon.disk.submit { [daemon] in daemon.keepConfiguration() } }
    log.write(
      .info, "auricled \(Version.number), configuration \(loaded.file ?? "none"), socket \(server.path)")
    if case .refused = memoryLock { log.write(.warning, "\(memoryLock)") }

    let end = daemon.run(inbox, notifier: ServiceNotifier(), isReachable: { server.isReachable }) {
      server.publish($0)
    }
    // Before clients see that it has gone: who starts another at once finds the book free.
    let isClosed = daemon.closeBook()
    // One that is to be started again goes on as it was.
    if end.status != .temporary {
      daemon.keptMute?.forget()
      keptConfiguration.forget()
    }
    daemon.releasePlayback()
    server.stop()
    // An audio thread that a device holds up, or a disk that does not answer, cannot be waited for; the kernel takes
    // them along.
    if !end.isAtRest || !isClosed { _exit(end.status.rawValue) }
    return end.status
  }

  /// One failure as a list.
  private static func one<Value: ~Copyable>(
    _ body: () throws(Failure) -> Value
  ) throws(ConfigurationFailures) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw ConfigurationFailures(failures: [error])
    }
  }
}
