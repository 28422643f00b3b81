import CPQ
import Records

/// A site's database as one login, over a pool of libpq's connections: as many transactions run at a time as there are connections.
///
/// - Threads: any.
public final class PostgresDatabase: Records.Database {
  let pool: PostgresPool

  /// - Parameters:
  ///   - address: As libpq takes it, such as `host=/run/postgresql dbname=companion user=auricle_participant`.
  ///   - role: Role that each connection takes on, one of which the login is a member; nil: the login itself.
  ///   - connections: Largest number of connections; each is made when it is needed.
  ///   - patience: Longest wait for one, s.
  ///   - silence: Longest time in which the server may say nothing, s; half of it is the limit for opening a connection whose
  ///     address states none, and for waiting until another program gives a row free. Nil: each step takes its time.
  /// - Throws: ``StorageError`` where the first cannot be made.
  public init(
    _ address: String, role: String? = nil, connections: Int = 4, patience: Double = 5,
    silence: Double? = 10
  ) throws(StorageError) {
    pool = PostgresPool(address, role: role, size: connections, patience: patience, silence: silence)
    try pool.with(failing: { $0 }) { _ throws(StorageError) in }
  }

  public func transaction<Outcome, Failure: Error>(
    _ session: Session, _ body: (any Transaction) throws(Failure) -> Outcome,
    failing: (StorageError) -> Failure
  ) throws(Failure) -> Outcome {
    try pool.with(failing: failing) { connection throws(Failure) in
      func storing<Value>(_ step: () throws(StorageError) -> Value) throws(Failure) -> Value {
        do throws(StorageError) { return try step() } catch {
          connection.takeBack()
          throw failing(error)
        }
      }
      try storing { () throws(StorageError) in
        _ = try connection.inOneRoundTrip([Self.begin, Self.identity(session)])
      }
      let outcome: Outcome
      let transaction = PostgresTransaction(connection, session)
      do throws(Failure) { outcome = try body(transaction) } catch {
        connection.takeBack()
        throw error
      }
      try storing { () throws(StorageError) in try connection.commit(changing: transaction.hasChanged) }
      return outcome
    }
  }

  public func once(
    _ session: Session, _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> [Row] {
    try pool.with(failing: { $0 }) { connection throws(StorageError) in
      let asked = try connection.command(statement, parameters, session)
      // All that is sent before a sync is one transaction (PostgreSQL, "Pipelining" of the extended query protocol).
      let commands = asked.namesSession ? [asked] : [Self.identity(session), asked]
      do throws(StorageError) {
        return try connection.inOneRoundTrip(
          commands.map(connection.planned), changing: statement.changes
        ).last?.rows ?? []
      } catch {
        guard connection.givesPlansUp() else { throw error }
        return try connection.inOneRoundTrip(commands, changing: statement.changes).last?.rows ?? []
      }
    }
  }

  private static let begin = PostgresCommand(text: "BEGIN", values: [])

  /// Local to the transaction, so that a pooled connection never passes an identity on.
  private static func identity(_ session: Session) -> PostgresCommand {
    .init(
      text: "SELECT set_config('app.subject', $1, true), set_config('app.now', $2, true)",
      values: [.text(session.subject ?? ""), .text("\(session.now.milliseconds)")])
  }

  /// Subjects every protected table's owner to its policies, or not.
  private static func force(_ isForced: Bool) -> String {
    """
    DO $$ DECLARE one regclass; BEGIN
      FOR one IN SELECT oid FROM pg_class WHERE relnamespace =
          (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p')
        AND relrowsecurity AND relforcerowsecurity <> \(isForced)
      LOOP EXECUTE format('ALTER TABLE %s \(isForced ? "" : "NO ")FORCE ROW LEVEL SECURITY', one); END LOOP;
    END $$
    """
  }

  /// Programs that start at once bring the tables forward one after the other.
  private static let lock =
    "SELECT pg_advisory_xact_lock(hashtext('auricle tables ' || coalesce(current_schema(), '')))"

  private static func isApplied(
    _ migration: Migration, _ connection: PostgresConnection
  ) throws(StorageError) -> Bool {
    guard migration.number > 0 else { return false }
    let answers = try connection.inOneRoundTrip([
      .init(
        text: "SELECT number FROM schema_migrations WHERE number = $1", values: [.integer(migration.number)]
      )
    ])
    return answers.first?.rows.isEmpty == false
  }

  public func apply(_ migration: Migration) throws(StorageError) {
    try pool.with(failing: { $0 }) { connection throws(StorageError) in
      do throws(StorageError) {
        try connection.simple("BEGIN")
        try connection.simple(Self.lock)
        guard try !Self.isApplied(migration, connection) else { return connection.takeBack() }
        // The owner sees no rows otherwise, and a change of rows would change none and say nothing.
        if migration.number > 0 { try connection.simple(Self.force(false)) }
        try connection.simple(migration.text)
        if migration.number > 0 { try connection.simple(Self.force(true)) }
        if migration.number > 0 {
          try connection.inOneRoundTrip([
            .init(
              text: "INSERT INTO schema_migrations (number, checksum) VALUES ($1, $2)",
              values: [.integer(migration.number), .text(migration.checksum)])
          ])
        }
        try connection.commit(changing: true)
      } catch {
        connection.takeBack()
        throw error
      }
    }
  }
}

private final class PostgresTransaction: Transaction {
  private let connection: PostgresConnection
  private let session: Session
  /// True once a statement was run that may change rows.
  private(set) var hasChanged = false

  init(_ connection: PostgresConnection, _ session: Session) {
    (self.connection, self.session) = (connection, session)
  }

  func rows(_ statement: Statement, _ parameters: [String: Value]) throws(StorageError) -> [Row] {
    hasChanged = hasChanged || statement.changes
    return try connection.run(statement, parameters, session).rows
  }

  @discardableResult func run(
    _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> Int {
    hasChanged = hasChanged || statement.changes
    return try connection.run(statement, parameters, session).changed
  }
}
