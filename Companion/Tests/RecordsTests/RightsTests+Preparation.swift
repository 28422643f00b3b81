import Foundation
import PostgresRecords
import Records
import RecordsTesting
import Testing

/// Logins that may open a database, and its preparation.
extension RightsTests {
  @Test(
    "a login that could pass the policies does not open the database, and is told why",
    arguments: [
      ("owner", "a superuser"), ("auricle_migrate", "the owner of the tables, or a member of that role"),
    ])
  func refused(role: String, reason: String) throws {
    try TestDatabase.with(.postgres) { store in
      do throws(StorageError) {
        _ = try PostgresDatabase.serving(
          "\(store.place) user=\(role)", knowing: .tables(for: .postgres), at: .at(0))
        Issue.record("opened as \(role)")
      } catch {
        #expect("\(error)".contains("\(role) is \(reason) and would see everybody's rows"))
      }
      for login in ["auricle_participant", "auricle_staff", "auricle_export"] {
        _ = try PostgresDatabase.serving(
          "\(store.place) user=\(login)", knowing: .tables(for: .postgres), at: .at(0))
      }
    }
  }

  @Test("BYPASSRLS, its membership, and a database that nobody prepared are told")
  func otherRefusals() throws {
    try TestDatabase.with(.postgres) { store in
      let administrator = try store.administrator()
      let name = "r" + UUID().uuidString.lowercased().filter { $0 != "-" }
      try administrator.apply(
        Migration(
          number: 0,
          text:
            "CREATE ROLE \(name) LOGIN BYPASSRLS; CREATE ROLE \(name)m LOGIN; GRANT \(name) TO \(name)m; CREATE ROLE \(name)n LOGIN; CREATE ROLE \(name)c LOGIN CREATEROLE; CREATE ROLE \(name)x LOGIN; GRANT pg_execute_server_program TO \(name)x; CREATE ROLE \(name)o LOGIN; GRANT auricle_owner TO \(name)o; CREATE ROLE \(name)v LOGIN; GRANT auricle_verbs TO \(name)v; CREATE SCHEMA \(name) AUTHORIZATION \(name)o"
        ))
      defer {
        try? administrator.apply(
          Migration(
            number: 0,
            text:
              "DROP SCHEMA \(name); DROP ROLE \(name)m, \(name)v, \(name)n, \(name)c, \(name)x, \(name)o, \(name)"
          ))
      }
      func words(_ login: String) -> String {
        do throws(StorageError) {
          _ = try PostgresDatabase.serving(
            "\(store.place) user=\(login)", knowing: .tables(for: .postgres), at: .at(0))
          return "opened"
        } catch { return "\(error)" }
      }
      #expect(words(name).contains("allowed to pass the policies (BYPASSRLS)"))
      #expect(words(name + "m").contains("a member of a role that passes the policies"))
      #expect(words(name + "v").contains("a member of a role that passes the policies"))
      #expect(words(name + "c").contains("allowed to make roles"))
      #expect(words(name + "x").contains("a member of a role that passes the policies"))
      // Wherever its own schema lies in the search path.
      #expect(words(name + "o").contains("would see everybody's rows"))
      #expect(
        words("auricle_migrate options='-c role=auricle_owner'").contains("would see everybody's rows"))
      #expect(words(name + "n").contains("found no tables that this login sees"))
      let known = Migrations(
        Migrations.tables(for: .postgres).all + [Migration(number: 99, text: "SELECT 1")])
      #expect(throws: StorageError.olderSchema(found: known.all.count - 1, known: known.all.count)) {
        try PostgresDatabase.serving(store.place, knowing: known, at: .at(0))
      }
    }
  }

  @Test(
    "prepared again, by the administrator or as auricle_migrate, nothing is changed; tables of a former owner are handed over"
  )
  func preparation() throws {
    try TestDatabase.with(.postgres, migrated: false) { store in
      let tables = Migrations.tables(for: .postgres)
      // As it was before there were roles.
      try store.database.migrate(to: Migrations(Array(tables.all.prefix(1))), at: .at(0))
      let done = try PostgresDatabase.prepare(store.place, to: tables, at: .at(0)).filter {
        if case .made = $0 { false } else { true }
      }
      #expect(done == [.handedOver(12), .migrated(from: 1, to: tables.all.count)])
      for login in ["owner", "auricle_migrate"] {
        #expect(try PostgresDatabase.prepare("\(store.place) user=\(login)", to: tables, at: .at(0)) == [])
      }
      #expect(throws: StorageError.self) {
        try PostgresDatabase.prepare("\(store.place) user=auricle_participant", to: tables, at: .at(0))
      }
      _ = try PostgresDatabase.serving(
        "\(store.place) user=auricle_participant", knowing: tables, at: .at(0))
    }
  }

  /// Version 4 is the first that grants anything.
  @Test(
    "tables of the first versions, as a preparation leaves them that is broken off, are told as not prepared",
    arguments: 1...3)
  func brokenOff(version: Int) throws {
    try TestDatabase.with(.postgres, migrated: false) { store in
      let tables = Migrations.tables(for: .postgres)
      let first = Migrations(Array(tables.all.prefix(version)))
      _ = try PostgresDatabase.prepare(store.place, to: first, at: .at(0))
      for login in ["auricle_participant", "auricle_staff", "auricle_export"] {
        #expect(throws: StorageError.olderSchema(found: 0, known: tables.all.count), "\(login)") {
          try PostgresDatabase.serving("\(store.place) user=\(login)", knowing: tables, at: .at(0))
        }
      }
    }
  }

  @Test(
    "a login that is none of the roles has no right to tables that were prepared, and is not told to prepare them",
    arguments: [true, false])
  func stranger(isPrepared: Bool) throws {
    try TestDatabase.with(.postgres, migrated: isPrepared) { store in
      let tables = Migrations.tables(for: .postgres)
      let administrator = try store.administrator()
      if !isPrepared {
        let first = Migrations(Array(tables.all.prefix(3)))
        _ = try PostgresDatabase.prepare(store.place, to: first, at: .at(0))
      }
      let found = try administrator.once(.at(0), Statement("SELECT current_schema() AS name"), [:])
      let schema = try #require(found.first?["name"]?.text)
      let name = "r" + UUID().uuidString.lowercased().filter { $0 != "-" }
      // As everybody has it of the schema public.
      try administrator.apply(
        Migration(number: 0, text: "CREATE ROLE \(name) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(name)"))
      defer {
        try? administrator.apply(Migration(number: 0, text: "DROP OWNED BY \(name); DROP ROLE \(name)"))
      }
      let expected: StorageError =
        isPrepared
        ? .forbidden("permission denied for table schema_migrations")
        : .olderSchema(found: 0, known: tables.all.count)
      #expect(throws: expected) {
        try PostgresDatabase.serving("\(store.place) user=\(name)", knowing: tables, at: .at(0))
      }
    }
  }

  /// From PostgreSQL 16 on whoever makes roles grants those alone that they administer.
  private static func administratorOfRoles(_ name: String) -> Migration {
    Migration(
      number: 0,
      text: """
        CREATE ROLE \(name) LOGIN CREATEROLE CREATEDB;
        DO $$ BEGIN
          IF current_setting('server_version_num')::integer >= 160000 THEN
            EXECUTE 'GRANT auricle_owner TO \(name) WITH ADMIN TRUE, INHERIT FALSE, SET FALSE';
          END IF;
        END $$
        """)
  }

  @Test(
    "an administrator who makes roles and is no superuser prepares it, and may not become the owner afterwards"
  )
  func makerOfRoles() throws {
    let tables = Migrations.tables(for: .postgres)
    try TestDatabase.with(.postgres) { prepared in
      let superuser = try prepared.administrator()
      let name = "r" + UUID().uuidString.lowercased().filter { $0 != "-" }
      try superuser.apply(Self.administratorOfRoles(name))
      defer { try? superuser.apply(Migration(number: 0, text: "DROP ROLE \(name)")) }
      try TestDatabase.with(.postgres, migrated: false) { store in
        let here = try store.administrator()
        let named = try here.once(.at(0), Statement("SELECT current_schema() AS name"), [:])
        let schema = try #require(named.first?["name"]?.text)
        try here.apply(Migration(number: 0, text: "ALTER SCHEMA \(schema) OWNER TO \(name)"))
        defer {
          try? here.apply(Migration(number: 0, text: "ALTER SCHEMA \(schema) OWNER TO CURRENT_USER"))
        }
        let login = "\(store.place) user=\(name)"
        let done = try PostgresDatabase.prepare(login, to: tables, at: .at(0))
        #expect(done == [.migrated(from: 0, to: tables.all.count)])
        let again = try PostgresDatabase.prepare(login, to: tables, at: .at(0))
        #expect(again == [])
        #expect(throws: StorageError.self) {
          try PostgresDatabase(login, role: "auricle_owner", connections: 1)
        }
        // One that was interrupted before its end has left it a member.
        let maker = try PostgresDatabase(login, connections: 1)
        try maker.transaction(.at(0)) { transaction throws(StorageError) in
          _ = try transaction.run(Statement("GRANT auricle_owner TO CURRENT_USER"), [:])
        }
        _ = try PostgresDatabase(login, role: "auricle_owner", connections: 1)
        let next = try PostgresDatabase.prepare(login, to: tables, at: .at(0))
        #expect(next == [])
        #expect(throws: StorageError.self) {
          try PostgresDatabase(login, role: "auricle_owner", connections: 1)
        }
        _ = try PostgresDatabase.serving(
          "\(store.place) user=auricle_participant", knowing: tables, at: .at(0))
      }
    }
  }
}
