import AudioIO
import Base
import CLinux
import Control
import Glibc

/// Why a guarded daemon was started again.
struct RestartCause: Sendable, Equatable {
  /// The signal that ended the last process.
  let signal: Int32
  /// When it ended, s since 1970-01-01 UTC.
  let time: Double
  /// Starts again since the guardian began.
  let count: Int

  /// `illegal instruction, SIGILL`.
  var words: String {
    signal == SIGKILL ? "SIGKILL, by somebody or for want of memory" : Self.words(for: signal)
  }

  private static func words(for signal: Int32) -> String {
    "\(String(cString: clinux_signal_words(signal))), \(String(cString: clinux_signal_name(signal)))"
  }

  var report: StatusReport.Restart { StatusReport.Restart(count: count, time: time, reason: words) }
}

/// The bound on starting again: what ends at once every time shall not take the machine with it.
struct RestartBudget: Sendable {
  /// Most starts within ``window``.
  static let most = 3
  /// s.
  static let window = 60.0

  private var starts: [Double] = []

  /// True when another start is within the bound; it then counts.
  ///
  /// - Parameter now: s, of a clock that never goes back and counts suspension too.
  mutating func takes(at now: Double) -> Bool {
    starts.removeAll { now - $0 >= Self.window }
    guard starts.count < Self.most else { return false }
    starts.append(now)
    return true
  }
}

/// Sums drop-outs, so that the log has one line for many.
struct MishapSummary {
  /// Shortest time between two lines, s.
  static let interval = 10.0

  private var reported = StreamCounters()
  private var lastLine = -Double.infinity

  /// A line when something new has happened and the last line is long enough ago.
  ///
  /// - Parameters:
  ///   - fault: What happened last.
  ///   - now: s, of a clock that never goes back.
  mutating func line(_ counters: StreamCounters, last fault: StreamFault?, now: Double) -> LogLine? {
    noticeStream(counters)
    guard now - lastLine >= Self.interval, let line = rest(counters, last: fault) else { return nil }
    lastLine = now
    return line
  }

  /// A line when something has happened since the last one, however short ago that was.
  mutating func rest(_ counters: StreamCounters, last fault: StreamFault?) -> LogLine? {
    noticeStream(counters)
    let overruns = counters.overruns - reported.overruns
    let underruns = counters.underruns - reported.underruns
    let restarts = counters.restarts - reported.restarts
    let lost = counters.lostTime - reported.lostTime
    reported = counters
    guard overruns + underruns + restarts > 0 else { return nil }
    let milliseconds = (lost * 10_000).rounded() / 10
    let last = fault.map { ", last: \($0)" } ?? ""
    return LogLine(
      .warning,
      "sound dropped out: \(overruns) overruns, \(underruns) underruns, \(restarts) restarts, "
        + "\(milliseconds) ms lost\(last)")
  }

  /// A new stream counts from nothing.
  private mutating func noticeStream(_ counters: StreamCounters) {
    if counters.blocks < reported.blocks { reported = StreamCounters() }
  }
}

/// Signals as events of a descriptor instead of interruptions.
///
/// - Threads: created on the main thread before any other exists, because threads inherit what is blocked.
struct SignalInbox: ~Copyable {
  /// Readable when a signal waits.
  let descriptor: Int32

  /// Blocks SIGTERM, SIGINT, SIGHUP and SIGUSR1 everywhere, and ignores SIGPIPE and SIGXFSZ: a write beyond the limit of
  /// file size then fails with EFBIG.
  ///
  /// - Throws: ``Failure`` when the system has no descriptor left.
  init() throws(Failure) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP, SIGUSR1] { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = clinux_signalfd(&set)
    guard descriptor >= 0 else {
      throw Failure(
        "signals", found: "no descriptor: \(SystemError.words(for: -descriptor))", exit: .system)
    }
  }

  deinit { close(descriptor) }

  /// The next signal that waits; nil when none does.
  func next() -> Int32? {
    let number = clinux_signalfd_take(descriptor)
    return number > 0 ? number : nil
  }
}
