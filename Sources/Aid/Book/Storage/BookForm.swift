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

  /// True when the book ever took a prescription or a binding pass: from then on no configuration prescribes
  /// anything. Found as ``init(ofBookIn:)``, by the words of the trail, which nobody has verified; nil: it cannot
  /// be told.
  ///
  /// - Threads: control.
  package static func hasCards(inBookIn folder: String) -> Bool? {
    let form = BookForm(ofBookIn: folder)
    if form == .absent { return false }
    guard form == .current || form == .older else { return nil }
    let (loaded, rebound) = (AuditAction.loaded.rawValue, AuditAction.rebound.rawValue)
    return try? reading(BookFolder(folder).database) { (database: Database) -> Bool in
      // Tables that are not made yet have no row.
      guard try !BookSchema(of: database).isEmpty else { return false }
      return try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM audit WHERE action IN (?, ?))",
        arguments: [loaded, rebound]) ?? false
    }
  }

  private static func examine(_ path: String) throws(BookError) -> BookForm {
    try reading(path) { database in
      let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      let schema = try BookSchema(of: database)
      guard id == BookDatabase.applicationID || schema.isEmpty else {
        throw BookError.notABook(path: path)
      }
      return try schema.form(path: path)
    }
  }

  /// Reads the file as it lies there. Immutable (sqlite.org/uri.html): without locks, and without files beside it
  /// being made.
  private static func reading<Value>(
    _ path: String, _ body: (Database) throws -> Value
  ) throws(BookError) -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    let address = "file:\(escaped(path))?immutable=1"
    return try BookDatabase.guarded(path) {
      let queue = try DatabaseQueue(path: address, configuration: configuration)
      defer { BookDatabase.close(queue) }
      return try queue.read(body)
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
