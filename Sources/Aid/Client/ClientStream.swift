import Base
import CLinux
import Glibc

/// A connection to the daemon's socket that never waits longer than it was told.
final class ClientStream {
  private let subject: String
  let descriptor: Int32
  /// Answers are longer than questions: a device list, or gains of forty bands for two ears.
  private var input = LineBuffer(limit: 1 << 20)
  /// Most bytes that are read at once.
  private static let chunk = 1 << 14
  /// Looks at the socket that are left once the time is over.
  private var lastLooks = 0

  /// Longest that a connection is waited for, s: a day. A time without end has no whole seconds.
  private static let longestTimeout = 86_400.0

  /// - Parameters:
  ///   - timeout: s, as the nearest from 0 to a day; 0 where it is not a number.
  ///   - kind: Of the socket, for messages.
  init(path: String, timeout: Double, kind: String = "control socket") throws(Failure) {
    subject = "\(kind) \(path)"
    try Self.checkFolder(of: path, subject)
    guard let address = UnixAddress(path) else {
      throw Failure(
        subject, found: "a path of \(path.utf8.count) bytes",
        expected: "1 to \(UnixAddress.longestPath) bytes", exit: .usage)
    }
    descriptor = clinux_unix_stream_socket()
    guard descriptor >= 0 else { throw Failure.socket(-descriptor, subject, "make a socket") }
    // Where the daemon's queue is full, connect(2) waits for its turn in the queue as long as send(2) may
    // (unix(7)); one that does not block would come too late again and again while others flood it.
    let timeout = min(max(0, timeout), Self.longestTimeout)
    var limit = timeval(
      tv_sec: Int(timeout), tv_usec: Int(timeout.truncatingRemainder(dividingBy: 1) * 1e6))
    if timeout < 1e-6 { limit.tv_usec = 1 }
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let deadline = SystemTime.monotonic + timeout
    while address.withPointer({ connect(descriptor, $0, $1) }) != 0 {
      let code = errno
      // All properties are set: throwing runs deinit, which closes. Closing here too would close whatever
      // another thread has opened meanwhile.
      guard code == EINTR, SystemTime.monotonic < deadline else {
        throw Self.refusal(code, subject, path)
      }
    }
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      throw Failure.socket(errno, subject, "read it without waiting")
    }
  }

  deinit { close(descriptor) }

  /// User of the process that listens (SO_PEERCRED); nil where the system does not tell.
  var peerUserID: UInt32? {
    var (process, user, group) = (pid_t(), uid_t(), gid_t())
    return clinux_peer_credentials(descriptor, &process, &user, &group) < 0 ? nil : user
  }

  /// True where the peer has closed the connection.
  var hasEnded: Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Refuses a socket in the last resort under `/tmp` that somebody else has put there: its "muted" could be a lie.
  private static func checkFolder(of path: String, _ subject: String) throws(Failure) {
    guard let owner = StandardPaths.stranger(besideSocket: path, user: geteuid()) else { return }
    throw Failure(
      subject, found: "a folder that belongs to user \(owner)", expected: "one of user \(geteuid())",
      remedy: "Somebody else made \(FilePath.folder(of: path)); do not trust what answers there.",
      exit: .noPermission)
  }

  private static func refusal(_ code: Int32, _ subject: String, _ path: String) -> Failure {
    func unavailable(_ found: String, _ remedy: String) -> Failure {
      Failure(subject, found: found, expected: "a running auricled", remedy: remedy, exit: .unavailable)
    }
    return switch code {
    case ENOENT, ENOTDIR: unavailable("no daemon there", startAdvice(path))
    case ECONNREFUSED: unavailable("a socket whose daemon has gone", startAdvice(path))
    // It is there: a command must not go on as if none were.
    case EAGAIN:
      Failure(
        subject, found: "a daemon that accepts no connection", expected: "one that answers",
        remedy: "It hangs or is busy: try again, or look at its log.", exit: .temporary)
    case EACCES, EPERM:
      Failure(
        subject, found: "no permission for user \(geteuid()) to connect", expected: owners(of: path),
        remedy: "Ask as one of them.", exit: .noPermission)
    case ENOTSOCK, EPROTOTYPE:
      unavailable("something that is not a daemon's socket", "Give the right path with --socket.")
    default: Failure.socket(code, subject, "connect to it")
    }
  }

  /// Whole sentences on the way to an aid that runs.
  private static func startAdvice(_ path: String) -> String {
    let advice = StartAdvice.current(asking: path)
    guard !advice.isSystems, StandardPaths.systemsIsClosed else { return advice.sentence }
    return "The system's daemon is for root and members of group auricle. "
      + "Start one of your own: \(advice.command)."
  }

  /// Names who may connect, as far as the permissions of the socket or its folder show it.
  private static func owners(of path: String) -> String {
    var status = stat()
    let isSocket = stat(path, &status) == 0
    guard isSocket || stat(FilePath.folder(of: path), &status) == 0 else {
      return "the daemon's user or root"
    }
    let isOpenToGroup = status.st_mode & (isSocket ? S_IWGRP : S_IXGRP) != 0
    return isOpenToGroup
      ? "user \(status.st_uid), a member of group \(status.st_gid), or root"
      : "user \(status.st_uid) or root"
  }

  // MARK: - Lines

  /// Begins a time in which lines are written and read.
  ///
  /// A program that the machine has held up takes what came meanwhile, up to the longest line; a peer that sends without a pause
  /// does not keep it.
  ///
  /// - Returns: The end of it, monotonic s.
  func deadline(after timeout: Double) -> Double {
    lastLooks = input.limit / Self.chunk
    return SystemTime.monotonic + timeout
  }

  func write(_ bytes: [UInt8], before deadline: Double) throws(Failure) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        clinux_send(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent)
      }
      if count > 0 {
        sent += count
      } else if count == -Int(EAGAIN) {
        guard try wait(for: POLLOUT, before: deadline) else { return }
      } else if count == -Int(EPIPE) || count == -Int(ECONNRESET) {
        // Perhaps the daemon said why before it hung up: reading tells.
        return
      } else if count != -Int(EINTR) {
        throw Failure.socket(Int32(-count), subject, "write to it")
      }
    }
  }

  /// The next line; nil when none came in time.
  func readLine(before deadline: Double) throws(Failure) -> [UInt8]? {
    while true {
      switch input.next() {
      case .whole(let line): return line
      case .tooLong:
        throw Failure(
          subject, found: "an answer of more than \(input.limit) bytes", exit: .protocolMismatch)
      case nil: break
      }
      guard try wait(for: POLLIN, before: deadline) else { return nil }
      var chunk = [UInt8](repeating: 0, count: Self.chunk)
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        input.append(chunk[..<count])
      } else if count == 0 || errno == ECONNRESET {
        throw Failure(
          subject, found: "that the daemon hung up", expected: "an answer",
          remedy: "It was stopped, or dropped this connection; look at its log.", exit: .unavailable)
      } else if errno != EAGAIN, errno != EINTR {
        throw Failure.socket(errno, subject, "read from it")
      }
    }
  }

  /// Waits until there is something to read or room to write.
  ///
  /// - Parameter deadline: Of ``deadline(after:)``.
  /// - Returns: False when there was not in time.
  /// - Throws: ``Failure`` where that cannot be waited for: it would be tried again without end.
  private func wait(for event: Int32, before deadline: Double) throws(Failure) -> Bool {
    while true {
      let left = deadline - SystemTime.monotonic
      let isLast = !(left > 0)
      if isLast {
        guard lastLooks > 0 else { return false }
        lastLooks -= 1
      }
      var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let ready = poll(&polled, 1, isLast ? 0 : Int32(min(left * 1000, 60_000).rounded(.up)))
      let code = ready < 0 ? errno : EIO
      // Of a peer that has gone, reading and writing tell.
      if ready > 0, polled.revents & Int16(event | POLLHUP) != 0 { return true }
      if ready != 0, code != EINTR { throw Failure.socket(code, subject, "wait for it") }
      if isLast { return false }
    }
  }
}

/// Address of a Unix socket: a path, or with a leading `@` a name in the abstract namespace (unix(7)).
package struct UnixAddress {
  /// Longest path, bytes: `sun_path` less its closing zero.
  package static let longestPath = 107

  private var address = sockaddr_un()
  private let size: socklen_t

  /// Nil when the path is empty, longer than ``longestPath``, or has a zero byte in it.
  package init?(_ path: String) {
    var bytes = [UInt8](path.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.longestPath, !bytes.contains(0) else { return nil }
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // An abstract name's length is the address's; a path ends with its zero.
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    size = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
  }

  package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}

extension Failure {
  /// A call of the system about a socket or its files that failed.
  ///
  /// - Parameters:
  ///   - code: Of errno(3).
  ///   - action: Action that was tried, `connect to it`.
  package static func socket(_ code: Int32, _ subject: String, _ action: String) -> Failure {
    let isPermission = code == EACCES || code == EPERM || code == EROFS
    return Failure(
      subject, found: "that user \(geteuid()) cannot \(action): \(SystemError.words(for: code))",
      exit: isPermission ? .noPermission : .system)
  }
}
