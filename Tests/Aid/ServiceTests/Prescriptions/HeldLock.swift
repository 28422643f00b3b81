import Base
import Control
import Glibc
import Synchronization

/// A book's lock in another's hands, as another process would hold it: locks of flock(2) belong to the open file.
final class HeldLock: Sendable {
  private let descriptor: Mutex<Int32?>

  init(of path: String) throws(Failure) {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard opened >= 0, flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(path, found: "a lock that cannot be taken", exit: .software)
    }
    descriptor = Mutex(opened)
  }

  deinit { release() }

  func release() {
    descriptor.withLock {
      if let opened = $0 { close(opened) }
      $0 = nil
    }
  }
}
