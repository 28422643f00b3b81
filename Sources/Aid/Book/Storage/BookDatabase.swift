import FoundationEssentials
import GRDB
import Prescriptions
import Sealing
import Synchronization

/// The book's tables. Everything it takes is appended; the database itself refuses the rest.
struct BookDatabase: Sendable {
  /// A row of both tables.
  struct Row {
    let sealed: [UInt8]
    let audit: AuditRow
  }

  /// In the file's header, bytes 68 to 71: "AuBk".
  static let applicationID = 0x4175_426B

  let path: String
  private let queue: DatabaseQueue

  /// Opens the file and brings its tables up to date.
  ///
  /// - Parameter expected: Last known count of rows. When there were some and there are
  ///   none, nothing is written: an empty book in the place of a lost one would hide the loss.
  /// - Throws: ``BookError/corrupt(path:detail:)``, ``BookError/notABook(path:)``,
  ///   ``BookError/newerBook(path:)``, ``BookError/auditTruncated(found:expected:)``,
  ///   ``SealingError/unsafeFile(path:found:expected:)`` for what is no file beside it, and those of the disk.
  init(_ path: String, expecting expected: Int = 0) throws(BookError) {
    self.path = path
    try BookFile.checkNeighbours(of: path)
    queue = try Self.guarded(path) { try DatabaseQueue(path: path, configuration: Self.configuration) }
    do throws(BookError) { try prepare(expecting: expected) } catch {
      close()
      throw error
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "prescription-book"
    configuration.prepareDatabase { database in
      // The only process: no shared memory file, and SQLite refuses all others too.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // A file that somebody altered may not run functions of its own choice.
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
      try database.execute(sql: "PRAGMA cell_size_check = ON")
      try database.execute(sql: "PRAGMA secure_delete = ON")
    }
    return configuration
  }

  private func prepare(expecting expected: Int) throws(BookError) {
    try Self.guarded(path) {
      try queue.writeWithoutTransaction { database in
        let schema = try Self.checkedSchema(of: database, path)
        if expected > 0 {
          let isEmpty = try schema.isEmpty || Int.fetchOne(database, sql: "SELECT count(*) FROM audit") == 0
          if isEmpty { throw BookError.auditTruncated(found: 0, expected: expected) }
        }
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
          throw BookError.sealing(.inputOutput(path: path, reason: "no write-ahead log"))
        }
        // Each transaction is on the disk when it returns.
        try database.execute(sql: "PRAGMA synchronous = FULL")
      }
      try Self.migrator.migrate(queue)
    }
  }

  /// List of tables of a file that is a book, sound, and of no later version.
  private static func checkedSchema(of database: Database, _ path: String) throws -> BookSchema {
    let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    // GRDB's own table comes in a transaction before ours: a process may have ended between the two.
    let tables =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
    guard id == applicationID || (id == 0 && tables == 0) else { throw BookError.notABook(path: path) }
    let report = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
    guard report == ["ok"] else {
      throw BookError.corrupt(path: path, detail: report.first ?? "no report")
    }
    // Before anything that takes the tables for what they should be: GRDB does, and ends the process
    // when a column is missing.
    let schema = try BookSchema(of: database)
    try schema.check(path: path, isBook: id == applicationID)
    return schema
  }

