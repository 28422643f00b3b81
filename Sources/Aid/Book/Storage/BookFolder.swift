import Base
import Glibc
import Sealing

/// Paths of a book's files.
struct BookFolder {
  let path: String

  /// - Parameter path: With slashes at its end or not.
  init(_ path: String) { self.path = FilePath.withoutLastSlashes(path) }

  var database: String { path + "/book.sqlite" }
  var head: String { path + "/book.head" }
  var lock: String { path + "/book.lock" }

  /// Keeps it for this process.
  ///
  /// - Throws: ``BookError/lockedBy(process:path:)``; those of the disk.
  func locked() throws(BookError) -> LockFile {
    do throws(LockFile.Refusal) {
      let held = try LockFile(lock)
      held.note([getpid()])
      return held
    } catch {
      switch error {
      case .held(let process): throw .lockedBy(process: process, path: lock)
      case .system(let problem): throw BookFile.failure(problem.code, lock)
      }
    }
  }

  /// - Throws: ``SealingError/unsafeFile(path:found:expected:)`` when others may use it, or another user owns
  ///   it.
  func check() throws(BookError) { try BookFile.checkFolder(path) }

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
  var isUnbegun: Bool { isDatabaseGone && (try? BookFile.exists(head)) == false }

  /// Takes away the files of a book that was not begun, and the folder where nothing more is in it.
  ///
  /// - Returns: True where the folder is gone.
  func removeUnbegun() -> Bool {
    guard isUnbegun else { return false }
    for file in [database, lock] { unlink(file) }
    return rmdir(path) == 0
  }

  /// Makes an empty database file of mode 600, unless there is one.
  func makeDatabase() throws(BookError) { try BookFile.make(database) }

  /// Checks where a backup is to be: at a place that means the same to whoever asks and to who writes, and
  /// not in this folder, with which it would be lost.
  ///
  /// - Throws: ``SealingError/unsafeFile(path:found:expected:)``; those of the disk when the folder of `file`
  ///   is not there.
  func checkOutside(_ file: String) throws(BookError) {
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    guard !file.unicodeScalars.contains(where: isControl) else {
      // Nor shall the message carry them to a terminal.
      let shown = String(String.UnicodeScalarView(file.unicodeScalars.map { isControl($0) ? "?" : $0 }))
      throw .sealing(.unsafeFile(path: shown, found: "control characters", expected: "a path without them"))
    }
    guard file.hasPrefix("/") else {
      throw .sealing(.unsafeFile(path: file, found: "a relative path", expected: "one that begins with /"))
    }
    let place = try Self.resolved(FilePath.folder(of: file), for: file)
    let own = try Self.resolved(path, for: path)
    guard place != own, !place.hasPrefix(own + "/") else {
      throw .sealing(
        .unsafeFile(path: file, found: "a place in the folder of the book", expected: "another folder"))
    }
  }

  /// A folder's path without links and dots.
  private static func resolved(_ folder: String, for file: String) throws(BookError) -> String {
    guard let text = realpath(folder, nil) else { throw BookFile.failure(errno, file) }
    defer { free(text) }
    return String(cString: text)
  }
}

/// Files and folders of the owner alone (``PrivateFile``, ``PrivateFolder``), with the book's errors.
///
/// Called from many places, into each of which the compiler would copy the change of the error: 5 kB.
enum BookFile {
  @inline(never) static func bytes(
    of path: String, limit: Int, checked: Bool = true
  ) throws(BookError) -> [UInt8]? {
    do { return try PrivateFile.bytes(of: path, limit: limit, checked: checked) } catch {
      throw .sealing(error)
    }
  }

  @inline(never) static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, replacing: Bool
  ) throws(BookError) {
    do { try PrivateFile.write(bytes, to: path, mode: mode, replacing: replacing) } catch {
      throw .sealing(error)
    }
  }

  static func make(_ path: String) throws(BookError) {
    do { try PrivateFile.make(path) } catch { throw .sealing(error) }
  }

  @inline(never) static func exists(_ path: String) throws(BookError) -> Bool {
    do { return try PrivateFile.exists(path) } catch { throw .sealing(error) }
  }

  /// Refuses what is no file where SQLite opens one by itself, beside a database: a named pipe there would hold its opening up for ever.
  static func checkNeighbours(of database: String) throws(BookError) {
    for path in [database + "-journal", database + "-wal"] {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
      throw .sealing(
        .unsafeFile(
          path: path, found: "something that is not a file",
          expected: "a file of the database's own, or nothing: move it away"))
    }
  }

  @inline(never) static func makeFolder(_ path: String) throws(BookError) {
    do { try PrivateFolder.make(path) } catch { throw .sealing(error) }
  }

  static func checkFolder(_ path: String) throws(BookError) {
    do { try PrivateFolder.check(path) } catch { throw .sealing(error) }
  }

  /// The error for an errno value.
  @inline(never) static func failure(_ code: Int32, _ path: String) -> BookError {
    .sealing(SealingError(errno: code, at: path))
  }
}
