import AuricleClient
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

extension DaemonTrace {
  /// Socket of the system's aid where it runs and is the person's, who has left a socket at the usual place that nobody serves; nil: there
  /// is no such aid.
  ///
  /// One that a connection would have to start is not asked: somebody may have ended it on purpose.
  ///
  /// - Parameter path: The person's own socket, which nobody named.
  package static func systemsSocket(insteadOf path: String) -> String? {
    let systems = StandardPaths.systemsSocket
    guard path != systems, access(path, F_OK) == 0, DaemonTrace(ofSocket: path) == .absent,
      DaemonTrace(ofSocket: systems) != .absent, StartAdvice.current(asking: systems).isSystems
    else { return nil }
    return systems
  }

  /// True where a process left its socket behind. Without the lock file beside it a service manager keeps the socket, and where the daemon
  /// has a guardian the next one answers in a moment.
  package static func isLeft(_ path: String) -> Bool {
    access(path, F_OK) == 0 && access(path + ".lock", F_OK) == 0 && DaemonTrace(ofSocket: path) == .absent
      && DaemonGuardian(ofSocket: path) == nil
  }
}
