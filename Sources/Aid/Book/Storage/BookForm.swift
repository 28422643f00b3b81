import Base
import GRDB
import Glibc
import Sealing

/// Form of a book's tables against the one that this version reads, found without opening the book: nothing is locked, written or
/// unsealed.
package enum BookForm: Sendable, Equatable {
  /// There is no book.
  case absent
  case current
  /// Of an earlier version; brought up to date when it is opened.
  case older
  /// Of a later version, which this one does not read.
  case newer
  /// It does not open; the reason in words.
  case unreadable(String)
  /// Last changes wait beside the file, as they do while a daemon has it open and after one was killed.
  case inUse

  /// - Parameter folder: Of the book.
  /// - Threads: control.
  package init(ofBookIn folder: String) {
    let path = BookFolder(folder).database
    guard (try? BookFile.exists(path)) != false else {
      self = .absent
      return
    }
    var log = stat()
    if stat(path + "-wal", &log) == 0, log.st_size > 0 {
      self = .inUse
      return
    }
    do throws(BookError) { self = try Self.examine(path) } catch {
      self = error == .newerBook(path: path) ? .newer : .unreadable("\(error)")
    }
  }

  private static func examine(_ path: String) throws(BookError) -> BookForm {
    var configuration = Configuration()
    configuration.readonly = true
    // Immutable (sqlite.org/uri.html): read without locks, and without files beside it being made.
    let address = "file:\(escaped(path))?immutable=1"
    return try BookDatabase.guarded(path) {
      let queue = try DatabaseQueue(path: address, configuration: configuration)
      defer { BookDatabase.close(queue) }
      return try queue.read { database in
        let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let schema = try BookSchema(of: database)
        guard id == BookDatabase.applicationID || schema.isEmpty else {
          throw BookError.notABook(path: path)
        }
        return try schema.form(path: path)
      }
    }
  }

  /// A path in a URI: the signs that would end it, and those that stand for others, as their bytes.
  private static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"), 0x80...: "%" + Hexadecimal.text([byte])
      default: String(UnicodeScalar(byte))
      }
    }.joined()
  }
}
