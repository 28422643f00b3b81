import Base
import CLinux
import Glibc
import Realtime

/// A process that does nothing but start the daemon again when a signal has ended it, where no service
/// manager does.
///
/// It is the daemon's parent, and begins before any thread exists. If it ends itself, the sound goes on,
/// without it.
struct Guardian {
  /// The daemon's side: the guardian's process, and the way to tell it that an end is meant.
  struct Ward: Sendable {
    let guardian: Int32
    /// Cause of the daemon's start after another one; nil: it is the first.
    let cause: RestartCause?
    /// An event counter.
    let ending: Int32

    /// Takes up what the guardian said on the command line.
    ///
    /// - Parameter word: ``word(ending:cause:)``; nil comes of any other.
    /// - Threads: main, before any other exists.
    init?(_ word: String) {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 4, let ending = Int32(parts[0]), let signal = Int32(parts[1]),
        let count = Int(parts[2]), let time = Double(parts[3]), time.isFinite,
        fcntl(ending, F_SETFD, FD_CLOEXEC) == 0
      else { return nil }
      guardian = getppid()
      cause = count > 0 ? RestartCause(signal: signal, time: time, count: count) : nil
      self.ending = ending
    }

    /// Gives the process its children's signal back.
    func prepareProcess() {
      // The guardian's other signals stay blocked until the daemon reads them: one that came on the way is
      // not lost.
      var mask = sigset_t([SIGCHLD])
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    }

    /// `DESCRIPTOR:SIGNAL:COUNT:TIME`, the last three 0 for a first start.
    static func word(ending: Int32, cause: RestartCause?) -> String {
      "\(ending):\(cause?.signal ?? 0):\(cause?.count ?? 0):\(cause?.time ?? 0)"
    }

    /// Tells the guardian that the daemon shall end, so that even a crash on the way is not followed by a
    /// start.
    func declareEnd() { clinux_eventfd_signal(ending) }
  }

  private let log: MessageLog
  private let ending = clinux_eventfd()
  private var budget = RestartBudget()
  private var cause: RestartCause?
  private var isEnding = false

  /// Starts the daemon, again and again, and ends as the last one did.
  ///
  /// - Threads: main, before any other exists.
  static func run(_ options: DaemonOptions, log: MessageLog) -> Never {
    var guardian = Guardian(log: log)
    guardian.guardDaemon(options)
  }

  private mutating func guardDaemon(_ options: DaemonOptions) -> Never {
    // Whoever began it may have ignored its children's ends; and the log may be full.
    Glibc.signal(SIGCHLD, SIG_DFL)
    Glibc.signal(SIGPIPE, SIG_IGN)
    Glibc.signal(SIGXFSZ, SIG_IGN)
    var mask = Self.watched
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    // Shown by ps and top, and looked for by commands.
    clinux_set_thread_name(DaemonGuardian.name)
    while true {
      let process = start(options)
      // After the start: where the log goes may not answer, and sound does not wait for it.
      if let cause, process > 0 {
        log.write(
          .error,
          "the daemon was ended by a signal (\(cause.words)) and is started again, at most "
            + "\(RestartBudget.most) times a minute")
      }
      // Code that only the start ran stays with the daemon.
      ProgramPages.release()
      guard process > 0 else {
        log.write(.error, "the daemon cannot be started: \(SystemError.words(for: -process))")
        exit(ExitStatus.system.rawValue)
      }
      let status = wait(for: process)
      switch ProcessEnding(status: status) {
      case .exit(let status): end(as: status)
      case .signal(let signal): restart(after: signal)
      }
    }
  }

  /// Starts this program once more, as the daemon itself.
  private func start(_ options: DaemonOptions) -> pid_t {
    var words = ["auricled", "--ward", Ward.word(ending: ending, cause: cause)]
    if options.endsWhenStopped { words.append("--ends-when-stopped") }
    if let socket = options.socket { words += ["--socket", socket] }
    if let file = options.configurationFile { words += ["--config", file] }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    return clinux_start_again(&arguments, ending)
  }

  /// Waits for a process, and hands signals on to it.
  ///
  /// - Returns: Its ending, as waitpid(2) tells it.
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
    let cause = RestartCause(signal: signal, time: SystemTime.wall, count: (self.cause?.count ?? 0) + 1)
    let ended = "the daemon was ended by a signal (\(cause.words))"
    guard !isEnding else {
      log.write(.error, "\(ended) while it was ending")
      exit(ExitStatus.software.rawValue)
    }
    guard budget.takes(at: SystemTime.running) else {
      log.write(
        .error,
        "\(ended) and is not started again: that was done \(RestartBudget.most) times within "
          + "\(Int(RestartBudget.window)) s. Start it with: auricle start")
      exit(ExitStatus.software.rawValue)
    }
    self.cause = cause
  }

  /// Ends as a daemon did that ended by itself.
  private func end(as status: Int32) -> Never {
    if let cause, status != ExitStatus.done.rawValue {
      log.write(
        .error,
        "the daemon that was started again after a crash (\(cause.words)) has ended with exit status \(status), for the "
          + "reason above; it is not started again. Start it with: auricle start")
    }
    exit(status)
  }

  private static var watched: sigset_t { sigset_t(SignalInbox.signals + [SIGCHLD]) }
}
