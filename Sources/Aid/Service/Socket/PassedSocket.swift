import Base
import CSystemd
import Glibc

/// The control socket as a service manager made it and passes it on with the start (sd_listen_fds(3)): the first who connects
/// starts the daemon, and it stays when the daemon ends.
///
/// Who may do what is decided as on a socket of one's own: by its permissions, and of each connection by its peer.
package struct PassedSocket: Sendable {
  let descriptor: Int32

  /// Takes what was passed to this process, out of the environment too: no program that it starts takes it up again.
  ///
  /// - Returns: Nil when nothing was passed, or to another process.
  /// - Throws: ``Failure`` with ``ExitStatus/configuration`` when it is not one listening stream socket of Unix.
  /// - Threads: main, before any other exists.
  static func take() throws(Failure) -> PassedSocket? {
    let count = sd_listen_fds(1)
    guard count >= 0 else {
      throw wrong("LISTEN_PID and LISTEN_FDS that cannot be read, \(SystemError.words(for: -count))")
    }
    guard count > 0 else { return nil }
    guard count == 1 else { throw wrong("\(count) sockets") }
    let descriptor = SD_LISTEN_FDS_START
    guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
      throw wrong("a socket of another kind")
    }
    return PassedSocket(descriptor: descriptor)
  }

  /// Gives it the permissions that the daemon gives to its own.
  ///
  /// - Parameters:
  ///   - path: Place in which clients look for the daemon.
  ///   - mode: Permissions.
  /// - Throws: ``Failure``: ``ExitStatus/configuration`` when it is another one than that at `path`,
  ///   ``ExitStatus/noPermission`` when it is another user's.
  func settle(at path: String, mode: UInt32) throws(Failure) {
    let subject = "control socket \(path)"
    guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, path, 0) > 0 else {
      throw Failure(
        subject, found: "a socket of another path from the service manager",
        expected: "the path of this daemon",
        remedy: "Set ListenStream= of auricled.socket and control.socket to the same path.",
        exit: .configuration)
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw Failure(
        subject, found: "that the service manager's socket was taken away", expected: "it in its place",
        remedy:
          "Run: \(path == DeviceGuard.socket ? "sudo systemctl" : "systemctl --user") restart auricled.socket",
        exit: .configuration)
    }
    guard status.st_uid == geteuid() else {
      throw Failure(
        subject, found: "user \(status.st_uid) as its owner", expected: "user \(geteuid())",
        remedy: "Set SocketUser= of auricled.socket to the user of auricled.service.", exit: .noPermission)
    }
    guard chmod(path, mode_t(mode)) == 0 else {
      throw Failure.socket(errno, subject, "set its permissions")
    }
  }

  private static func wrong(_ found: String) -> Failure {
    Failure(
      "socket from the service manager", found: found, expected: "one listening Unix stream socket",
      remedy: "Give auricled.socket one ListenStream= with a path.", exit: .configuration)
  }
}
