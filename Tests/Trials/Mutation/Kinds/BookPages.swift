import CommonTesting
import Control
import GRDB
import Service

/// The book's database: bytes of its pages and their headers, its statements, and its cells in tables that take
/// anything.
struct BookPages: MutationKind {
  private static let name = "book/book.sqlite"

  static let good: Set<String> = ["opened", "opened, changed"]

  let shelf: MaterialShelf
  private let fixtures: Fixtures
  private let folder: String

  init(_ fixtures: Fixtures, scratch: String) throws {
    self.fixtures = fixtures
    folder = scratch + "/state"
    let database = fixtures.used[Self.name] ?? []
    let page = BookPages.pageSize(database)
    // The file's header (sqlite.org/fileformat.html, 1.3), and the b-tree header and cell pointers of each page.
    let headers: [MaterialShelf.Item] = (0..<database.count / page).map { number in
      let start = number * page
      return MaterialShelf.Item(
        name: "page-\(number + 1)",
        material: ByteMaterial(database, places: start..<start + (number == 0 ? 148 : 40)))
    }
    shelf = MaterialShelf(
      headers + [
        MaterialShelf.Item(name: "cells", material: try CellMaterial(database, scratch: scratch))
      ])
  }

  /// Bytes of a page, from the header: a number of two bytes, 1 for 65,536.
  static func pageSize(_ database: [UInt8]) -> Int {
    guard database.count > 18 else { return 4096 }
    let size = Int(database[16]) << 8 | Int(database[17])
    return size >= 512 ? size : 65_536
  }

  mutating func outcome(of input: MutatedInput) throws -> String {
    var state = fixtures.used
    state[Self.name] = input.bytes
    Fixtures.lay(state, at: folder)
    return try DamagedState.outcome(in: folder)
  }
}

/// A state folder that may be damaged, opened and asked as a daemon is at its start and after it.
enum DamagedState {
  static func outcome(in folder: String) throws -> String {
    let daemon = try DevicelessDaemon(paths: Fixtures.paths(folder))
    let standing = daemon.standing
    let calls: [any ControlMethod] = [
      ReportMethods.Status(), PrescriptionMethods.List(), TrustMethods.List(),
      PrescriptionMethods.Card(number: nil), BookMethods.ShowAudit(count: 1000), BookMethods.VerifyAudit(),
      PrescriptionMethods.Use("quiet"), ProgramMethods.List(), ProgramMethods.Volume(.by(-1)),
    ]
    for call in calls {
      do throws(ControlFailure) {
        try daemon.answer(call)
      } catch {
        if error.message.isEmpty { throw MutationFault(text: "a refusal without words") }
      }
    }
    daemon.passTime()
    guard daemon.problems.isEmpty else { return "opened, with a note" }
    return standing == daemon.standing ? "opened" : "opened, changed"
  }
}

/// Cells and statements of a database changed by SQL, in tables that no longer refuse anything.
struct CellMaterial: MutationMaterial {
  private let database: [UInt8]
  private let path: String
  /// What puts an extreme into a cell or a statement.
  private let statements: [String]

  /// Values of every type that SQLite stores, as SQL writes them.
  private static let values = [
    "NULL", "0", "-1", "1", "2", "9223372036854775807", "-9223372036854775808", "9007199254740993",
    "4294967296", "2147483648", "1e308", "-1e308", "9e999", "1e-320", "0.5", "''", "'x'", "'prescription'",
    "'9223372036854775807'", "char(0)", "char(8238)", "printf('%.70000c', 'x')", "x''", "x'00'", "x'ff'",
    "zeroblob(70000)", "CAST(x'c080ff' AS TEXT)", "randomblob(32)",
  ]

  init(_ database: [UInt8], scratch: String) throws {
    self.database = database
    path = scratch + "/cells.sqlite"
    Fixtures.write(database, to: path)
    let queue = try DatabaseQueue(path: path)
    statements = try queue.read { database in
      var statements: [String] = []
      for table in ["event", "audit", "key", "grdb_migrations"] {
        let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('\(table)')")
        let rows = try Int.fetchAll(database, sql: "SELECT rowid FROM \(table) ORDER BY rowid")
        for row in Set(rows.prefix(3) + rows.suffix(2)).sorted() {
          for column in columns {
            statements += Self.values.map { "UPDATE \(table) SET \(column) = \($0) WHERE rowid = \(row)" }
          }
          statements.append("DELETE FROM \(table) WHERE rowid = \(row)")
        }
        statements += ["DELETE FROM \(table)", "DROP TABLE \(table)", "DROP TABLE event"]
        statements += columns.map { "ALTER TABLE \(table) DROP COLUMN \($0)" }
        statements += columns.map { "ALTER TABLE \(table) RENAME COLUMN \($0) TO other" }
      }
      for name in ["event", "audit", "key"] {
        for word in ["INTEGER", "BLOB", "TEXT", "NOT NULL", "PRIMARY KEY", "number", "STRICT"] {
          for other in ["", "x", "REAL", "hash", "GENERATED ALWAYS AS (1)"] {
            statements.append(
              "UPDATE sqlite_schema SET sql = replace(sql, '\(word)', '\(other)') WHERE name = '\(name)'")
          }
        }
      }
      return statements
    }
    try queue.close()
  }

  var unchanged: [UInt8] { database }
  var count: Int { statements.count }

  func changed(_ number: Int) -> [UInt8] { changed(by: [statements[number]]) }

  func changed(using dice: inout SeededGenerator) -> [UInt8] {
    changed(
      by: (0..<Self.changes(&dice)).map { _ in
        statements[Int.random(in: statements.indices, using: &dice)]
      })
  }

  /// The database after statements; those that SQLite itself refuses change nothing.
  private func changed(by statements: [String]) -> [UInt8] {
    Fixtures.write(database, to: path)
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = false
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return database }
    try? queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = DELETE")
      try database.execute(sql: "PRAGMA synchronous = OFF")
      for trigger in try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      {
        try database.execute(sql: "DROP TRIGGER \(trigger)")
      }
      try database.execute(sql: "PRAGMA writable_schema = ON")
      try database.execute(
        sql: "UPDATE sqlite_schema SET sql = replace(replace(sql, ' STRICT', ''), ' NOT NULL', '')")
      try database.execute(sql: "PRAGMA writable_schema = RESET")
      try database.execute(sql: "PRAGMA writable_schema = ON")
      for statement in statements { try? database.execute(sql: statement) }
    }
    try? queue.close()
    return Fixtures.bytes(of: path)
  }
}
