import Base
import Control
import Glibc
import Service

/// The aid that a command would ask, found by the lock file beside its socket: where a service manager keeps the socket, a connection
/// would start the aid that the command refuses.
struct RunningAid {
  private let socket: SocketOption
  private let path: String

  init(_ socket: SocketOption) { (self.socket, path) = (socket, socket.path) }

  /// Refuses beside an aid that runs.
  ///
  /// - Parameter advice: Further sentences.
  func refuse(for subject: String, _ advice: String? = nil) throws(Failure) {
    guard let processID else { return }
    throw Failure(
      subject, found: "an aid that runs, process \(processID)", expected: "none",
      remedy: ["Stop it: auricle stop --daemon.", advice].compactMap(\.self).joined(separator: " "),
      exit: .temporary)
  }

  /// Refuses where a service manager keeps the socket, for what connects to it later on.
  func refuseKeptSocket(for subject: String) throws(Failure) {
    guard hasSocket, access(path + ".lock", F_OK) != 0, errno == ENOENT else { return }
    let manager = path == DeviceGuard.socket ? "sudo systemctl" : "systemctl --user"
    throw Failure(
      subject, found: "a socket by which systemd starts the aid, \(path)", expected: "none meanwhile",
      remedy: "Stop it: \(manager) stop auricled.socket auricled", exit: .temporary)
  }

  /// True where a connection could do nothing but start the aid: no process has the socket, nor one that is started again after a crash.
  var isBegunByConnection: Bool {
    hasSocket && DaemonTrace(ofSocket: path) == .absent && !isBegunAgain
  }

  private var hasSocket: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// True after a crash, where the next daemon answers in a moment.
  private var isBegunAgain: Bool { DaemonGuardian(ofSocket: path) != nil }

  /// Process of the daemon; nil: none runs.
  private var processID: Int32? {
    switch DaemonTrace(ofSocket: path) {
    case .running(let number): number
    case .absent: isBegunAgain ? told : nil
    case .unknown: told
    }
  }

  private var told: Int32? { (try? socket.client().ask(ReportMethods.Status()))?.daemon.pid }
}
