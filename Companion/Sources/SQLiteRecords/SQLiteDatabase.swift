import Foundation
import GRDB
import Glibc
import Records
import Synchronization

/// A person's database: one file, which several processes may share.
public final class SQLiteDatabase: Records.Database {
  private let queue: DatabaseQueue
  private let present: Present

  /// Identity and time of the transaction that runs.
  private final class Present: Sendable {
    let session = Mutex<Session?>(nil)
  }

  /// Opens or begins a database. On a full disk, where its index has no room for a file of its own, it is opened
  /// without: what stands there is read, and others wait until it is closed.
  ///
  /// - Parameters:
  ///   - path: File, which only its owner may read.
  ///   - patience: Longest wait for another process, s.
  ///   - isScratch: True for one that is thrown away: nothing waits for the disk.
  /// - Throws: ``StorageError``.
  public init(path: String, patience: Double = 5, isScratch: Bool = false) throws(StorageError) {
    let present = Present()
    self.present = present
    let former = umask(0o077)
    defer { umask(former) }
    func opened(isShared: Bool) throws -> DatabaseQueue {
      try DatabaseQueue(
        path: path,
        configuration: SQLiteDatabase.configuration(present, patience, isScratch, isShared: isShared))
    }
    queue = try SQLiteFault.caught {
      do { return try opened(isShared: true) } catch let error as DatabaseError
        where SQLiteFault.isWithoutIndex(error)
      {
        return try opened(isShared: false)
      }
    }
  }

  /// - Parameter isShared: False: other programs cannot read meanwhile, and the index lies in memory (sqlite.org/wal.html,
  ///   "Use of WAL Without Shared-Memory").
  private static func configuration(
    _ present: Present, _ patience: Double, _ isScratch: Bool, isShared: Bool
  ) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.prepareDatabase { database in
      // Before the first look at the journal.
      if !isShared { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      // On the disk before it is acknowledged.
      try database.execute(sql: "PRAGMA synchronous = \(isScratch ? "OFF" : "FULL")")
      try database.execute(sql: "PRAGMA foreign_keys = ON")
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
      database.add(
        function: DatabaseFunction("subject_id", argumentCount: 0) { _ in
          present.session.withLock { $0?.subject }
        })
      database.add(
        function: DatabaseFunction("clock_now", argumentCount: 0) { _ in
          present.session.withLock { $0?.now.milliseconds }
        })
    }
    return configuration
  }

  public func transaction<Outcome, Failure: Error>(
    _ session: Session, _ body: (any Records.Transaction) throws(Failure) -> Outcome,
    failing: (StorageError) -> Failure
  ) throws(Failure) -> Outcome {
    var outcome: Result<Outcome, Failure>?
    do throws(StorageError) {
      try SQLiteFault.caught {
        try queue.writeWithoutTransaction { database in
          present.session.withLock { $0 = session }
          defer { present.session.withLock { $0 = nil } }
          try database.inTransaction(.immediate) {
            do throws(Failure) {
              outcome = .success(try body(SQLiteTransaction(database: database)))
              return .commit
            } catch {
              outcome = .failure(error)
              return .rollback
            }
          }
        }
      }
    } catch { throw failing(error) }
    guard let outcome else { throw failing(.wrongStatement("a transaction ended without a result")) }
    return try outcome.get()
  }

  public func once(
    _ session: Session, _ statement: Records.Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> [Records.Row] {
    try transaction(session) { transaction throws(StorageError) in
      try transaction.rows(statement, parameters)
    }
  }

  public func apply(_ migration: Migration) throws(StorageError) {
    try SQLiteFault.caught {
      try queue.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          if migration.number > 0 {
            let applied = try Int.fetchOne(
              database, sql: "SELECT number FROM schema_migrations WHERE number = ?",
              arguments: [migration.number])
            guard applied == nil else { return .rollback }
          }
          try database.execute(sql: migration.text)
          if migration.number > 0 {
            try database.execute(
              sql: "INSERT INTO schema_migrations (number, checksum) VALUES (?, ?)",
              arguments: [migration.number, migration.checksum])
          }
          return .commit
        }
      }
    }
  }
}

private struct SQLiteTransaction: Records.Transaction {
  let database: GRDB.Database

  func rows(
    _ statement: Records.Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> [Records.Row] {
    try SQLiteFault.caught {
      let prepared = try database.cachedStatement(sql: statement.sqlite)
      return try GRDB.Row.fetchAll(prepared, arguments: Self.arguments(parameters)).map { row in
        Records.Row(Dictionary(row.map { ($0.0, Value($0.1)) }) { first, _ in first })
      }
    }
  }

  @discardableResult func run(
    _ statement: Records.Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> Int {
    try SQLiteFault.caught {
      try database.cachedStatement(sql: statement.sqlite).execute(arguments: Self.arguments(parameters))
      return database.changesCount
    }
  }

  private static func arguments(_ parameters: [String: Value]) -> StatementArguments {
    StatementArguments(parameters.mapValues(\.databaseValue))
  }
}

extension Value {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .bytes(let value): Data(value).databaseValue
    }
  }

  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(Int(number))
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .bytes(Array(data))
    }
  }
}
