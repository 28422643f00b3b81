import Base

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
    start = Self.spent
  }

  private static var spent: Duration { .seconds(SystemTime.thread) }

  /// Whether all is spent.
  var isSpent: Bool { isSpent(with: .zero) }

  /// Whether all is spent when a running program's time is counted too.
  func isSpent(with running: Duration) -> Bool {
    Self.spent - start + elsewhere + running >= limit
      || ContinuousClock.now - wallStart >= limit * Self.patience
  }

  /// Counts a program that has ended.
  func charge(_ time: Duration) { elsewhere += time }
}
