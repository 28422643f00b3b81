import Glibc

/// A file that appears whole or not at all.
///
/// Content goes to a temporary file in the same folder; ``commit()`` brings it to the disk and gives it its
/// name in one step. Until then, and when the value goes away uncommitted, the name keeps what it had.
///
///     let file = try AtomicFile(replacing: path)
///     try file.write(bytes)        // or let a library write to `file.temporaryPath`
///     try file.commit()
///
/// - Threads: control.
public struct AtomicFile: ~Copyable {
  /// The name that the file will have.
  public let path: String
  /// Where the content is until then.
  public let temporaryPath: String
  private let descriptor: Int32

  /// Makes the temporary file.
  ///
  /// - Parameters:
  ///   - path: The file to make or replace; a symbolic link is replaced, not followed.
  ///   - mode: Its permissions. Default: the owner alone.
  /// - Throws: ``Failure`` when the folder is missing or may not be written.
  public init(replacing path: String, mode: UInt32 = 0o600) throws(Failure) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard !name.isEmpty else {
      throw Failure(path, found: "no file name", expected: "the name of a file", exit: .cannotCreate)
    }
    var template = [UInt8]((folder + "." + name + ".XXXXXX").utf8) + [0]
    let made = template.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { mkstemp($0) } ?? -1 }
    }
    guard made >= 0 else { throw Self.failure(errno, path, folder: folder.isEmpty ? "." : folder) }
    descriptor = made
    temporaryPath = String(decoding: template.dropLast(), as: UTF8.self)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    fchmod(descriptor, mode_t(mode))
  }

  /// On a file that is open already.
  init(path: String, temporaryPath: String, descriptor: Int32) {
    self.path = path
    self.temporaryPath = temporaryPath
    self.descriptor = descriptor
  }

  /// Adds bytes.
  ///
  /// - Throws: ``Failure`` when the disk is full or fails.
  public borrowing func write(_ bytes: [UInt8]) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure(errno, path, folder: "")
      }
      written += count
    }
  }

  /// Brings the content to the disk and gives it its name.
  ///
  /// - Throws: ``Failure``; then nothing is left of the new content.
  public consuming func commit() throws(Failure) {
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw Self.failure(errno, path, folder: "")
    }
    // The name itself is content of the folder.
    let slash = path.lastIndex(of: "/")
    let folder = open(slash.map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  deinit {
    // After a commit the temporary name is gone, and this removes nothing.
    unlink(temporaryPath)
    close(descriptor)
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
    case EISDIR:
      Failure(path, found: "a folder of that name", expected: "a file", exit: .cannotCreate)
    default:
      Failure(path, found: "that writing it fails: \(Failure.words(for: code))", exit: .inputOutput)
    }
  }
}
