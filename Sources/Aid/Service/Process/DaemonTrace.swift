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
  /// Not to be told: another user's lock file that is held cannot be read, and a name in the abstract namespace has none.
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
    } catch {
      switch error.exitStatus {
      case .noInput: self = .absent
      // The one that another user's daemon left when it was killed is held by nobody.
      case .noPermission: self = Self.isHeld(path + ".lock") == false ? .absent : .unknown
      default: self = .unknown
      }
    }
  }

  /// True where a process has a lock on the file (flock(2)), which the kernel tells everybody (proc_locks(5)); nil where that cannot be
  /// told.
  ///
  ///     2: FLOCK  ADVISORY  WRITE 812 00:1b:838605 0 EOF
  static func isHeld(_ path: String) -> Bool? {
    var status = stat()
    guard stat(path, &status) == 0, let bytes = try? FileContent.bytes(of: "/proc/locks", limit: 1 << 20)
    else { return nil }
    // Some file systems have another device here than stat(2) tells, so that the file's number alone decides.
    let file = ":\(status.st_ino)"
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      return words.count > 5 && words[1] == "FLOCK" && words[5].hasSuffix(file)
    }
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
