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
      self = kill(number, 0) == 0 || errno == EPERM ? .running(number) : .absent
    } catch { self = error.exitStatus == .noInput ? .absent : .unknown }
  }
}
