import Base
import Glibc

/// Paths of a book's files.
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

  /// Makes an empty database file of mode 600, unless there is one.
  func makeDatabase() throws(BookError) {
    let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFile.failure(errno, database) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PrivateFile.failure(errno, database) }
    try PrivateFile.check(status, database, mode: "600")
  }
}

extension BookFolder {
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
