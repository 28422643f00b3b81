import Glibc

/// A file that either appears whole or not at all.
///
/// The bytes go to a temporary file in the same folder, reach the disk, and take the name in one step
/// (`rename(2)`), so a reader never sees half a file and a failure leaves an older one untouched. What is
/// not an ordinary file, such as a pipe or `/dev/stdout`, is written to directly.
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

    let destination = resolved
    let (temporary, descriptor) = try openTemporary(beside: destination)
    do throws(PictureError) {
      defer { close(descriptor) }
      try put(bytes, into: descriptor)
      guard fsync(descriptor) == 0 else { throw failure(errno) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, destination) == 0 else {
      let code = errno
      unlink(temporary)
      throw failure(code)
    }
  }

  /// The path with links followed, so that a link is kept and its target replaced.
  private var resolved: String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func openTemporary(beside destination: String) throws(PictureError) -> (String, Int32) {
    let folder = destination.lastIndex(of: "/").map { destination[...$0] } ?? ""
    guard folder.count < destination.count else { throw failure(EISDIR) }
    while true {
      // Not mkstemp: its mode of 0600 would survive the renaming; `mode` lets the user's umask decide.
      let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
      let temporary = "\(folder).auricle-\(number).part"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor >= 0 { return (temporary, descriptor) }
      guard errno == EEXIST || errno == EINTR else { throw failure(errno) }
    }
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
