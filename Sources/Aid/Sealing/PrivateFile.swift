import Base
import Glibc

/// Small files of the owner alone, read and written whole.
public enum PrivateFile {
  /// Bytes of a file that only its owner can read; nil when there is none.
  ///
  /// - Parameters:
  ///   - limit: Most bytes that are read.
  ///   - checked: True: a link, and a file that others may read or write, is refused. False: what is sealed is read wherever it lies,
  ///     from a pipe that the caller has open too.
  /// - Throws: ``SealingError/tooLarge(path:found:most:)``, ``SealingError/unsafeFile(path:found:expected:)``; those of the disk.
  public static func bytes(
    of path: String, limit: Int, checked: Bool = true
  ) throws(SealingError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (checked ? O_NOFOLLOW : 0))
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw SealingError(errno: errno, at: path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SealingError(errno: errno, at: path) }
    if !checked, status.st_mode & S_IFMT == S_IFIFO, FileContent.isInherited(path) {
      _ = fcntl(descriptor, F_SETFL, 0)
    } else if status.st_mode & S_IFMT != S_IFREG {
      throw .unsafeFile(path: path, found: "something that is not a file", expected: "a file")
    }
    if checked { try check(status, path, mode: "600") }
    guard status.st_size <= limit else {
      throw .tooLarge(path: path, found: Int(status.st_size), most: limit)
    }
    let rest = try rethrowing(
      { (error: SystemError) in SealingError(errno: error.code, at: path) },
      try FileContent.rest(of: descriptor, limit: limit))
    guard let rest else { throw .tooLarge(path: path, found: nil, most: limit) }
    return rest
  }

  /// - Throws: ``SealingError/unsafeFile(path:found:expected:)`` for what others may use or another user owns.
  static func check(_ status: stat, _ path: String, mode: String) throws(SealingError) {
    guard status.st_mode & 0o077 == 0 else {
      throw .unsafeFile(
        path: path, found: "that others may use it (mode \(String(status.st_mode & 0o777, radix: 8)))",
        expected: "mode \(mode)")
    }
    guard status.st_uid == geteuid() else {
      throw .unsafeFile(
        path: path, found: "user \(status.st_uid) as its owner", expected: "user \(geteuid())")
    }
  }

  /// Makes an empty file of mode 600, unless there is one, which is checked.
  public static func make(_ path: String) throws(SealingError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SealingError(errno: errno, at: path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SealingError(errno: errno, at: path) }
    try check(status, path, mode: "600")
  }

  /// Puts a file, of mode 600 unless it says otherwise, in place, whole or not at all, and on the disk when it returns.
  ///
  /// - Parameter replacing: False: a file of that name stays and the call fails with
  ///   ``SealingError/fileExists(path:)``.
  public static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, replacing: Bool
  ) throws(SealingError) {
    do throws(SystemError) {
      try WholeFile.write(bytes, to: path, mode: mode, replacing: replacing)
    } catch {
      throw error.code == EEXIST ? .fileExists(path: path) : SealingError(errno: error.code, at: path)
    }
  }

  /// Removes the drafts that a killed process left of ``write(_:to:mode:replacing:)``, where files need a name
  /// or in the moment of replacing; nobody else may be writing.
  public static func removeLeftovers(of path: String) {
    let folder = FilePath.folder(of: path)
    let prefix = ".\(FilePath.name(of: path))."
    for name in Folder.names(in: folder) where name.hasPrefix(prefix) {
      // FileDraft puts six characters at the end of a hidden name.
      if name.utf8.count == prefix.utf8.count + 6 { unlink(folder + "/" + name) }
    }
  }

  /// - Throws: ``SealingError`` of a place that cannot be looked at: something may be there.
  public static func exists(_ path: String) throws(SealingError) -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else { throw SealingError(errno: errno, at: path) }
    return false
  }
}

/// Folders of the owner alone.
public enum PrivateFolder {
  /// Makes a folder of mode 700, with those above it.
  public static func make(_ path: String) throws(SealingError) {
    guard try !PrivateFile.exists(path) else { return }
    let above = FilePath.folder(of: path)
    if above != path, above != "." { try make(above) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SealingError(errno: errno, at: path) }
    WholeFile.synchronize(folder: above)
  }

  /// - Throws: ``SealingError/unsafeFile(path:found:expected:)`` when others may use it, or another user owns
  ///   it.
  public static func check(_ path: String) throws(SealingError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SealingError(errno: errno, at: path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .unsafeFile(path: path, found: "something that is not a folder", expected: "a folder")
    }
    try PrivateFile.check(status, path, mode: "700")
  }
}
