import Files
import Glibc

/// A file that either appears whole or not at all.
///
/// The bytes reach the disk before they take the name in one step, so a reader never sees half a file and a
/// failure leaves an older one untouched. What is not an ordinary file, such as a pipe or `/dev/stdout`, is
/// written to directly.
struct AtomicFile {
  /// `write(2)`, replaced in tests to force its errors.
  typealias Write = (_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int

  /// Where the file shall stand.
  let path: String
  /// Permissions of a new file, of which the user's umask takes its part.
  var mode: mode_t = 0o666
  var write: Write = { Glibc.write($0, $1, $2) }

  /// - Throws: ``PictureError/cannotWrite(path:code:)``, ``PictureError/diskFull(path:)``.
  func replace(with bytes: [UInt8]) throws(PictureError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(EISDIR) }
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure(errno) }
      defer { close(descriptor) }
      return try put(bytes, into: descriptor)
    }

    let draft: FileDraft
    do throws(SystemError) {
      draft = try FileDraft(of: resolved, mode: UInt32(mode))
    } catch {
      throw failure(error.code)
    }
    try put(bytes, into: draft.descriptor)
    do throws(SystemError) {
      try draft.publish()
    } catch {
      throw failure(error.code)
    }
  }

  /// The path with links followed, so that a link is kept and its target replaced.
  private var resolved: String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func put(_ bytes: [UInt8], into descriptor: Int32) throws(PictureError) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      if written < 0 {
        if errno == EINTR { continue }
        throw failure(errno)
      }
      guard written > 0 else { throw failure(EIO) }
      done += written
    }
  }

  private func failure(_ code: Int32) -> PictureError {
    code == ENOSPC || code == EDQUOT ? .diskFull(path: path) : .cannotWrite(path: path, code: code)
  }
}
