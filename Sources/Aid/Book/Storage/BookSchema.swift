import GRDB

/// The list of tables, indices and triggers that a database file carries, with the text of each.
///
/// A file whose pages are sound may still say that a column has another name or a table takes any type: one
/// bit in that text is enough. What is not to the letter what this version writes is damage, or of a later
/// version. Triggers may be missing: whoever takes them off to change rows is found by the audit trail,
/// which names the row.
struct BookSchema {
  private struct Object: Hashable, Decodable, FetchableRecord {
    let type: String?
    let name: String?
    let table: String?
    /// Nil for indices that SQLite makes itself.
    let text: String?
  }

  private let objects: Set<Object>
  /// Names of the steps that made the tables.
  private let steps: Set<String>

  /// That of a book without a row, made in memory; nil when there is no memory for it.
  private static let whole: BookSchema? = {
    guard let queue = try? DatabaseQueue() else { return nil }
    defer { BookDatabase.close(queue) }
    guard (try? BookDatabase.migrator.migrate(queue)) != nil else { return nil }
    return try? queue.read { try BookSchema(of: $0) }
  }()

  /// GRDB's own table, in which it notes the steps.
  private static let stepsTable = "grdb_migrations"

  /// - Throws: `DatabaseError`, `RowDecodingError`.
  init(of database: Database) throws {
    objects = try Object.fetchSet(
      database, sql: "SELECT type, name, tbl_name AS \"table\", sql AS text FROM sqlite_schema")
    let hasSteps = objects.contains { $0.type == "table" && $0.name == Self.stepsTable }
    steps =
      hasSteps ? try String.fetchSet(database, sql: "SELECT identifier FROM \(Self.stepsTable)") : []
  }

  /// True while the book's own tables are still to be made.
  var isEmpty: Bool { objects.allSatisfy { $0.table == Self.stepsTable } }

  /// Age of the tables by the steps that made them.
  ///
  /// - Throws: ``SealingError/inputOutput(path:reason:)`` when there is no memory to compare with.
  func form(path: String) throws(BookError) -> BookForm {
    guard let whole = Self.whole else {
      throw .sealing(.inputOutput(path: path, reason: "no memory for a second list of tables"))
    }
    if !steps.isSubset(of: whole.steps) { return .newer }
    return steps == whole.steps ? .current : .older
  }

  /// - Parameter isBook: True when the file's header marks it as a book, which it does once the tables are
  ///   made.
  /// - Throws: ``BookError/newerBook(path:)``, ``BookError/corrupt(path:detail:)``.
  func check(path: String, isBook: Bool) throws(BookError) {
    guard let whole = Self.whole else {
      throw .sealing(.inputOutput(path: path, reason: "no memory for a second list of tables"))
    }
    guard steps.isSubset(of: whole.steps) else { throw .newerBook(path: path) }
    // GRDB's table comes in a transaction before the others, with nothing in it.
    let begun = whole.objects.filter { $0.table == Self.stepsTable }
    let isSound =
      isBook
      ? objects.isSubset(of: whole.objects) && steps == whole.steps
        && objects.isSuperset(of: whole.objects.filter { $0.type != "trigger" })
      : steps.isEmpty && (objects.isEmpty || objects == begun)
    guard isSound else { throw .corrupt(path: path, detail: "its list of tables is not that of a book") }
  }
}
