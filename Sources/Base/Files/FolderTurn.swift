import Glibc

/// The turn of one process in a folder, until this is gone: a lock on the folder itself, which leaves no file behind.
///
/// The corresponding C function is `flock`.
package final class FolderTurn {
  private let descriptor: Int32
  /// Time between two attempts, µs.
  private static let interval: UInt32 = 10_000

  /// Waits until no other process has it.
  ///
  /// - Parameter patience: s. By default as long as a file takes to be written on a slow disk (own choice): who may read a folder
  ///   may lock it, and keep it.
  /// - Throws: ``SystemError``, `EWOULDBLOCK` when another process still has it.
  package init(in folder: String, patience: Double = 5) throws(SystemError) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
    let end = SystemTime.monotonic + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      // The property is set: throwing runs deinit, which closes.
      guard code == EINTR || (code == EWOULDBLOCK && SystemTime.monotonic < end) else {
        throw SystemError(call: "flock", code: code)
      }
      usleep(Self.interval)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
