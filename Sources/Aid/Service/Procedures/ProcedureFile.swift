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

  /// Takes a record away to which nothing could be added.
  func remove() { unlink(path) }

  /// Adds a line.
  ///
  /// - Parameter isSafe: True: it is on the disk when this returns.
  /// - Throws: ``SystemError``; then nothing was added. Of a file that somebody else has made shorter or longer it is `ESTALE`.
  func add(_ line: ProcedureLine, isSafe: Bool) throws(SystemError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    guard status.st_size == length else { throw SystemError(call: "write", code: ESTALE) }
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
    length += off_t(bytes.count)
    if isSafe, fdatasync(descriptor) != 0 { throw .last }
  }
}
