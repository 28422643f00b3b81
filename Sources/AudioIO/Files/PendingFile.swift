import Glibc

/// A file being written under another name, which takes its real name only when it is whole.
///
/// If it is abandoned, nothing is left of it, and what stood under the real name still stands.
///
/// - Threads: one at a time.
final class PendingFile {
  let path: String
  let temporaryPath: String
  private(set) var descriptor: Int32
  /// Why the first failed write failed, `errno`; 0 while all is well.
  private(set) var failure: Int32 = 0
  /// Bytes of the first failed write.
  private(set) var failedBytes = 0

  /// - Throws: ``SoundFileError/unwritable(path:errno:)`` when the folder does not take it.
  init(path: String) throws(SoundFileError) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    // Same folder, so that renaming does not copy. Two writers in one process differ in the address.
    temporaryPath = "\(folder).\(name).\(getpid()).partial"
    descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if descriptor < 0 && errno == EEXIST {
      // Ours is the only living process of this number: the file is a dead one's.
      unsafe unlink(temporaryPath)
      descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else { throw .unwritable(path: path, errno: errno) }
  }

  /// For tests: writes to a descriptor that is already open.
  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    temporaryPath = ""
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unsafe unlink(temporaryPath)
  }

  /// Writes all bytes, or notes why not.
  ///
  /// - Returns: Bytes written.
  func write(_ bytes: UnsafeRawPointer, count: Int) -> Int {
    var done = 0
    while done < count {
      let moved = unsafe Glibc.write(descriptor, bytes + done, count - done)
      if moved < 0 && errno == EINTR { continue }
      if moved <= 0 {
        if failure == 0 {
          failure = moved < 0 ? errno : EIO
          failedBytes = count - done
        }
        return done
      }
      done += moved
    }
    return done
  }

  func read(_ bytes: UnsafeMutableRawPointer, count: Int) -> Int {
    max(unsafe Glibc.read(descriptor, bytes, count), 0)
  }

  func seek(_ offset: Int, _ origin: Int32) -> Int { Int(lseek(descriptor, offset, origin)) }

  var length: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Bytes free to this user where the file lies.
  var freeBytes: Int {
    var status = statvfs()
    guard unsafe fstatvfs(descriptor, &status) == 0 else { return 0 }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Gives the file its real name, once its bytes are on the disk.
  ///
  /// - Throws: ``SoundFileError``, after which nothing is left of it.
  func commit() throws(SoundFileError) {
    if failure == 0, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if failure == 0, unsafe rename(temporaryPath, path) != 0 { failure = errno }
    guard failure == 0 else { throw error }
    close(descriptor)
    descriptor = -1
    syncFolder()
  }

  /// The failure as an error.
  var error: SoundFileError {
    failure == ENOSPC || failure == EDQUOT
      ? .diskFull(path: path, needed: failedBytes, free: freeBytes)
      : .unwritable(path: path, errno: failure)
  }

  /// Puts the new name on the disk too. Folders that cannot be synchronised are left to the system.
  private func syncFolder() {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
