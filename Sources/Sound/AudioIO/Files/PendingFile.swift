import Base
import Glibc

/// A sound file being written, which takes its name only when it is whole.
///
/// If it is abandoned, nothing is left of it, and what has the name keeps it.
///
/// - Threads: one at a time.
final class PendingFile {
  let path: String
  /// Nil once it has its name.
  private var draft: FileDraft?
  /// The draft's, for libsndfile's calls; not open after ``commit(replacing:)``.
  private let descriptor: Int32
  /// Why the first failed write failed, `errno`; 0 while all is well.
  private(set) var failure: Int32 = 0
  /// Bytes of the first failed write.
  private(set) var failedBytes = 0

  /// - Throws: ``SoundFileError/unwritable(path:errno:)`` when the folder does not take it.
  /// - Parameter mode: Permissions, of which the user's umask takes its part.
  convenience init(path: String, mode: UInt32 = 0o666) throws(SoundFileError) {
    do throws(SystemError) { self.init(try FileDraft(of: path, mode: mode)) } catch {
      throw .unwritable(path: path, errno: error.code)
    }
  }

  init(_ draft: consuming FileDraft) {
    path = draft.path
    descriptor = draft.descriptor
    self.draft = consume draft
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
    // A file system without a limit may tell any number of blocks.
    let (bytes, isMore) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isMore ? .max : Int(clamping: bytes)
  }

  /// Gives the file its real name, once its bytes are on the disk.
  ///
  /// - Parameter replacing: False: a file that has the name stays, and this fails.
  /// - Throws: ``SoundFileError``, after which nothing is left of it.
  func commit(replacing: Bool) throws(SoundFileError) {
    guard failure == 0 else { throw error }
    let free = freeBytes
    do throws(SystemError) { try draft.take()?.publish(replacing: replacing) } catch {
      failure = error.code
      throw self.error(free: free)
    }
  }

  /// The failure as an error, before ``commit(replacing:)``.
  var error: SoundFileError { error(free: freeBytes) }

  private func error(free: Int) -> SoundFileError {
    failure == ENOSPC || failure == EDQUOT
      ? .diskFull(path: path, needed: failedBytes, free: free) : .unwritable(path: path, errno: failure)
  }
}
