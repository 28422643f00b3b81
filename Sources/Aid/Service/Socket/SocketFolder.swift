import Base
import Control
import Glibc

/// The folder of the control socket: made when missing, refused when others could put their own socket there.
enum SocketFolder {
  /// - Parameter mode: Permissions of a folder that is made.
  /// - Returns: Whether the folder was made, and is thus this daemon's to remove.
  /// - Throws: ``Failure``.
  @discardableResult
  static func prepare(for socket: String, mode: UInt32) throws(Failure) -> Bool {
    let folder = FilePath.folder(of: socket)
    let subject = "folder \(folder)"
    let isMade = mkdir(folder, mode_t(mode)) == 0
    if !isMade, errno != EEXIST {
      if errno == ENOENT {
        throw Failure(
          subject, found: "no folder \(FilePath.folder(of: folder)) to make it in",
          expected: "an existing folder",
          remedy: "Make it, or set control.socket to another path.", exit: .configuration)
      }
      throw Failure.socket(errno, subject, "make it")
    }
    var status = stat()
    // In a folder where everybody may write, such as /tmp, a link is somebody's trick.
    let isExposed = isOpenToAll(FilePath.folder(of: folder))
    let result = isExposed ? lstat(folder, &status) : stat(folder, &status)
    guard result == 0 else { throw Failure.socket(errno, subject, "look at it") }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(subject, found: "something that is not a folder", exit: .configuration)
    }
    let user = geteuid()
    let isTrusted = status.st_uid == user || (status.st_uid == 0 && !isExposed)
    guard isTrusted else {
      throw Failure(
        subject, found: "user \(status.st_uid) as its owner", expected: "user \(user)",
        remedy: "Set control.socket to a folder of your own.", exit: .noPermission)
    }
    let isSticky = status.st_mode & S_ISVTX != 0
    guard status.st_mode & 0o022 == 0 || isSticky else {
      throw Failure(
        subject, found: "permissions \(octal(status.st_mode)), with which others may write",
        expected: octal(mode), remedy: "Run: chmod \(octal(mode)) \(folder)", exit: .noPermission)
    }
    return isMade
  }

  /// Removes the folder if nothing is in it.
  static func removeIfEmpty(for socket: String) { rmdir(FilePath.folder(of: socket)) }

  private static func isOpenToAll(_ folder: String) -> Bool {
    var status = stat()
    return stat(folder, &status) == 0 && status.st_mode & S_IWOTH != 0
  }

  private static func octal(_ mode: mode_t) -> String { String(mode & 0o7777, radix: 8) }
}
