import Glibc

/// The turn of one process in a folder, until this is gone: a lock on the folder itself, which leaves no file behind.
///
/// The corresponding C function is `flock`.
package final class FolderTurn {
  private let descriptor: Int32

  /// Waits until no other process has it.
  ///
  /// - Throws: ``SystemError``.
  package init(in folder: String) throws(SystemError) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
    while flock(descriptor, LOCK_EX) != 0 {
      let code = errno
      guard code == EINTR else {
        close(descriptor)
        throw SystemError(call: "flock", code: code)
      }
    }
  }

  deinit { close(descriptor) }
}
