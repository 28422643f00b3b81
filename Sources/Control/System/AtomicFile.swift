import Files
import Glibc

/// A file that appears whole or not at all.
///
/// ``commit()`` brings the content to the disk and gives it its name in one step. Until then, and when the value
/// goes away uncommitted, the name keeps what it had.
///
///     let file = try AtomicFile(replacing: path)
///     try file.write(bytes)
///     try file.commit()
///
/// - Threads: control.
public struct AtomicFile: ~Copyable {
  private let draft: FileDraft

  /// Begins the file.
  ///
  /// - Parameters:
  ///   - path: The file to make or replace; a symbolic link is replaced, not followed.
  ///   - mode: Its permissions. Default: the owner alone.
  /// - Throws: ``Failure`` when the folder is missing or may not be written.
  public init(replacing path: String, mode: UInt32 = 0o600) throws(Failure) {
    let slash = path.lastIndex(of: "/")
    guard slash.map({ path.index(after: $0) }) ?? path.startIndex != path.endIndex else {
      throw Failure(path, found: "no file name", expected: "the name of a file", exit: .cannotCreate)
    }
    do throws(SystemError) {
      draft = try FileDraft(of: path, mode: mode)
    } catch {
      throw Self.failure(error.code, path, folder: slash.map { String(path[...$0]) } ?? ".")
    }
    // Whatever the umask is.
    fchmod(draft.descriptor, mode_t(mode))
  }

  init(_ draft: consuming FileDraft) { self.draft = draft }

  /// Adds bytes.
  ///
  /// - Throws: ``Failure`` when the disk is full or fails.
  public borrowing func write(_ bytes: [UInt8]) throws(Failure) {
    do throws(SystemError) {
      try draft.write(bytes)
    } catch {
      throw Self.failure(error.code, draft.path, folder: "")
    }
  }

  /// Brings the content to the disk and gives it its name.
  ///
  /// - Throws: ``Failure``; then nothing is left of the new content.
  public consuming func commit() throws(Failure) {
    let path = draft.path
    do throws(SystemError) {
      try draft.publish()
    } catch {
      throw Self.failure(error.code, path, folder: "")
    }
  }

  /// Replaces the content of `path` at once.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(Failure) {
    let file = try AtomicFile(replacing: path, mode: mode)
    try file.write(bytes)
    try file.commit()
  }

  private static func failure(_ code: Int32, _ path: String, folder: String) -> Failure {
    switch code {
    case ENOENT, ENOTDIR:
      Failure(
        path, found: "no folder \(folder)", expected: "an existing folder", remedy: "Make it first.",
        exit: .cannotCreate)
    case EACCES, EPERM, EROFS:
      Failure(
        path, found: "no permission to write there (\(Failure.words(for: code)))",
        expected: "a folder that user \(geteuid()) may write", exit: .noPermission)
    case ENOSPC, EDQUOT:
      Failure(
        path, found: "no space left on its disk", expected: "room for the file",
        remedy: "Nothing was changed; make room and try again.", exit: .inputOutput)
    case EFBIG:
      Failure(
        path, found: "the limit of file size reached (ulimit -f)", expected: "room for the file",
        remedy: "Nothing was changed; raise the limit and try again.", exit: .inputOutput)
    case EISDIR:
      Failure(path, found: "a folder of that name", expected: "a file", exit: .cannotCreate)
    default:
      Failure(path, found: "that writing it fails: \(Failure.words(for: code))", exit: .inputOutput)
    }
  }
}
