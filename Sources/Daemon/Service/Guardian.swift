import CLinux
import Control
import Glibc
import Realtime

/// A process that does nothing but start the daemon again when a signal has ended it, where no service manager does.
///
/// It is the daemon's parent, made before anything else: what ends the daemon cannot end it too, and both share the memory
/// of the program. If it ends itself, the sound goes on, without it.
struct Guardian {
  /// The daemon's side: the guardian's process, and the way to tell it that an end is meant.
  struct Ward: Sendable {
    let guardian: Int32
    /// Why the daemon was started again; nil: it was not.
    let cause: RestartCause?
    /// An event counter.
    let ending: Int32

    /// Tells the guardian that the daemon shall end, so that even a crash on the way is not followed by a start.
    func declareEnd() { clinux_eventfd_signal(ending) }
  }

  /// Signals handed on to the daemon.
  private static let forwarded = [SIGTERM, SIGINT, SIGHUP, SIGUSR1]

  private let log: MessageLog
  private let ending: Int32
  private var budget = RestartBudget()
  private var cause: RestartCause?
  private var isEnding = false

  /// Makes the daemon's process, and returns in it; the guardian itself stays in here, and ends as the last daemon did.
  ///
  /// - Threads: main, before any other exists.
  static func guardedProcess(log: MessageLog) -> Ward {
    var guardian = Guardian(log: log)
    return guardian.startedProcess()
  }

  private init(log: MessageLog) {
    self.log = log
    ending = clinux_eventfd()
  }

  private mutating func startedProcess() -> Ward {
    // Whoever began it may have ignored its children's ends; and the log may be full.
    Glibc.signal(SIGCHLD, SIG_DFL)
    Glibc.signal(SIGPIPE, SIG_IGN)
    Glibc.signal(SIGXFSZ, SIG_IGN)
    var mask = Self.watched
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    // Shown by ps and top, and looked for by commands.
    clinux_set_thread_name(DaemonGuardian.name)
    while true {
      let guardian = getpid()
      let process = clinux_fork()
      if process == 0 { return ward(of: guardian) }
      // Code that only the start ran stays with the daemon.
      ProgramPages.letGo()
      guard process > 0 else {
        log.write(.error, "the daemon cannot be started: \(Failure.words(for: -process))")
        exit(ExitStatus.system.rawValue)
      }
      let status = wait(for: process)
      guard let signal = Self.signal(of: status) else { exit((status >> 8) & 0xFF) }
      restart(after: signal)
    }
  }

  /// The daemon's side of a fork.
  private func ward(of guardian: Int32) -> Ward {
    clinux_set_thread_name("auricled")
    // The others stay blocked until the daemon reads them: one that came on the way is not lost.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGCHLD)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    return Ward(guardian: guardian, cause: cause, ending: ending)
  }

  /// Waits for a process, and hands signals on to it.
  ///
  /// - Returns: How it ended, as waitpid(2) tells it.
  private mutating func wait(for process: pid_t) -> Int32 {
    var mask = Self.watched
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) != process {
      var signal: Int32 = 0
      guard sigwait(&mask, &signal) == 0, signal != SIGCHLD else { continue }
      if signal == SIGTERM || signal == SIGINT { isEnding = true }
      kill(process, signal)
    }
    return status
  }

  /// Notes the end of a daemon that was not meant to end; does not return when no other is to be started.
  private mutating func restart(after signal: Int32) {
    if clinux_eventfd_take(ending) > 0 { isEnding = true }
    let cause = RestartCause(signal: signal, time: Moment.now, count: (self.cause?.count ?? 0) + 1)
    let ended = "the daemon was ended by a signal (\(cause.words))"
    guard !isEnding else {
      log.write(.error, "\(ended) while it was ending")
      exit(ExitStatus.software.rawValue)
    }
    guard budget.takes(at: Self.now) else {
      log.write(
        .error,
        "\(ended) and is not started again: that was done \(RestartBudget.most) times within "
          + "\(Int(RestartBudget.window)) s. Start it with: auricle start")
      exit(ExitStatus.software.rawValue)
    }
    self.cause = cause
    log.write(.error, "\(ended) and is started again, at most \(RestartBudget.most) times a minute")
  }

  /// The signal that ended a process; nil when it ended by itself.
  static func signal(of status: Int32) -> Int32? {
    let signal = status & 0x7F
    return signal == 0 ? nil : signal
  }

  private static var watched: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in forwarded + [SIGCHLD] { sigaddset(&set, number) }
    return set
  }

  /// s since the machine started, suspension included.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
