import Base
import Control
import Glibc

/// A file that one process at a time can hold, with that process's number in it.
final class SocketLock: Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Parameters:
  ///   - guardian: The process that starts this one again, whose number follows this one's.
  ///   - refusal: What is said when another process holds it; nil for a process that left no number.
  /// - Throws: ``Failure``; `refusal` when another process holds it.
  init(path: String, guardian: Int32? = nil, refusal: (_ owner: Int32?) -> Failure) throws(Failure) {
    self.path = path
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        throw Failure.socket(errno, "lock file \(path)", "open it")
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        defer { close(descriptor) }
        guard code == EWOULDBLOCK else {
          throw Failure.socket(code, "lock file \(path)", "lock it")
        }
        throw refusal(Self.owner(in: descriptor))
      }
      // The last holder may have removed the file between opening and locking; then this lock is on nothing.
      if Self.isSame(descriptor, path) {
        self.descriptor = descriptor
        break
      }
      close(descriptor)
    }
    let text = [UInt8]([getpid(), guardian].compactMap(\.self).map { "\($0)\n" }.joined().utf8)
    // Cut afterwards: a command that reads the file meanwhile finds the guardian in it at any time.
    _ = pwrite(descriptor, text, text.count, 0)
    ftruncate(descriptor, off_t(text.count))
  }

  /// Whether the file still lies where others look for it.
  var isInPlace: Bool { FileIdentity(of: descriptor)?.isStill(at: path) ?? true }

  /// Removes the file while it is held, then lets go.
  func release() {
    // Where it was taken away, another's may lie there by now.
    if isInPlace { unlink(path) }
    close(descriptor)
  }

  private static func owner(in descriptor: Int32) -> Int32? {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: buffer[..<count], as: UTF8.self).prefix { $0.isNumber })
  }

  /// What a daemon says that finds the lock of its own socket held.
  static func held(by owner: Int32?, _ path: String) -> Failure {
    let process = owner.map { ", PID \($0)" } ?? ""
    return Failure(
      "auricled", found: "it already running\(process)", expected: "no other daemon with lock file \(path)",
      remedy: "Use that one, or end it: auricle stop --daemon.", exit: .temporary)
  }

  private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (held, named) = (stat(), stat())
    guard fstat(descriptor, &held) == 0, stat(path, &named) == 0 else { return false }
    return held.st_dev == named.st_dev && held.st_ino == named.st_ino
  }
}

/// Which file it is, however it is called: to notice that another lies in its place.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Nil when it cannot be looked at.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of what lies at `path`, a link itself; nil when it cannot be looked at.
  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether it lies at `path`. What cannot be looked at is not known to be gone.
  func isStill(at path: String) -> Bool {
    if let found = FileIdentity(at: path) { return found == self }
    return errno != ENOENT && errno != ENOTDIR
  }
}
