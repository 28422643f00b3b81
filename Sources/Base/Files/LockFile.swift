import Glibc

/// A file that one process at a time holds: an advisory lock, which the kernel frees with the process. The file stays when it is given back.
///
/// The corresponding C function is `flock`.
///
/// - Threads: `any`.
package final class LockFile: Sendable {
  /// Reason for which it is not held.
  package enum Refusal: Error {
    /// It cannot be opened or locked.
    case system(SystemError)
    /// Another process holds it, which has left this number; nil: it left none.
    case held(by: Int32?)
  }

  /// Of the open file.
  package let descriptor: Int32

  /// - Parameters:
  ///   - path: Made for its owner alone where it is missing; a link is refused.
  ///   - waits: True waits until nobody else holds it.
  package init(_ path: String, waits: Bool = false) throws(Refusal) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(SystemError(call: "open", code: errno)) }
    while flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      // The property is set: throwing runs deinit, which closes.
      switch code {
      case EINTR: continue
      case EWOULDBLOCK: throw .held(by: holder)
      default: throw .system(SystemError(call: "lock", code: code))
      }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Leaves numbers of processes in it, the holder's first, for the messages of those that are refused. A full disk hinders nobody.
  package func note(_ processes: [Int32]) {
    let text = [UInt8](processes.map { "\($0)\n" }.joined().utf8)
    // Cut afterwards: a command that reads the file meanwhile finds the last of them in it at any time.
    _ = pwrite(descriptor, text, text.count, 0)
    ftruncate(descriptor, off_t(text.count))
  }

  /// The first number in it.
  private var holder: Int32? {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = max(0, pread(descriptor, &buffer, buffer.count, 0))
    return Int32(String(decoding: buffer[..<count], as: UTF8.self).prefix { $0.isNumber })
  }
}
