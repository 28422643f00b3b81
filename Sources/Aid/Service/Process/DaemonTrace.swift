import Base
import Glibc

/// The daemon of a socket, as the lock file beside it tells. Nothing is connected to: where a service manager keeps the socket, a
/// connection would start the daemon, and with it sound that somebody may have ended on purpose.
///
/// - Threads: any.
package enum DaemonTrace: Sendable, Equatable {
  /// One runs, with this process ID.
  case running(Int32)
  /// None runs.
  case absent
  /// Not to be told: another user's lock file cannot be read while the daemon runs, and a name in the abstract namespace has none.
  case unknown

  package init(ofSocket path: String) {
    guard !path.hasPrefix("@") else {
      self = .unknown
      return
    }
    do throws(Failure) {
      let bytes = try FileContent.bytes(of: path + ".lock", limit: 64)
      let number = Int32(String(decoding: bytes.prefix { $0 != .newline }, as: UTF8.self))
      guard let number, number > 0 else {
        self = .unknown
        return
      }
      self = Self.isDaemon(number) ? .running(number) : .absent
    } catch { self = error.exitStatus == .noInput ? .absent : .unknown }
  }

  /// The lock file of a killed daemon stays, and its number may be another program's by now. Names of processes that cannot be
  /// read (mount option hidepid, proc(5)) tell nothing.
  private static func isDaemon(_ number: Int32) -> Bool {
    guard kill(number, 0) == 0 || errno == EPERM else { return false }
    guard let name = try? FileContent.bytes(of: "/proc/\(number)/comm", limit: 64) else { return true }
    return name.starts(with: program.utf8)
  }

  /// Beginning of this program's names.
  private static let program = "auricle"
}
