import Base
import CLinux
import Control
import Glibc

/// The daemon's socket in the file system, and the lock that makes it the only one.
///
/// A lock file beside the socket decides who the daemon is; the kernel frees it however the daemon ends. A
/// socket left behind by one that was killed is removed only by the holder of the lock, and only when nobody
/// answers on it. One that a service manager passed on is taken as it is, and left where it lies.
final class ListeningSocket: Sendable {
  /// Connections that wait to be accepted, at most: no more than one round of ``ControlServer`` accepts. Where there
  /// are as many, connect(2) waits; in a longer queue a command would stand behind all that a flood has put there.
  private static let longestQueue: Int32 = 64

  let path: String
  let descriptor: Int32
  private let lock: SocketLock
  /// True for a socket of this daemon's own, which ends with it.
  private let isOwn: Bool
  /// Why further groups cannot connect, a sentence; nil: they can, or there are none.
  let warning: String?
  /// The socket in the file system; its descriptor is another file.
  private let identity: FileIdentity?

  /// - Parameter passed: Socket from a service manager; nil: one is made.
  /// - Throws: ``Failure``: ``ExitStatus/temporary`` when another daemon runs, ``ExitStatus/noPermission``
  ///   when the folder is not ours or not safe, ``ExitStatus/configuration`` when the path cannot be used.
  init(path: String, rule: AccessRule, guardian: Int32? = nil, passed: PassedSocket? = nil) throws(Failure)
  {
    guard !path.hasPrefix("@"), let address = UnixAddress(path) else {
      throw Failure(
        "control socket \(path)", found: "a path of \(path.utf8.count) bytes",
        expected: "1 to \(UnixAddress.longestPath) bytes and no leading @",
        remedy: "Set control.socket to a shorter path.", exit: .configuration)
    }
    let file = path + ".lock"
    lock = try SocketLock(path: file, folderMode: rule.folderMode, guardian: guardian) { owner in
      Failure(
        "auricled", found: "it already running\(owner)", expected: "no other daemon with lock file \(file)",
        remedy: "Use that one, or end it: auricle stop --daemon.", exit: .temporary)
    }
    do throws(Failure) {
      if let passed {
        try passed.settle(at: path, mode: rule.socketMode)
        descriptor = passed.descriptor
      } else {
        try Self.removeStale(path, address)
        descriptor = try Self.bound(path, address, mode: rule.socketMode)
      }
      try Self.listen(descriptor, path, isOwn: passed == nil)
    } catch {
      lock.release()
      throw error
    }
    self.path = path
    isOwn = passed == nil
    identity = FileIdentity(at: path)
    warning = Self.admit(rule, to: path)
  }

  /// True while socket and lock lie where clients and other daemons look for them.
  var isInPlace: Bool { lock.isInPlace && isSocketInPlace }

  /// True where another daemon has begun at this place.
  var isTakenOver: Bool { !lock.isInPlace && access(path + ".lock", F_OK) == 0 }

  private var isSocketInPlace: Bool { identity?.isStill(at: path) ?? true }

  /// Removes a socket that a daemon left behind, and its lock.
  ///
  /// - Throws: ``Failure``: ``ExitStatus/temporary`` when somebody holds the lock or answers on the socket.
  static func clear(_ path: String) throws(Failure) {
    guard let address = UnixAddress(path) else {
      throw Failure("control socket \(path)", inWords: "This is no path of a socket", exit: .usage)
    }
    let lock = try SocketLock(path: path + ".lock") { owner in
      Failure("control socket \(path)", inWords: "A daemon is there now\(owner)", exit: .temporary)
    }
    defer { lock.release() }
    try removeStale(path, address)
  }

  /// Takes a socket of one's own away, then the lock, then the folder if it was made for them and nothing else is in it.
  func close() {
    // Where it was taken away, another daemon's may lie there by now.
    if isOwn, isSocketInPlace { unlink(path) }
    Glibc.close(descriptor)
    lock.release()
  }

  /// Lets members of further groups through the folder to the socket.
  private static func admit(_ rule: AccessRule, to path: String) -> String? {
    let groups = rule.furtherGroups
    let isAdmitted =
      GroupAccess(mode: rule.socketMode, groups: groups).grant(at: path)
      && GroupAccess(mode: rule.folderMode, groups: groups).grant(at: FilePath.folder(of: path))
    return isAdmitted
      ? nil : "audiologists and developers cannot connect: no access control list on \(path) or its folder"
  }

  /// True for a socket in the file system on which nobody answers.
  static func isLeft(_ path: String) -> Bool {
    var status = stat()
    guard let address = UnixAddress(path), lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK
    else { return false }
    let probe = clinux_nonblocking_unix_stream_socket()
    guard probe >= 0 else { return false }
    defer { Glibc.close(probe) }
    return address.withPointer({ connect(probe, $0, $1) }) != 0 && errno == ECONNREFUSED
  }

  /// Removes a socket on which nobody answers.
  private static func removeStale(_ path: String, _ address: UnixAddress) throws(Failure) {
    let subject = "control socket \(path)"
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw Failure(
        subject, found: "something that is not a socket", expected: "nothing, or a socket left behind",
        remedy: "Move it away, or set control.socket to another path.", exit: .configuration)
    }
    // A full queue of a living daemon must not block this one's start.
    let probe = clinux_nonblocking_unix_stream_socket()
    guard probe >= 0 else { throw Failure.socket(-probe, subject, "make a socket") }
    defer { Glibc.close(probe) }
    if address.withPointer({ connect(probe, $0, $1) }) == 0 || errno == EAGAIN {
      let owner = Peer(of: probe).map { ", process \($0.processID)" } ?? ""
      throw Failure(
        subject, found: "another program listening\(owner)", expected: "a free socket",
        remedy: "End it, or set control.socket to another path.", exit: .temporary)
    }
    guard errno == ECONNREFUSED else {
      if errno == ENOENT { return }
      throw Failure.socket(errno, subject, "ask who listens")
    }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw Failure.socket(errno, subject, "remove the socket left behind")
    }
  }

  /// - Returns: A socket's descriptor, in the file system under `path`.
  private static func bound(_ path: String, _ address: UnixAddress, mode: UInt32) throws(Failure) -> Int32 {
    let subject = "control socket \(path)"
    let descriptor = clinux_nonblocking_unix_stream_socket()
    guard descriptor >= 0 else { throw Failure.socket(-descriptor, subject, "make a socket") }
    var isBound = false
    defer { if !isBound { Glibc.close(descriptor) } }
    // Before bind, so that the file never has wider permissions: Linux takes them from the socket's own.
    fchmod(descriptor, mode_t(mode))
    guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
      throw Failure.socket(errno, subject, "make it")
    }
    // The umask may have narrowed them.
    guard chmod(path, mode_t(mode)) == 0 else {
      defer { unlink(path) }
      throw Failure.socket(errno, subject, "set its permissions")
    }
    isBound = true
    return descriptor
  }

  /// Listens; of a socket that somebody else listens on this shortens the queue.
  private static func listen(_ descriptor: Int32, _ path: String, isOwn: Bool) throws(Failure) {
    // One that was passed on may wait: the daemon would stand still after the last connection.
    guard isOwn || fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, Glibc.listen(descriptor, longestQueue) == 0
    else {
      let code = errno
      Glibc.close(descriptor)
      if isOwn { unlink(path) }
      throw Failure.socket(code, "control socket \(path)", "listen on it")
    }
  }
}
