import Glibc

extension Failure {
  /// A file that could not be written.
  package static func writing(_ path: String, _ error: SystemError) -> Failure {
    switch error.code {
    case ENOENT, ENOTDIR:
      Failure(
        path, inWords: "There is no folder \(FilePath.folder(of: path))", remedy: "Make it first.",
        exit: .cannotCreate)
    case EACCES, EPERM, EROFS:
      Failure(
        path, inWords: "User \(geteuid()) may not write there (\(error.words))", exit: .noPermission)
    case ENOSPC, EDQUOT:
      Failure(
        path, inWords: "No space is left on its disk",
        remedy: "Nothing was changed; make room and try again.", exit: .inputOutput)
    case EFBIG:
      Failure(
        path, inWords: "The file would exceed the limit of file size (ulimit -f)",
        remedy: "Nothing was changed; raise the limit and try again.", exit: .inputOutput)
    case EISDIR:
      Failure(path, inWords: "This is a folder, not a file", exit: .cannotCreate)
    default:
      Failure(path, inWords: "Writing fails: \(error.words)", exit: .inputOutput)
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
