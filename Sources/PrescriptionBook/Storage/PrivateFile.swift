import Files
import Glibc

/// Small files of the owner alone, read and written whole.
enum PrivateFile {
  /// Bytes of a file that only its owner can read; nil when there is none.
  ///
  /// - Parameter checked: Whether a file that others may read or write is refused.
  static func bytes(of path: String, limit: Int, checked: Bool = true) throws(BookError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(errno, path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno, path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unsafeFile(path: path, found: "something that is not a file", expected: "a file")
    }
    if checked {
      guard status.st_mode & 0o077 == 0 else {
        throw .unsafeFile(
          path: path, found: "that others may use it (mode \(String(status.st_mode & 0o777, radix: 8)))",
          expected: "mode 600")
      }
      try checkOwner(status, path)
    }
    guard status.st_size <= limit else {
      throw .unsafeFile(
        path: path, found: "\(status.st_size) bytes", expected: "at most \(limit)")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(errno, path)
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= limit else {
        throw .unsafeFile(path: path, found: "a file that grows", expected: "at most \(limit) bytes")
      }
    }
  }

  /// - Throws: ``BookError/unsafeFile(path:found:expected:)`` for what another user owns.
  static func checkOwner(_ status: stat, _ path: String) throws(BookError) {
    guard status.st_uid == geteuid() else {
      throw .unsafeFile(
        path: path, found: "user \(status.st_uid) as its owner", expected: "user \(geteuid())")
    }
  }

  /// Puts a file of mode 600 in place, whole or not at all, and on the disk when it returns.
  ///
  /// - Parameter replacing: False: a file of that name stays and the call fails with
  ///   ``BookError/fileExists(path:)``.
  static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(BookError) {
    do throws(SystemError) {
      let draft = try FileDraft(of: path, mode: 0o600)
      // Whatever the umask is.
      fchmod(draft.descriptor, 0o600)
      try draft.write(bytes)
      try draft.publish(replacing: replacing)
    } catch {
      throw error.code == EEXIST ? .fileExists(path: path) : failure(error.code, path)
    }
  }

  /// Removes what a process that was killed left of ``write(_:to:replacing:)``, where files need a name or in the
  /// moment of replacing; nobody else may be writing.
  static func removeLeftovers(of path: String) {
    let folder = folder(of: path)
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    let prefix = Array(".\(name(of: path)).".utf8)
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      // FileDraft puts six characters at the end of a hidden name.
      if name.count == prefix.count + 6, name.starts(with: prefix) {
        unlink(folder + "/" + String(decoding: name, as: UTF8.self))
      }
    }
  }

  /// Names are content of the folder.
  static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// The error for an errno value.
  static func failure(_ code: Int32, _ path: String) -> BookError {
    let reason = String(cString: strerror(code))
    return switch code {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EACCES, EPERM, EROFS: .readOnly(path: path, reason: reason)
    case ELOOP: .unsafeFile(path: path, found: "a symbolic link", expected: "a file")
    default: .inputOutput(path: path, reason: reason)
    }
  }
}
