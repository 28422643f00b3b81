import Base
import CLinux
import Glibc

/// The process that starts the daemon of a socket again when a signal ends it, as commands see it.
package struct DaemonGuardian: Sendable {
  /// Its name in the process table; the kernel keeps 15 bytes.
  package static let name = "auricled-guard"

  package let processID: Int32

  /// Nil when the daemon of this socket has none, or it has ended.
  ///
  /// The lock file beside the socket has its number, after the daemon's; it stays when the daemon is killed.
  package init?(ofSocket path: String) {
    guard let bytes = try? FileContent.bytes(of: path + ".lock", limit: 64) else { return nil }
    let numbers = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard numbers.count > 1, let number = Int32(numbers[1]), number > 1 else { return nil }
    processID = number
    guard isAlive else { return nil }
  }

  /// True while it is there; a number alone may be another process's by now. One that has ended is `Z`
  /// (proc(5)) until its parent asks.
  package var isAlive: Bool {
    let file = "/proc/\(processID)/stat"
    guard let bytes = try? FileContent.bytes(of: file, limit: 4096) else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    let beginning = "\(processID) (\(Self.name)) "
    return text.hasPrefix(beginning) && !text.dropFirst(beginning.count).hasPrefix("Z")
  }

  /// Asks it to end, with the daemon that it is starting.
  ///
  /// - Parameter time: s.
  /// - Returns: True when it has ended within `time`.
  package func end(within time: Double) -> Bool {
    kill(processID, SIGTERM)
    let end = SystemTime.monotonic + time
    while isAlive {
      guard SystemTime.monotonic < end else { return false }
      usleep(20_000)
    }
    return true
  }
}

/// Cause of a start of a guarded daemon after another one.
struct RestartCause: Sendable, Equatable {
  /// The signal that ended the last process.
  let signal: Int32
  /// Time of its end, s since 1970-01-01 UTC.
  let time: Double
  /// Starts again since the guardian began.
  let count: Int

  /// `illegal instruction, SIGILL`.
  var words: String {
    signal == SIGKILL
      ? "SIGKILL, sent by somebody or because memory ran out"
      : "\(String(cString: clinux_signal_words(signal))), \(String(cString: clinux_signal_name(signal)))"
  }

  var report: StatusReport.Restart { StatusReport.Restart(count: count, unixSeconds: time, reason: words) }
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