  /// True of a sound book without any row, not even its key's, as one stays that was begun on a full disk. Its log counts; nothing is
  /// appended. False also where another process has it open or it cannot be read.
  static func isWithoutRows(_ path: String) -> Bool {
    let found: Bool? = try? guarded(path) { () throws -> Bool in
      try BookFile.checkNeighbours(of: path)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { close(queue) }
      return try queue.read { (database: Database) throws -> Bool in
        guard try !checkedSchema(of: database, path).isEmpty else { return true }
        return try Bool.fetchOne(
          database,
          sql: """
            SELECT NOT EXISTS (SELECT 1 FROM event) AND NOT EXISTS (SELECT 1 FROM audit)
              AND NOT EXISTS (SELECT 1 FROM key)
            """) ?? false
      }
    }
    return found ?? false
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: events, audit trail, keys") { database in
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(
        sql: """
          CREATE TABLE event (number INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
          CREATE TABLE audit (
            number INTEGER PRIMARY KEY REFERENCES event (number),
            moment INTEGER NOT NULL, channel TEXT NOT NULL, user_id INTEGER NOT NULL,
            process_id INTEGER NOT NULL, action TEXT NOT NULL, serial INTEGER, clinic TEXT, detail TEXT,
            hash BLOB NOT NULL, tag BLOB NOT NULL) STRICT;
          CREATE TABLE key (
            number INTEGER PRIMARY KEY, book BLOB NOT NULL, wrapped BLOB NOT NULL, proof BLOB NOT NULL) STRICT;
          """)
      for table in ["event", "audit", "key"] {
        // A row that replaces another is an insertion out of order: REPLACE would delete without a trigger.
        try database.execute(
          sql: """
            CREATE TRIGGER \(table)_stays BEFORE UPDATE ON \(table)
            BEGIN SELECT RAISE(ABORT, 'rows of the book cannot be changed'); END;
            CREATE TRIGGER \(table)_remains BEFORE DELETE ON \(table)
            BEGIN SELECT RAISE(ABORT, 'rows of the book cannot be deleted'); END;
            CREATE TRIGGER \(table)_appends BEFORE INSERT ON \(table)
            WHEN NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM \(table))
            BEGIN SELECT RAISE(ABORT, 'rows of the book are appended'); END;
            """)
      }
    }
    return migrator
  }

  /// Both tables, joined by number; checked for gaps by the caller's numbering.
  func rows() throws(BookError) -> [Row] {
    try read { database in
      let audits = try GRDB.Row.fetchAll(
        database, sql: "SELECT audit.*, event.sealed FROM audit JOIN event USING (number) ORDER BY number")
      let counts = try Int.fetchAll(
        database, sql: "SELECT count(*) FROM audit UNION ALL SELECT count(*) FROM event")
      guard counts.allSatisfy({ $0 == audits.count }) else {
        throw BookError.auditBroken(
          row: audits.count + 1, reason: "events and audit trail have not the same rows")
      }
      return try audits.map { row in
        // Not row["…"], which ends the process when a column is missing or of another kind.
        Row(
          sealed: try row.bytes("sealed"),
          audit: AuditRow(
            number: try row.decode(forColumn: "number"), moment: try row.decode(forColumn: "moment"),
            channel: try row.decode(forColumn: "channel"), userID: try row.decode(forColumn: "user_id"),
            processID: try row.decode(forColumn: "process_id"), action: try row.decode(forColumn: "action"),
            serial: try row.decode(forColumn: "serial"), clinic: try row.decode(forColumn: "clinic"),
            detail: try row.decode(forColumn: "detail"), hash: try row.bytes("hash"),
            tag: try row.bytes("tag")))
      }
    }
  }

  /// Both rows or none.
  func append(_ row: Row) throws(BookError) {
    try write { database in
      let audit = row.audit
      try database.execute(
        sql: "INSERT INTO event VALUES (?, ?)", arguments: [audit.number, Data(row.sealed)])
      try database.execute(
        sql: "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          audit.number, audit.moment, audit.channel, audit.userID, audit.processID, audit.action,
          audit.serial, audit.clinic, audit.detail, Data(audit.hash), Data(audit.tag),
        ])
    }
  }

  /// The latest key row; nil in a new book.
  func wrappedKey() throws(BookError) -> Vault.WrappedKey? {
    try read { database in
      try GRDB.Row.fetchOne(database, sql: "SELECT * FROM key ORDER BY number DESC LIMIT 1").map { row in
        Vault.WrappedKey(
          bookID: try row.bytes("book"), key: try row.bytes("wrapped"), check: try row.bytes("proof"))
      }
    }
  }

  func append(_ key: Vault.WrappedKey) throws(BookError) {
    try write { database in
      try database.execute(
        sql: "INSERT INTO key SELECT coalesce(max(number), 0) + 1, ?, ?, ? FROM key",
        arguments: [Data(key.bookID), Data(key.key), Data(key.check)])
    }
  }

  /// Writes a copy without free pages to a file that must not exist.
  func copy(to destination: String) throws(BookError) {
    try Self.guarded(destination) { try queue.vacuum(into: destination) }
  }

  /// Brings the write-ahead log into the file and closes it.
  func close() { Self.close(queue) }

  /// Closes a database and keeps what is left of it for a while.
  static func close(_ queue: DatabaseQueue) {
    try? queue.close()
    closed.withLock { $0 = $0.suffix(mostClosed - 1) + [queue] }
  }

  /// The last that were closed. Releasing one makes libdispatch start threads, and where these get no memory or descriptor it ends
  /// the process; a command has ended before.
  static let closed = Mutex<[DatabaseQueue]>([])
  /// As many as a restoration opens: three, and one for ``BookSchema``.
  static let mostClosed = 4

  private func read<Value>(_ body: (Database) throws -> Value) throws(BookError) -> Value {
    try Self.guarded(path) { try queue.read(body) }
  }

  private func write(_ body: (Database) throws -> Void) throws(BookError) {
    try Self.guarded(path) { try queue.write(body) }
  }

  /// Runs database calls and says their errors as the book's own.
  static func guarded<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws(BookError) -> Value {
    do { return try body() } catch let error as BookError { throw error } catch let error as DatabaseError {
      throw BookError(error, path: path)
    } catch is RowDecodingError {
      // Its description quotes the row.
      throw .corrupt(path: path, detail: "a value is missing or of another kind")
    } catch { throw .corrupt(path: path, detail: "\(error)") }
  }
}

extension BookError {
  /// The book's error for a SQLite result code (sqlite.org/rescode.html).
  init(_ error: DatabaseError, path: String) {
    let text = error.message ?? "no message"
    self =
      switch error.resultCode {
      case .SQLITE_FULL: .sealing(.diskFull(path: path))
      case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
        .sealing(.readOnly(path: path, reason: text))
      case .SQLITE_CORRUPT: .corrupt(path: path, detail: text)
      case .SQLITE_NOTADB: .notABook(path: path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .lockedBy(process: nil, path: path)
      case .SQLITE_MISUSE: .closed
      default:
        .sealing(
          .inputOutput(path: path, reason: "\(text), SQLite code \(error.extendedResultCode.rawValue)"))
      }
  }
}

extension GRDB.Row {
  fileprivate func bytes(_ column: String) throws -> [UInt8] {
    Array(try decode(Data.self, forColumn: column))
  }
}
