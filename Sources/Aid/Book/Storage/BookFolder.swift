import Base
import Glibc

/// Paths of a book's files.
struct BookFolder {
  let path: String

  /// - Parameter path: With slashes at its end or not.
  init(_ path: String) { self.path = FilePath.withoutLastSlashes(path) }

  var database: String { path + "/book.sqlite" }
  var head: String { path + "/book.head" }
  var lock: String { path + "/book.lock" }

  /// Makes a folder of the owner alone, with those above it.
  static func make(_ path: String) throws(BookError) {
    guard try !PrivateFile.exists(path) else { return }
    let above = FilePath.folder(of: path)
    if above != path, above != "." { try make(above) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PrivateFile.failure(errno, path) }
    WholeFile.synchronize(folder: above)
  }

  /// - Throws: ``BookError/unsafeFile(path:found:expected:)`` when others may use it, or another user owns
  ///   it.
  func check() throws(BookError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw PrivateFile.failure(errno, path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .unsafeFile(path: path, found: "something that is not a folder", expected: "a folder")
    }
    try PrivateFile.check(status, path, mode: "700")
  }

  /// True when the folder is this user's, so that nobody else has put its files there.
  var isOwn: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_uid == geteuid()
  }

  /// True when the database is empty or missing. SQLite would begin a new one, and drop the log of one that
  /// lost its file.
  var isDatabaseGone: Bool {
    var status = stat()
    guard lstat(database, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// True when nothing of a book was written here yet: there is no note of its head, and no row.
  var isUnbegun: Bool { isDatabaseGone && (try? PrivateFile.exists(head)) == false }

  /// Makes an empty database file of mode 600, unless there is one.
  func makeDatabase() throws(BookError) {
    let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFile.failure(errno, database) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PrivateFile.failure(errno, database) }
    try PrivateFile.check(status, database, mode: "600")
  }

  /// Checks where a backup is to be: at a place that means the same to whoever asks and to who writes, and
  /// not in this folder, with which it would be lost.
  ///
  /// - Throws: ``BookError/unsafeFile(path:found:expected:)``; those of the disk when the folder of `file`
  ///   is not there.
  func checkOutside(_ file: String) throws(BookError) {
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    guard !file.unicodeScalars.contains(where: isControl) else {
      // Nor shall the message carry them to a terminal.
      let shown = String(String.UnicodeScalarView(file.unicodeScalars.map { isControl($0) ? "?" : $0 }))
      throw .unsafeFile(path: shown, found: "control characters", expected: "a path without them")
    }
    guard file.hasPrefix("/") else {
      throw .unsafeFile(path: file, found: "a relative path", expected: "one that begins with /")
    }
    let place = try Self.resolved(FilePath.folder(of: file), for: file)
    let own = try Self.resolved(path, for: path)
    guard place != own, !place.hasPrefix(own + "/") else {
      throw .unsafeFile(path: file, found: "a place in the folder of the book", expected: "another folder")
    }
  }

  /// A folder's path without links and dots.
  private static func resolved(_ folder: String, for file: String) throws(BookError) -> String {
    guard let text = realpath(folder, nil) else { throw PrivateFile.failure(errno, file) }
    defer { free(text) }
    return String(cString: text)
  }
}

/// Small files of the owner alone, read and written whole.
enum PrivateFile {
  /// Bytes of a file that only its owner can read; nil when there is none.
  ///
  /// - Parameter checked: True: a file that others may read or write is refused.
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
    if checked { try check(status, path, mode: "600") }
    guard status.st_size <= limit else {
      throw .unsafeFile(path: path, found: "\(status.st_size) bytes", expected: "at most \(limit)")
    }
    let rest = try rethrowing(
      { (error: SystemError) in failure(error.code, path) },
      try FileContent.rest(of: descriptor, limit: limit))
    guard let rest else {
      throw .unsafeFile(path: path, found: "a file that grows", expected: "at most \(limit) bytes")
    }
    return rest
  }

  /// - Throws: ``BookError/unsafeFile(path:found:expected:)`` for what others may use or another user owns.
  static func check(_ status: stat, _ path: String, mode: String) throws(BookError) {
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

  /// Puts a file, of mode 600 unless it says otherwise, in place, whole or not at all, and on the disk when it returns.
  ///
  /// - Parameter replacing: False: a file of that name stays and the call fails with
  ///   ``BookError/fileExists(path:)``.
  static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, replacing: Bool
  ) throws(BookError) {
    do throws(SystemError) {
      try WholeFile.write(bytes, to: path, mode: mode, replacing: replacing)
    } catch {
      throw error.code == EEXIST ? .fileExists(path: path) : failure(error.code, path)
    }
  }

  /// Removes the drafts that a killed process left of ``write(_:to:replacing:)``, where files need a name
  /// or in the moment of replacing; nobody else may be writing.
  static func removeLeftovers(of path: String) {
    let folder = FilePath.folder(of: path)
    let prefix = ".\(FilePath.name(of: path))."
    for name in Folder.names(in: folder) where name.hasPrefix(prefix) {
      // FileDraft puts six characters at the end of a hidden name.
      if name.utf8.count == prefix.utf8.count + 6 { unlink(folder + "/" + name) }
    }
  }

  /// - Throws: ``BookError`` of a place that cannot be looked at: something may be there.
  static func exists(_ path: String) throws(BookError) -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else { throw failure(errno, path) }
    return false
  }

  /// The error for an errno value.
  static func failure(_ code: Int32, _ path: String) -> BookError {
    let reason = SystemError.words(for: code)
    return switch code {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EACCES, EPERM, EROFS: .readOnly(path: path, reason: reason)
    case ELOOP: .unsafeFile(path: path, found: "a symbolic link", expected: "a file")
    default: .inputOutput(path: path, reason: reason)
    }
  }
}

/// One process at a time: an advisory lock, which the kernel drops with the process.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Throws: ``BookError/lockedBy(process:path:)``.
  init(_ path: String) throws(BookError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFile.failure(errno, path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      defer { close(descriptor) }
      guard code == EWOULDBLOCK else { throw PrivateFile.failure(code, path) }
      var text = [UInt8](repeating: 0, count: 16)
      let count = max(0, pread(descriptor, &text, text.count, 0))
      throw .lockedBy(process: Int32(String(decoding: text[..<count], as: UTF8.self)), path: path)
    }
    // For the message to others only; a full disk may not stop the book from being read.
    let text = Array(String(getpid()).utf8)
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit { close(descriptor) }
}
