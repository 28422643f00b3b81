import Glibc

/// One process at a time: an advisory lock, which the kernel drops with the process.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Throws: ``BookError/lockedBy(process:path:)``.
  init(_ path: String) throws(BookError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFile.failure(errno, path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      defer { close(descriptor) }
      guard code == EWOULDBLOCK else { throw PrivateFile.failure(code, path) }
      var text = [UInt8](repeating: 0, count: 16)
      let count = max(0, pread(descriptor, &text, text.count, 0))
      throw .lockedBy(process: Int32(String(decoding: text[..<count], as: UTF8.self)), path: path)
    }
    // For the message to others only; a full disk may not stop the book from being read.
    let text = Array(String(getpid()).utf8)
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit { close(descriptor) }
}
