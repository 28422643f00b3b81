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
