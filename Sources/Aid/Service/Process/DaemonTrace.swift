import AuricleClient
import Glibc

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
