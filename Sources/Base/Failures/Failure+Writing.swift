import Glibc

extension Failure {
  /// A file that could not be written.
  package static func writing(_ path: String, _ error: SystemError) -> Failure {
    switch error.code {
    case ENOENT, ENOTDIR:
      Failure(
        path, found: "no folder \(FilePath.folder(of: path))", expected: "an existing folder",
        remedy: "Make it first.",
        exit: .cannotCreate)
    case EACCES, EPERM, EROFS:
      Failure(
        path, found: "no permission to write there (\(error.words))",
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
      Failure(path, found: "that writing it fails: \(error.words)", exit: .inputOutput)
    }
  }
}

extension WholeFile {
  /// Replaces a file of this program's own, which is for its owner alone.
  ///
  /// - Throws: ``Failure``; the file is then as it was.
  package static func save(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(Failure) {
    do throws(SystemError) { try write(bytes, to: path, mode: mode) } catch { throw .writing(path, error) }
  }
}
