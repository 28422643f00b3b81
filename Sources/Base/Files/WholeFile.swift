import Glibc

/// Files written whole or not at all: a reader finds the old content or the new, whatever happens
/// meanwhile.
///
/// The bytes are on the disk before they take the name.
///
/// - Threads: control.
public enum WholeFile {
  /// Puts a file in place. A symbolic link of that name is replaced, not followed.
  ///
  /// - Parameters:
  ///   - mode: Its permissions, whatever the umask is.
  ///   - replacing: False: a file of that name stays, and the call fails with `EEXIST`.
  /// - Throws: ``SystemError``; then nothing was changed.
  public static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32, replacing: Bool = true
  ) throws(SystemError) {
    let draft = try FileDraft(of: path, mode: mode)
    guard fchmod(draft.descriptor, mode_t(mode)) == 0 else { throw .last }
    try draft.write(bytes)
    try draft.publish(replacing: replacing)
  }

  /// Replaces a file of this program's own, which is for its owner alone.
  ///
  /// - Throws: ``Failure``; the file is then as it was.
  public static func save(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(Failure) {
    do { try write(bytes, to: path, mode: mode) } catch { throw .writing(path, error) }
  }

  /// Writes a file that a person named, as ``OutputDraft`` says.
  ///
  /// - Throws: ``SystemError``; then a file that was there is as before.
  public static func output(
    _ bytes: [UInt8], to path: String, mode: UInt32, exactly: Bool = false
  ) throws(SystemError) {
    try OutputDraft(bytes, to: path, mode: mode, exactly: exactly).publish()
  }

  /// Brings a folder to the disk: names are its content. One that cannot be synchronised is left to the system.
  public static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension Failure {
  /// A file that could not be written.
  public static func writing(_ path: String, _ error: SystemError) -> Failure {
    switch error.code {
    case ENOENT, ENOTDIR:
      Failure(
        path, inWords: "There is no folder \(FilePath.folder(of: path))", remedy: "Make it first.",
        exit: .cannotCreate)
    case EACCES, EPERM, EROFS:
      Failure(path, inWords: "User \(geteuid()) may not write there (\(error.words))", exit: .noPermission)
    case ENOSPC, EDQUOT:
      Failure(
        path, inWords: "No space is left on its disk",
        remedy: "Nothing was changed; make room and try again.", exit: .inputOutput)
    case EFBIG:
      Failure(
        path, inWords: "The file would exceed the limit of file size (ulimit -f)",
        remedy: "Nothing was changed; raise the limit and try again.", exit: .inputOutput)
    case EWOULDBLOCK:
      Failure(
        path, inWords: "Another program is changing files there", remedy: "Try again.", exit: .temporary)
    case ENXIO: Failure(path, inWords: "Nobody reads this pipe", exit: .cannotCreate)
    case EISDIR: Failure(path, inWords: "This is a folder, not a file", exit: .cannotCreate)
    default: Failure(path, inWords: "Writing fails: \(error.words)", exit: .inputOutput)
    }
  }
}
