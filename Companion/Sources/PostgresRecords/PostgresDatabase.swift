import CPQ
import Records
import Synchronization

/// A site's database, over one connection of libpq.
///
/// - Threads: any; transactions wait for each other.
public final class PostgresDatabase: Records.Database {
  public static let engine = Engine.postgres

  private let connection: Mutex<PostgresConnection>

  /// - Parameter address: As libpq takes it, such as `host=/run/postgresql dbname=companion user=auricle_participant`.
  /// - Throws: ``StorageError``.
  public init(_ address: String) throws(StorageError) {
    connection = Mutex(try PostgresConnection(address))
  }

  public func transaction<Result>(
    _ session: Session, _ body: (any Transaction) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try exclusively { connection throws(StorageError) in
      try connection.reconnect()
      // Local to the transaction, so that a pooled connection never passes an identity on.
      try connection.run(
        "SELECT set_config('app.subject', $1, true), set_config('app.now', $2, true)", begins: true,
        [.text(session.subject ?? ""), .text("\(session.now.milliseconds)")])
      do throws(StorageError) {
        let result = try body(PostgresTransaction(connection: connection))
        try connection.simple("COMMIT")
        return result
      } catch {
        connection.takeBack()
        throw error
      }
    }
  }

  public func apply(_ migration: Migration) throws(StorageError) {
    try exclusively { connection throws(StorageError) in
      try connection.reconnect()
      do throws(StorageError) {
        try connection.simple("BEGIN")
        try connection.simple(migration.text)
        if migration.number > 0 {
          try connection.run(
            "INSERT INTO schema_migrations (number, checksum) VALUES ($1, $2)", [.integer(migration.number), .text(migration.checksum)])
        }
        try connection.simple("COMMIT")
      } catch {
        connection.takeBack()
        throw error
      }
    }
  }

  private func exclusively<Result>(
    _ body: (PostgresConnection) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    // The lock's own closure passes typed errors of one kind on.
    try connection.withLock { connection throws(StorageError) in try body(connection) }
  }
}

private struct PostgresTransaction: Transaction {
  let connection: PostgresConnection

  func rows(_ statement: Statement, _ parameters: [String: Value]) throws(StorageError) -> [Row] {
    try connection.run(statement, parameters).rows
  }

  @discardableResult func run(_ statement: Statement, _ parameters: [String: Value]) throws(StorageError) -> Int {
    try connection.run(statement, parameters).changed
  }
}
