import Control
import Glibc

/// Keeps two programs from giving out the same serial.
struct ClinicLock {
  private let descriptor: Int32

  /// Waits until no other program holds it.
  init(folder: String) throws(Failure) {
    let path = folder + "/lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        path, found: "that it cannot be opened: \(Failure.words(for: errno))", exit: .cannotCreate)
    }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let code = errno
        close(descriptor)
        throw Failure(path, found: "that it cannot be locked: \(Failure.words(for: code))", exit: .system)
      }
    }
  }

  func release() { close(descriptor) }
}
