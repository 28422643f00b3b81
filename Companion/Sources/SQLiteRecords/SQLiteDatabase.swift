import Foundation
import GRDB
import Glibc
import Records
import Synchronization

/// A person's database: one file, which several processes may share.
public final class SQLiteDatabase: Records.Database {
  private let path: String
  private let patience: Double
  private let isScratch: Bool
  /// The connection that programs share the file with; nil as long as the disk has no room for its index.
  private let shared = Mutex<Connection?>(nil)

  /// Identity and time of the transaction that runs on a connection.
  private final class Present: Sendable {
    let session = Mutex<Session?>(nil)
  }

  private struct Connection: Sendable {
    let queue: DatabaseQueue
    let present: Present
  }

  /// Opens or begins a database. On a full disk, where its index has no room for a file of its own, each transaction
  /// opens it without and closes it again: what stands there is read, and others wait for that long.
  ///
  /// - Parameters:
  ///   - path: File, which only its owner may read.
  ///   - patience: Longest wait for another process, s.
  ///   - isScratch: True for one that is thrown away: nothing waits for the disk.
  /// - Throws: ``StorageError``.
  public init(path: String, patience: Double = 5, isScratch: Bool = false) throws(StorageError) {
    (self.path, self.patience, self.isScratch) = (path, patience, isScratch)
    try connected { _ in }
  }

  /// Runs a body on the connection that stays, or on one that is closed behind it and keeps others away no longer.
  private func connected<Outcome>(
    _ body: (Connection) throws -> Outcome
  ) throws(StorageError) -> Outcome {
    try SQLiteFault.caught {
      let end = ContinuousClock.now + .seconds(patience)
      if let connection = try lasting() { return try body(connection) }
      let connection = try alone(until: end)
      defer { try? connection.queue.close() }
      return try body(connection)
    }
  }

  /// The connection that stays, which is tried anew until there is room for the index; nil where there is none.
  private func lasting() throws -> Connection? {
    if let connection = shared.withLock({ $0 }) { return connection }
    do {
      let connection = try opened(isShared: true, patience)
      shared.withLock { $0 = connection }
      return connection
    } catch let error as DatabaseError where SQLiteFault.isWithoutIndex(error) { return nil }
  }

  /// Longest wait of one attempt to have the file alone, s (own choice; a step takes milliseconds).
  private static let attempt = 0.05

  /// A connection that keeps others away.
  ///
  /// SQLite waits for the file with its lock for reading, and keeps it then, so that two programs would wait for each
  /// other. An attempt that is closed gives it back, and by their random pauses one of them is first.
  private func alone(until end: ContinuousClock.Instant) throws -> Connection {
    while true {
      do { return try opened(isShared: false, Self.attempt) } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end
      {
        usleep(.random(in: 10_000...100_000))
      }
    }
  }

  private func opened(isShared: Bool, _ patience: Double) throws -> Connection {
    let former = umask(0o077)
    defer { umask(former) }
    let present = Present()
    let queue = try DatabaseQueue(
      path: path, configuration: Self.configuration(present, patience, isScratch, isShared: isShared))
    return Connection(queue: queue, present: present)
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
      try connected { connection in
        try connection.queue.writeWithoutTransaction { database in
          connection.present.session.withLock { $0 = session }
          defer { connection.present.session.withLock { $0 = nil } }
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
    try connected { connection in
      try connection.queue.writeWithoutTransaction { database in
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
