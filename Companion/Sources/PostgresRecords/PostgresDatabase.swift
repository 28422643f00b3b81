import CPQ
import Records
import Synchronization

/// A site's database, over one connection of libpq.
///
/// - Threads: any; transactions wait for each other.
public final class PostgresDatabase: Records.Database {
  private let connection: Mutex<PostgresConnection>

  /// - Parameter address: As libpq takes it, such as `host=/run/postgresql dbname=companion user=auricle_participant`.
  /// - Throws: ``StorageError``.
  public init(_ address: String) throws(StorageError) {
    connection = Mutex(try PostgresConnection(address))
  }

  public func transaction<Outcome, Failure: Error>(
    _ session: Session, _ body: (any Transaction) throws(Failure) -> Outcome,
    failing: (StorageError) -> Failure
  ) throws(Failure) -> Outcome {
    try connection.withLock { connection throws(Failure) in
      func storing<Value>(_ step: () throws(StorageError) -> Value) throws(Failure) -> Value {
        do throws(StorageError) { return try step() } catch {
          connection.takeBack()
          throw failing(error)
        }
      }
      try storing { () throws(StorageError) in
        try connection.reconnect()
        try connection.inOneRoundTrip([Self.begin, Self.identity(session)])
      }
      let outcome: Outcome
      do throws(Failure) { outcome = try body(PostgresTransaction(connection: connection)) } catch {
        connection.takeBack()
        throw error
      }
      try storing { () throws(StorageError) in try connection.simple("COMMIT") }
      return outcome
    }
  }

  public func once(
    _ session: Session, _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> [Row] {
    try exclusively { connection throws(StorageError) in
      try connection.reconnect()
      do throws(StorageError) {
        let asked = try connection.command(statement, parameters)
        let answers = try connection.inOneRoundTrip([
          Self.begin, Self.identity(session), asked, Self.commit,
        ])
        return answers[2].rows
      } catch {
        connection.takeBack()
        throw error
      }
    }
  }

  private static let begin = PostgresConnection.Command(text: "BEGIN", values: [])
  private static let commit = PostgresConnection.Command(text: "COMMIT", values: [])

  /// Local to the transaction, so that a pooled connection never passes an identity on.
  private static func identity(_ session: Session) -> PostgresConnection.Command {
    .init(
      text: "SELECT set_config('app.subject', $1, true), set_config('app.now', $2, true)",
      values: [.text(session.subject ?? ""), .text("\(session.now.milliseconds)")])
  }

  public func apply(_ migration: Migration) throws(StorageError) {
    try exclusively { connection throws(StorageError) in
      try connection.reconnect()
      do throws(StorageError) {
        try connection.simple("BEGIN")
        try connection.simple(migration.text)
        if migration.number > 0 {
          try connection.inOneRoundTrip([
            .init(
              text: "INSERT INTO schema_migrations (number, checksum) VALUES ($1, $2)",
              values: [.integer(migration.number), .text(migration.checksum)])
          ])
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

  @discardableResult func run(
    _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> Int {
    try connection.run(statement, parameters).changed
  }
}
