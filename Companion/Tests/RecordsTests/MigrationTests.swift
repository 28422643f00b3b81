import Foundation
import PostgresRecords
import Records
import RecordsTesting
import SQLiteRecords
import Synchronization
import Testing

@Suite("Migrations") struct MigrationTests {
  static let steps = [
    Migration(number: 1, text: "CREATE TABLE a (x INTEGER)"),
    Migration(number: 2, text: "ALTER TABLE a ADD COLUMN y TEXT"),
  ]
  static let columns = Statement("SELECT count(y) AS n FROM a")

  @Test("from nothing to the newest, twice, and from the step before", arguments: TestDatabase.engines)
  func newest(engine: Engine) throws {
    for first in 0...2 {
      try TestDatabase.with(engine, migrated: false) { store in
        try store.database.migrate(to: Migrations(Array(Self.steps.prefix(first))), at: .at(0))
        for _ in 1...2 { try store.database.migrate(to: Migrations(Self.steps), at: .at(0)) }
        #expect(try store.database.once(.at(0), Self.columns, [:]).first?["n"] == 0)
      }
    }
  }

  @Test(
    "an edited migration and a schema of a later version are not opened, said which",
    arguments: TestDatabase.engines)
  func refused(engine: Engine) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      try store.database.migrate(to: Migrations(Self.steps), at: .at(0))
      let edited = [Self.steps[0], Migration(number: 2, text: "ALTER TABLE a ADD COLUMN z TEXT")]
      #expect(throws: StorageError.editedMigration(2)) {
        try store.database.migrate(to: Migrations(edited), at: .at(0))
      }
      #expect(throws: StorageError.laterSchema(found: 2, known: 1)) {
        try store.database.migrate(to: Migrations([Self.steps[0]]), at: .at(0))
      }
    }
  }

  @Test(
    "a migration that fails in its middle leaves nothing of itself, and the next attempt does it",
    arguments: TestDatabase.engines)
  func whole(engine: Engine) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      let broken = [Migration(number: 1, text: "CREATE TABLE a (x INTEGER); CREATE TABLE a (x INTEGER)")]
      #expect(throws: StorageError.self) { try store.database.migrate(to: Migrations(broken), at: .at(0)) }
      try store.database.migrate(to: Migrations(Self.steps), at: .at(0))
    }
  }

  @Test(
    "a list of migrations that does not count from 1 without a gap is damage, at its extremes too",
    arguments: TestDatabase.engines, [0, -5, 2, .max, .min])
  func damaged(engine: Engine, number: Int) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      try store.database.migrate(to: Migrations(Array(Self.steps.prefix(1))), at: .at(0))
      // The first engine's key takes 64 bits, the other's 32.
      let kept = engine == .postgres ? max(-2_147_483_648, min(2_147_483_647, number)) : number
      _ = try store.database.once(
        .at(0), Statement("UPDATE schema_migrations SET number = \(kept)"), [:])
      #expect(throws: StorageError.damaged("its list of migrations has \(kept) in place 1")) {
        try store.database.migrate(to: Migrations(Self.steps), at: .at(0))
      }
    }
  }

  @Test("a step that another program has done meanwhile is passed over", arguments: TestDatabase.engines)
  func meanwhile(engine: Engine) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      try store.database.migrate(to: Migrations([]), at: .at(0))
      for _ in 1...2 { try store.database.apply(Self.steps[0]) }
      try store.database.migrate(to: Migrations(Self.steps), at: .at(0))
      #expect(try store.database.once(.at(0), Self.columns, [:]).first?["n"] == 0)
    }
  }

  @Test("programs that start at once each find the tables made", arguments: TestDatabase.engines)
  func atOnce(engine: Engine) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      let failures = Mutex<[String]>([])
      let all = DispatchGroup()
      for _ in 1...6 {
        all.enter()
        Thread.detachNewThread {
          defer { all.leave() }
          do {
            let database: any Records.Database =
              engine == .sqlite
              ? try SQLiteDatabase(path: store.place, patience: 60)
              : try PostgresDatabase(store.place, silence: nil)
            try database.migrate(to: Migrations(Self.steps), at: .at(0))
            _ = try database.once(.at(0), Self.columns, [:])
          } catch { failures.withLock { $0.append("\(error)") } }
        }
      }
      all.wait()
      #expect(failures.withLock { $0 } == [])
    }
  }

  @Test("SHA-256 of a migration's text, by FIPS 180-2's example")
  func checksum() {
    #expect(
      Migration(number: 1, text: "abc").checksum
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  /// Columns of all tables: table, column, kind, may be empty, place in the key.
  private static func shape(_ store: TestDatabase) throws -> Set<[String]> {
    let query =
      switch store.engine {
      case .sqlite:
        """
        SELECT m.name AS a, p.name AS b, lower(p.type) AS c, p."notnull" AS d, p.pk AS e
        FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'
        """
      case .postgres:
        """
        SELECT c.table_name AS a, c.column_name AS b, c.data_type AS c, COALESCE(CASE c.is_nullable WHEN 'NO' THEN 1 END, 0) AS d,
        coalesce((SELECT k.ordinal_position FROM information_schema.key_column_usage k
          JOIN information_schema.table_constraints t USING (constraint_schema, constraint_name)
          WHERE t.constraint_type = 'PRIMARY KEY' AND k.table_schema = c.table_schema
          AND k.table_name = c.table_name AND k.column_name = c.column_name), 0) AS e
        FROM information_schema.columns c WHERE c.table_schema = current_schema()
        """
      }
    let kinds = ["bigint": "integer", "bytea": "blob", "double precision": "real"]
    return Set(
      try store.database.once(.at(0), Statement(query), [:]).map { row in
        let kind = row["c"]?.text ?? ""
        return [
          row["a"]?.text ?? "", row["b"]?.text ?? "", kinds[kind] ?? kind, "\(row["d"]?.integer ?? -1)",
          "\(row["e"]?.integer ?? -1)",
        ]
      }.filter { $0[0] != "schema_migrations" })
  }

  @Test(
    "both engines have the same tables: columns, kinds, what may be empty, keys",
    .enabled(if: TestDatabase.engines.count == 2))
  func parity() throws {
    let sqlite = try TestDatabase.with(.sqlite) { try Self.shape($0) }
    let postgres = try TestDatabase.with(.postgres) { try Self.shape($0) }
    #expect(sqlite.count > 40)
    #expect(sqlite == postgres, "\(sqlite.symmetricDifference(postgres))")
  }

  @Test("a published version is never changed, by whomever", arguments: TestDatabase.engines)
  func fixed(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let version = StudyVersion(study: "urn:s", version: "1", signer: "own", content: [1])
      try StudyVersions(store.database).keep(version, .at(0))
      let whoever = try store.administrator()
      #expect(throws: StorageError.constraint("a published version is never changed")) {
        try whoever.once(.at(0), Statement("UPDATE study_version SET version = '2'"), [:])
      }
    }
  }
}
