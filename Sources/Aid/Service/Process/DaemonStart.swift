import Base
import Control
import Engine
import Glibc
import HearingDSP
import Realtime

/// Start of a daemon: reads everything, takes the socket and the playback device, and makes the aid, which is still silent.
///
/// - Threads: the main thread, before any other exists.
struct DaemonStart {
  /// Longest that a start waits for a book that another process holds, s: silence that is hardly noticed at
  /// a start. It is tried again every second then.
  private static let lockPatience = 0.5

  private let options: DaemonOptions
  private let ward: Guardian.Ward?
  private let paths = StandardPaths.current
  private let search: ConfigurationSearch
  /// The socket that this daemon was told by its user; nil: the configuration's, or the standard one.
  private let named: String?

  init(_ options: DaemonOptions, _ ward: Guardian.Ward?) {
    (self.options, self.ward) = (options, ward)
    search = ConfigurationSearch(explicit: options.configurationFile.map(Profile.absolute))
    named = options.socket ?? paths.namedSocket
  }

  /// - Parameter passed: A socket that the service manager has made; nil: none.
  func supervisor(_ passed: PassedSocket?) throws(ConfigurationFailures) -> Supervisor {
    let store = PrescriptionStore(paths, configuration: search)
    store.finishRestoration()
    let standing = DeviceStanding.current
    _ = store.follow(standing)
    let bookTrouble = store.open(patience: Self.lockPatience)?.logMessage
    let known = store.known
    let keptConfiguration = KeptConfiguration(besideSocket: named ?? paths.socket)
    let isMarkLeft = KeptState.isLeft(besideSocket: named ?? paths.socket)
    let found = try keptConfiguration.settings(
      search, isAudiogramHeard: known.prescribed == .byConfiguration)
    let configuration = found.loaded.configuration
    let log = MessageLog(threshold: configuration.log.level)
    Self.tell(found, log)
    let socket = named ?? configuration.control.socket ?? paths.socket
    // Another one may be configured by now than when the last daemon began.
    func keptSilence(_ kind: KeptSilence.Kind) -> KeptSilence {
      KeptSilence(
        kind, besideSocket: socket, standard: paths.socket, isNamed: named != nil,
        configuration: found.loaded.file)
    }
    let silence = (mute: keptSilence(.mute), stop: keptSilence(.stop))
    let disk = ServiceDisk(
      folder: paths.stateDirectory, store: store, keptConfiguration: keptConfiguration,
      keptSilences: [silence.mute, silence.stop], claimFolder: paths.runtimeDirectory, search: search
    ) { [search] in search.load() }
    let kept = Self.readKept(disk, log)
    if let trouble = standing.trouble(for: geteuid()) { log.write(.error, trouble.logMessage) }
    do { try RealtimeThread.installCPUTimeFallback() } catch { log.write(.warning, "\(error)") }

    let toldEnd = ToldEnd(besideSocket: socket, standard: named == nil ? paths.socket : nil)
    let notifier = ServiceNotifier()
    let isLeft = isMarkLeft || silence.mute.isKept || silence.stop.isKept
    let facts = ServiceState.Facts(
      started: .now, processID: getpid(), restart: ward?.cause?.report,
      isMarkLeft: !toldEnd.isKept && isLeft, endsWhenStopped: options.endsWhenStopped,
      watchdogInterval: notifier.watchdogInterval, sharesCards: !isSystems,
      keepsWisdom: disk.wisdomPath != nil,
      rule: rule(of: known.clinicName, configuration.control.owner, log),
      configuredOwner: configuration.control.owner)

    let server = try ConfigurationFailures.one { () throws(Failure) in
      try ControlServer(
        path: socket, rule: facts.rule, methods: .daemon, guardian: ward?.guardian, passed: passed)
    }
    let (claim, warning) = try disk.claim(on: found.settings.playbackDevice)
    // Only now: a start that fails before says nothing about the end of this one.
    for line in toldEnd.forgetOrTell() { log.write(line) }
    // Where another daemon has the book, that there is one was said instead.
    if let bookTrouble { log.write(.error, bookTrouble) }
    for warning in [warning, server.warning].compactMap(\.self) { log.write(.warning, warning) }
    // A daemon that is started for the sound is to play: a stop that is left is another daemon's.
    if options.endsWhenStopped, let line = silence.stop.forgetOrTell() { log.write(line) }
    let isMuted = silence.mute.isKept
    let state = ServiceState(
      facts, configuration: found.loaded, configured: found.settings.hearing, refused: found.refused,
      refusedDevices: found.refusedDevices, leftOut: found.leftOut, known: known, bookTrouble: bookTrouble,
      programs: kept.programs, feedback: kept.feedback, playback: claim, isMuted: isMuted,
      isStopped: !options.endsWhenStopped && silence.stop.isKept)
    let aid = Self.silentAid(found.settings, heard: state.heard, isMuted: isMuted, log)
    log.write(
      .info,
      "auricled \(Version.number), configuration \(found.loaded.file ?? "none"), socket \(server.path)")

    do throws(Failure) {
      let parts = Supervisor.Parts(
        aid: aid, server: server, disk: try SerialWorker("auricle-disk") { (job: DiskJob) in job(disk) },
        feedback: try FeedbackWorker(aid),
        procedures: try ProcedureWorker(
          aid, folder: disk.stateFolder.map { ProcedureFolder(state: $0) }),
        // The state leaves out what is not important enough.
        log: try LogWriter(MessageLog(threshold: .debug)), buses: DaemonBuses(hasSession: !isSystems),
        notifier: notifier, keptMute: silence.mute, keptStop: silence.stop, toldEnd: toldEnd,
        keptConfiguration: keptConfiguration, lockMemory: { Self.lockMemory(log) },
        declareEnd: { [ward] in ward?.declareEnd() })
      return Supervisor(state, parts)
    } catch { throw ConfigurationFailures(failures: [error]) }
  }

