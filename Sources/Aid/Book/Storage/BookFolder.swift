import Base
import Glibc

extension PrescriptionBook {
  /// Files without any of which a folder holds no book, and opening it begins a new one.
  package static func files(in folder: String) -> [String] {
    let folder = BookFolder(folder)
    return [folder.database, folder.head]
  }
}

/// Where a book's files are.
struct BookFolder {
  let path: String

  /// - Parameter path: With slashes at its end or not.
  init(_ path: String) {
    var path = path
    while path.count > 1, path.last == "/" { path.removeLast() }
    self.path = path
  }

  var database: String { path + "/book.sqlite" }
  var head: String { path + "/book.head" }
  var lock: String { path + "/book.lock" }

  /// Makes a folder of the owner alone, with those above it.
  static func make(_ path: String) throws(BookError) {
    guard !PrivateFile.exists(path) else { return }
    let above = FilePath.folder(of: path)
    if above != path, above != "." { try make(above) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PrivateFile.failure(errno, path) }
    PrivateFile.synchronize(folder: above)
  }

  /// - Throws: ``BookError/unsafeFile(path:found:expected:)`` when others may use it, or another user owns it.
  func check() throws(BookError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw PrivateFile.failure(errno, path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .unsafeFile(path: path, found: "something that is not a folder", expected: "a folder")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .unsafeFile(
        path: path, found: "that others may use it (mode \(String(status.st_mode & 0o777, radix: 8)))",
        expected: "mode 700")
    }
    try PrivateFile.checkOwner(status, path)
  }

  /// True when the folder is this user's, so that nobody else has put its files there.
  var isOwn: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_uid == geteuid()
  }

  /// Whether the database has no byte, or there is none. SQLite would begin a new one, and drop the log of one
  /// that lost its file.
  var isDatabaseGone: Bool {
    var status = stat()
    guard lstat(database, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// Makes an empty database file of mode 600, unless there is one.
  func makeDatabase() throws(BookError) {
    let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFile.failure(errno, database) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PrivateFile.failure(errno, database) }
    guard status.st_mode & 0o077 == 0 else {
      throw .unsafeFile(
        path: database, found: "that others may use it (mode \(String(status.st_mode & 0o777, radix: 8)))",
        expected: "mode 600")
    }
    try PrivateFile.checkOwner(status, database)
  }
}
