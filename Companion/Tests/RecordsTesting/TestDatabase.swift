import Almanac
import Foundation
import PostgresRecords
import Records
import SQLiteRecords
import Synchronization

/// A database of a test's own, empty or with the newest tables, of either engine.
package struct TestDatabase: Sendable {
  package let database: any Records.Database
  package let engine: Engine
  /// SQLite's file, or PostgreSQL's address.
  package let place: String

  /// Engines of this run: PostgreSQL where `Tests/cluster` has started one, which the lane does.
  package static var engines: [Engine] { cluster == nil ? [.sqlite] : [.sqlite, .postgres] }

  private static var cluster: String? { ProcessInfo.processInfo.environment["COMPANION_POSTGRES"] }

  /// Runs a body with a new database, which is gone afterwards.
  package static func with<Outcome>(
    _ engine: Engine, migrated: Bool = true, _ body: (TestDatabase) throws -> Outcome
  ) throws -> Outcome {
    switch engine {
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      return try begin(engine, folder.appendingPathComponent("companion.db").path, migrated, body)
    case .postgres:
      let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
      let owner = try PostgresDatabase(cluster ?? "", silence: nil)
      try owner.apply(Migration(number: 0, text: "CREATE SCHEMA \(name)"))
      defer { try? owner.apply(Migration(number: 0, text: "DROP SCHEMA \(name) CASCADE")) }
      return try begin(engine, "\(cluster ?? "") options='-c search_path=\(name)'", migrated, body)
    }
  }

  private static func begin<Outcome>(
    _ engine: Engine, _ place: String, _ migrated: Bool, _ body: (TestDatabase) throws -> Outcome
  ) throws -> Outcome {
    var place = place
    if migrated, engine == .postgres {
      _ = try PostgresDatabase.prepare(place, to: .tables(for: engine), at: .at(0))
      // As people are served.
      place += " user=auricle_participant"
    }
    let store = TestDatabase(database: try open(engine, place), engine: engine, place: place)
    if migrated, engine == .sqlite { try store.database.migrate(to: .tables(for: engine), at: .at(0)) }
    return try body(store)
  }

  /// The same database as another login of the server's; a file has none.
  package func logged(in role: String) throws -> any Records.Database {
    try Self.open(engine, engine == .postgres ? "\(place) user=\(role)" : place)
  }

  /// The same database as whoever made it, whom nothing is refused.
  package func administrator() throws -> any Records.Database { try logged(in: "owner") }

  /// A second connection, as another program has.
  package func another() throws -> any Records.Database { try Self.open(engine, place) }

  private static func open(_ engine: Engine, _ place: String) throws -> any Records.Database {
    switch engine {
    case .sqlite: try SQLiteDatabase(path: place, patience: 0.2)
    // A machine that runs other tests may be slow.
    case .postgres: try PostgresDatabase(place, silence: 60)
    }
  }
}

extension Session {
  /// Ada's session, so many ms after 1970.
  package static func at(_ milliseconds: Int, _ subject: String? = "ada") -> Session {
    Session(subject: subject, at: Instant(milliseconds: milliseconds))
  }
}

extension TestDatabase {
  /// Opens a database in a folder that is not there.
  package static func nowhere() throws -> any Records.Database {
    try SQLiteDatabase(path: "/nonexistent/folder/companion.db")
  }
}
