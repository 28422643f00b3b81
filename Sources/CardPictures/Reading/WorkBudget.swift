import Glibc

/// How much work one file may make: processor time of this thread and of a program that draws for it.
///
/// On a machine with nothing else to do that is the time one waits. On a busy one the same files are read as
/// on an idle one, only later: what is read must not depend on what else runs.
///
/// - Threads: the one that made it.
final class WorkBudget {
  /// Processor time allowed.
  let limit: Duration
  /// Processor time of programs that have ended.
  private var elsewhere = Duration.zero
  private let start: Duration
  private let wallStart = ContinuousClock.now

  /// Waiting allowed, as a multiple of the limit, so that a program that sleeps holds nobody either.
  private static let patience = 6

  init(_ limit: Duration) {
    self.limit = limit
    start = Self.time(of: CLOCK_THREAD_CPUTIME_ID)
  }

  /// Whether all is spent.
  var isSpent: Bool { isSpent(with: .zero) }

  /// Whether all is spent when a running program's time is counted too.
  func isSpent(with running: Duration) -> Bool {
    Self.time(of: CLOCK_THREAD_CPUTIME_ID) - start + elsewhere + running >= limit
      || ContinuousClock.now - wallStart >= limit * Self.patience
  }

  /// Counts a program that has ended.
  func charge(_ time: Duration) { elsewhere += time }

  /// Processor time of a running child; none when it has ended.
  static func time(ofProcess process: pid_t) -> Duration {
    var clock = clockid_t()
    return clock_getcpuclockid(process, &clock) == 0 ? time(of: clock) : .zero
  }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
