import Glibc

/// A folder of mode 700 for a database that is not in its place yet; goes away with what is still in it.
final class Staging {
  let path: String
  var database: String { BookFolder(path).database }

  /// On the disk of `neighbour`, so that it can be renamed.
  init(beside neighbour: String) throws(BookError) {
    let folder = PrivateFile.folder(of: neighbour)
    var template = Array("\(folder)/.\(PrivateFile.name(of: neighbour)).XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw PrivateFile.failure(errno, folder) }
    path = String(cString: made)
  }

  deinit {
    let book = BookFolder(path)
    for file in [book.database, book.database + "-wal", book.database + "-journal", book.head, book.lock] {
      unlink(file)
    }
    rmdir(path)
  }
}
