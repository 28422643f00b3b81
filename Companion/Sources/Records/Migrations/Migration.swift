import Studies

/// A change of the tables, in the words of one engine. Released, it is never edited: another one follows it.
public struct Migration: Sendable, Hashable {
  /// From 1, without a gap.
  public let number: Int
  public let text: String

  public init(number: Int, text: String) { (self.number, self.text) = (number, text) }

  /// SHA-256 of the text, hexadecimal.
  public var checksum: String { Hash.text(Array(text.utf8)) }
}

/// Migrations in their order.
public struct Migrations: Sendable {
  public let all: [Migration]

  public init(_ all: [Migration]) { self.all = all }
}

extension Database {
  private static var applied: Statement {
    Statement("SELECT number, checksum FROM schema_migrations ORDER BY number")
  }

  /// Brings the tables to the newest version, each step whole or not at all. Programs that do so at once do each step once.
  ///
  /// - Returns: Their version before; 0 where there were no tables.
  /// - Throws: ``StorageError/editedMigration(_:)``, ``StorageError/laterSchema(found:known:)``; nothing is changed then.
  @discardableResult
  public func migrate(to migrations: Migrations, at session: Session) throws(StorageError) -> Int {
    try apply(Migration(number: 0, text: Self.table))
    let before = try applied(migrations, session)
    let waiting = migrations.all.dropFirst(before)
    guard !waiting.isEmpty else { return before }
    for migration in waiting { try apply(migration) }
    // Those that another program has applied meanwhile are the same.
    try check(migrations, session)
    return before
  }

  /// Looks whether the tables are of the newest version, and changes nothing: for an identity that may not.
  ///
  /// - Throws: ``StorageError/olderSchema(found:known:)`` besides those of ``migrate(to:at:)``.
  public func check(_ migrations: Migrations, _ session: Session) throws(StorageError) {
    let found = try applied(migrations, session)
    guard found == migrations.all.count else {
      throw .olderSchema(found: found, known: migrations.all.count)
    }
  }

  /// Number of migrations that were applied, which are the first of these.
  private func applied(_ migrations: Migrations, _ session: Session) throws(StorageError) -> Int {
    let rows = try once(session, Self.applied, [:])
    for (place, row) in rows.enumerated() {
      // From 1 without a gap, whatever the table says.
      guard let number = row["number"]?.integer, number == place + 1 else {
        throw .damaged(
          "its list of migrations has \(row["number"]?.integer.map(String.init) ?? "nothing") in place \(place + 1)"
        )
      }
      guard number <= migrations.all.count else {
        throw .laterSchema(found: rows.count, known: migrations.all.count)
      }
      guard row["checksum"]?.text == migrations.all[place].checksum else { throw .editedMigration(number) }
    }
    return rows.count
  }

  private static var table: String {
    "CREATE TABLE IF NOT EXISTS schema_migrations (number INTEGER PRIMARY KEY, checksum TEXT NOT NULL)"
  }
}
