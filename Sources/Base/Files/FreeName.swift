import CLinux
import Glibc

/// Names that a file takes only where nothing has them.
///
/// No call does that on every file system, so that one after another is tried: FAT and exFAT know no links, NFS and some
/// file systems in user space no renaming that spares what is there.
///
/// - Threads: any but audio.
enum FreeName {
  /// Gives the file of the first name the second one; its result is an `errno`, 0 when it has it.
  typealias Way = (_ hidden: String, _ path: String) -> Int32

  /// Gives a file that has a hidden name another.
  ///
  /// The hidden name may still be there afterwards, and is for the caller to remove.
  ///
  /// - Parameter ways: Tried in this order, for tests.
  /// - Throws: ``SystemError``: `EEXIST` where something has the name, which it keeps.
  static func take(
    _ path: String, for hidden: String, by ways: [Way] = [Self.renaming, Self.linking, Self.claiming]
  ) throws(SystemError) {
    var code = EOPNOTSUPP
    for way in ways {
      code = way(hidden, path)
      if code == 0 { return }
      guard isUnknownWay(code) else { break }
    }
    throw SystemError(code: code)
  }

  /// Renames in one step, since Linux 4.9 on FAT and exFAT too.
  static func renaming(_ hidden: String, _ path: String) -> Int32 {
    -clinux_rename_without_replacing(hidden, path)
  }

  /// A second name of the same file.
  static func linking(_ hidden: String, _ path: String) -> Int32 { link(hidden, path) == 0 ? 0 : errno }

  /// Makes an empty file of that name, which fails where something has it, and renames over it.
  ///
  /// A process killed in between leaves the empty file.
  static func claiming(_ hidden: String, _ path: String) -> Int32 {
    let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard claim >= 0 else { return errno }
    close(claim)
    guard rename(hidden, path) != 0 else { return 0 }
    let code = errno
    unlink(path)
    return code
  }

  /// True for the errors of a call that a file system, or a filter of system calls, does not know. They are EPERM for
  /// link(2), EINVAL for renameat2(2), EMLINK where a file has one name at most, and the others of file systems in user space.
  private static func isUnknownWay(_ code: Int32) -> Bool {
    [EINVAL, ENOSYS, EPERM, EOPNOTSUPP, ENOTTY, EMLINK].contains(code)
  }
}
