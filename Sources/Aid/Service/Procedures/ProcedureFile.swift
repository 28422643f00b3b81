import Base
import Control
import Glibc

/// A record on the disk, to which a line is added as soon as something has happened.
///
/// A line is whole or not there: one that was cut off by a kill is taken away when the record is opened again. Answers are on the disk
/// before the next sound.
///
/// - Threads: the procedure's.
final class ProcedureFile {
  let path: String
  private let descriptor: Int32
  private var length: off_t

  /// Longest record read, bytes: a hearing test of both ears has a tenth of it.
  static let greatestSize = 16 << 20

  /// Makes a record of its owner's alone.
  ///
  /// - Throws: ``SystemError``; of a record of that name it is `EEXIST`.
  convenience init(making path: String) throws(SystemError) {
    try self.init(path, flags: O_WRONLY | O_CREAT | O_EXCL, length: 0)
    WholeFile.synchronize(folder: FilePath.folder(of: path))
  }

  /// Opens a record behind its last whole line.
  ///
  /// - Parameter length: Bytes of the whole lines.
  convenience init(continuing path: String, length: Int) throws(SystemError) {
    try self.init(path, flags: O_WRONLY, length: off_t(length))
    guard ftruncate(descriptor, self.length) == 0 else { throw .last }
  }

  private init(_ path: String, flags: Int32, length: off_t) throws(SystemError) {
    descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
    (self.path, self.length) = (path, length)
  }

  deinit { close(descriptor) }

  /// Refuses to go on in a file that nobody will find, or whose end is elsewhere, and takes back rights of others to it.
  private func checkPlace() throws(SystemError) {
    var (own, named) = (stat(), stat())
    guard fstat(descriptor, &own) == 0 else { throw .last }
    guard own.st_size == length, lstat(path, &named) == 0, named.st_ino == own.st_ino,
      named.st_dev == own.st_dev
    else { throw SystemError(call: "write", code: ESTALE) }
    if own.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
  }

  /// Takes a record away to which nothing could be added.
  func remove() { unlink(path) }

  /// Adds a line.
  ///
  /// - Parameter isSafe: True: it is on the disk when this returns.
  /// - Throws: ``SystemError``; then nothing was added. Of a file that somebody else has moved, removed, or made shorter or longer it
  ///   is `ESTALE`.
  func add(_ line: ProcedureLine, isSafe: Bool) throws(SystemError) {
    try checkPlace()
    guard let text = try? JSON.bytes(line) else { throw SystemError(call: "write", code: EINVAL) }
    let bytes = text + [UInt8(ascii: "\n")]
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { memory in
        pwrite(descriptor, memory.baseAddress! + written, bytes.count - written, length + off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = count == 0 ? ENOSPC : errno
        ftruncate(descriptor, length)
        throw SystemError(call: "write", code: code)
      }
      written += count
    }
    if isSafe, fdatasync(descriptor) != 0 {
      // Whoever is told that it failed goes on from the line before: a result that stays would end a record that is called left.
      let error = SystemError.last
      ftruncate(descriptor, length)
      throw error
    }
    length += off_t(bytes.count)
  }
}