  private var isSystems: Bool { paths.isSystemsDaemon(named: named) }

  /// Tells why the configuration in force is not that of the file, or not all of it.
  private static func tell(_ found: KeptConfiguration.Found, _ log: MessageLog) {
    for failure in found.refused { log.write(.error, failure.logMessage) }
    if !found.refused.isEmpty {
      log.write(.error, "the configuration that was in force before the daemon was ended stays in force")
    }
    if let refusal = found.refusedDevices { log.write(.error, refusal) }
    if let leftOut = found.leftOut {
      log.write(.warning, KeptConfiguration.sentence(leavingOut: leftOut))
    }
  }

  /// Reads what earlier runs have kept, and tells what is wrong with it.
  private static func readKept(
    _ disk: ServiceDisk, _ log: MessageLog
  ) -> (programs: ProgramSelection, feedback: MeasuredFeedback) {
    let (programs, feedback, problems) = disk.readKept()
    for problem in problems { log.write(.warning, problem) }
    if let path = disk.wisdomPath, FFTPlanning.recallWisdom(from: path) == .damaged {
      log.write(.warning, "\(path): found damaged plans of FFTW; they are measured again and kept anew.")
    }
    return (programs, feedback)
  }

  /// Users who may connect, and what they may.
  ///
  /// - Parameter clinic: The clinic to which the device belongs; nil: it is the wearer's.
  private func rule(
    of clinic: String?, _ owner: Configuration.Owner, _ log: MessageLog
  ) -> AccessRule {
    if let clinic {
      let words = owner == .clinic ? "" : ", although control.owner is \"\(owner.rawValue)\""
      log.write(.notice, "this device belongs to \(clinic)\(words): auricle device")
    }
    return (isSystems ? AccessRule.system : .person).on(deviceOf: clinic, configured: owner)
  }

  /// The aid, silent, and muted where the last daemon was.
  private static func silentAid(
    _ settings: AidSettings, heard: HearingSettings, isMuted: Bool, _ log: MessageLog
  ) -> HearingAid {
    var settings = settings
    settings.hearing = heard
    let aid = HearingAid(settings: settings)
    if isMuted {
      aid.mute()
      log.write(.notice, "muted, as before the daemon was ended")
    }
    return aid
  }

  private static func lockMemory(_ log: MessageLog) -> MemoryLock {
    // Pages of the program that only the start needed are not to be locked.
    ProgramPages.release()
    let lock = MemoryLock.lockAll()
    if case .refused = lock { log.write(.warning, "\(lock)") }
    return lock
  }
}
