import PostgresRecords
import Records
import RecordsTesting
import Testing

@Suite("Rights on PostgreSQL, by real logins", .enabled(if: TestDatabase.engines.contains(.postgres)))
struct RightsTests {
  private static func prepared(_ body: (TestDatabase, any Records.Database) throws -> Void) throws {
    try TestDatabase.with(.postgres) { store in
      let administrator = try store.administrator()
      try administrator.apply(Migration(number: 0, text: RightsMatrix.fixture))
      try body(store, administrator)
    }
  }

  @Test(
    "each table of the catalogue gives each identity exactly its rows, and refuses the rest by 42501: select, insert, update, delete"
  )
  func matrix() throws {
    try Self.prepared { store, administrator in
      let faults = try RightsMatrix(store).faults(in: administrator)
      #expect(faults == [])
    }
  }

  @Test("a table that a later migration adds and the matrix does not list is a fault")
  func newTable() throws {
    try Self.prepared { store, administrator in
      try administrator.apply(
        Migration(number: 0, text: "CREATE TABLE diary (id TEXT PRIMARY KEY, subject TEXT)"))
      #expect(
        try RightsMatrix(store).faults(in: administrator).contains(
          "diary: in the catalogue or in the matrix, not in both"))
    }
  }

  @Test("staff see all of everybody's parts but the seeds, by which names become the codes of a data set")
  func seeds() throws {
    try Self.prepared { store, _ in
      let staff = try store.logged(in: "auricle_staff")
      let columns = "id, subject, study_version, first_date, begun, ended, ending"
      #expect(try staff.once(.at(4, nil), Statement("SELECT \(columns) FROM enrolment"), [:]).count == 2)
      for text in ["SELECT seed FROM enrolment", "SELECT id FROM enrolment ORDER BY seed"] {
        #expect { try staff.once(.at(4, nil), Statement(text), [:]) } throws: {
          "\($0)".contains("this is not allowed")
        }
      }
      let seen = try Enrolments(staff).visible(.at(4, nil))
      #expect(seen.enrolments.map(\.id) == ["ada-e", "bob-e"] && seen.unreadable.isEmpty)
      #expect(seen.enrolments.allSatisfy { $0.seed == nil })
      #expect(throws: ParticipationError.self) {
        try Enrolments(staff).visible(.at(4, nil), withSeeds: true)
      }
      let export = Enrolments(try store.logged(in: "auricle_export"))
      let codes = try export.visible(.at(4, nil), withSeeds: true)
      #expect(codes.enrolments.map(\.seed) == [1, 1])
    }
  }

  private static let policies = Statement(
    """
    SELECT polname AS name, c.relname AS table, pg_get_expr(p.polqual, p.polrelid) AS using, pg_get_expr(p.polwithcheck, p.polrelid) AS check,
      CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' WHEN '*' THEN 'ALL' END AS command,
      (SELECT string_agg(r.rolname, ', ') FROM pg_roles r WHERE r.oid = ANY (p.polroles)) AS roles
    FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() ORDER BY 2, 1
    """)

  private struct Mutant {
    let table: String
    let change: String
    /// Takes the change back.
    let back: String
  }

  /// Changes of the rights that each let somebody do more or less.
  private static func mutants(_ administrator: any Records.Database) throws -> [Mutant] {
    var mutants: [Mutant] = []
    for row in try administrator.once(.at(0), policies, [:]) {
      guard let name = row["name"]?.text, let table = row["table"]?.text,
        let command = row["command"]?.text,
        let roles = row["roles"]?.text
      else { continue }
      let using = row["using"]?.text.map { " USING (\($0))" } ?? ""
      let check = row["check"]?.text.map { " WITH CHECK (\($0))" } ?? ""
      let make = "CREATE POLICY \(name) ON \(table) FOR \(command) TO \(roles)"
      mutants.append(
        Mutant(table: table, change: "DROP POLICY \(name) ON \(table)", back: make + using + check))
      // Open to every row where it was not; a site's is meant to be. A changed row's own check is left out: it looks at columns that nobody
      // may change, which a test below shows.
      for (part, isThere) in [
        ("USING", !using.isEmpty), ("WITH CHECK", !check.isEmpty || command == "INSERT"),
      ]
      where isThere && roles == "auricle_participant" && !(part == "WITH CHECK" && command == "UPDATE") {
        let open = part == "USING" ? " USING (true)" + check : using + " WITH CHECK (true)"
        let drop = "DROP POLICY \(name) ON \(table); \(make)"
        mutants.append(Mutant(table: table, change: drop + open, back: drop + using + check))
      }
    }
    for table in Set(mutants.map(\.table)).sorted() {
      let pairs = [
        (
          "ALTER TABLE \(table) DISABLE ROW LEVEL SECURITY",
          "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY"
        ),
        (
          "ALTER TABLE \(table) NO FORCE ROW LEVEL SECURITY",
          "ALTER TABLE \(table) FORCE ROW LEVEL SECURITY"
        ),
        (
          "GRANT DELETE ON \(table) TO auricle_staff; CREATE POLICY m ON \(table) FOR DELETE TO auricle_staff USING (true)",
          "REVOKE DELETE ON \(table) FROM auricle_staff; DROP POLICY m ON \(table)"
        ),
        ("GRANT UPDATE ON \(table) TO auricle_export", "REVOKE UPDATE ON \(table) FROM auricle_export"),
      ]
      mutants += pairs.map { Mutant(table: table, change: $0, back: $1) }
    }
    let trigger = "TRIGGER safety_alert_is_cared_for"
    mutants.append(
      Mutant(
        table: "safety_alert", change: "ALTER TABLE safety_alert DISABLE \(trigger)",
        back: "ALTER TABLE safety_alert ENABLE \(trigger)"))
    return mutants
  }

  @Test(
    "each policy that is dropped or opened, each FORCE and each right that is changed is seen by the matrix"
  )
  func mutation() throws {
    try Self.prepared { store, administrator in
      let matrix = try RightsMatrix(store)
      let mutants = try Self.mutants(administrator)
      #expect(mutants.count > 50)
      for mutant in mutants {
        try administrator.apply(Migration(number: 0, text: mutant.change))
        let faults = try matrix.faults(in: administrator, of: mutant.table)
        #expect(!faults.isEmpty, "nobody notices: \(mutant.change)")
        try administrator.apply(Migration(number: 0, text: mutant.back))
      }
      #expect(try matrix.faults(in: administrator) == [])
    }
  }

  @Test(
    "statements written by hand pass no policy: RETURNING, a foreign key, another's key, TRUNCATE, the owner's words",
    arguments: [
      ("UPDATE answer SET value = '9' WHERE response = 'ada-r' RETURNING value", nil),
      ("DELETE FROM answer WHERE response = 'bob-r'", 0),
      ("SELECT 1 FROM answer WHERE response LIKE 'bob%'", 0),
      ("INSERT INTO response VALUES ('x', 'bob-e', 'z', 'q', '1', 0, 9000, 'UTC', 1) RETURNING id", nil),
      ("INSERT INTO answer VALUES ('bob-r', 'j', '', '1', 1, 1, 1, 0)", nil),
      ("INSERT INTO answer VALUES ('ada-c', 'j', '', '1', 1, 1, 1, 0)", nil),
      ("UPDATE answer SET response = 'bob-r'", nil), ("UPDATE response SET enrolment = 'bob-e'", nil),
      ("UPDATE enrolment SET seed = 2", nil), ("TRUNCATE answer", nil),
      ("CREATE TABLE mine (x INTEGER)", nil), ("SET ROLE auricle_owner", nil),
      ("SET ROLE auricle_verbs", nil), ("DROP FUNCTION keep_answer", nil),
      ("ALTER TABLE answer DISABLE ROW LEVEL SECURITY", nil),
      ("DROP POLICY own_read ON answer", nil),
    ] as [(String, Int?)])
  func byHand(text: String, expected: Int?) throws {
    try Self.prepared { store, _ in
      var found: Int?
      do throws(StorageError) {
        found = try store.database.transaction(.at(5000, "ada")) { transaction throws(StorageError) in
          try transaction.run(Statement(text), [:])
        }
      } catch .forbidden(_) {
        // 42501
      } catch {
        Issue.record("\(text): \(error)")
      }
      #expect(found == expected)
    }
  }

  @Test("a temporary table named as a real one lets nobody see more")
  func temporaryTables() throws {
    try Self.prepared { store, _ in
      let count = try store.database.transaction(.at(5000, "ada")) { transaction throws(StorageError) in
        let schema =
          try transaction.rows(Statement("SELECT current_schema() AS name"), [:]).first?["name"]?.text ?? ""
        for text in [
          "CREATE TEMPORARY TABLE enrolment (id TEXT, subject TEXT, ended BIGINT)",
          "CREATE TEMPORARY TABLE response (id TEXT, enrolment TEXT, completed BIGINT)",
          "INSERT INTO enrolment VALUES ('bob-e', 'ada')", "INSERT INTO response VALUES ('bob-r', 'bob-e')",
          "SET LOCAL search_path = pg_temp, pg_catalog, \(schema)",
        ] { try transaction.run(Statement(text), [:]) }
        let given = try transaction.rows(
          Statement("SELECT keep_answer('ada', 5000, 'bob-r', 'j', '', '1', 1, 1, -1) AS changes"), [:])
        #expect(given.first?["changes"] == .null)
        return try transaction.rows(Statement("SELECT 1 FROM answer"), [:]).count
      }
      #expect(count == 2)
    }
  }

  @Test("a migration changes everybody's rows, although their owner sees none")
  func migrationOfRows() throws {
    try Self.prepared { store, administrator in
      let owner = try PostgresDatabase("\(store.place) user=auricle_migrate", role: "auricle_owner")
      let next = Migration(
        number: Migrations.tables(for: .postgres).all.count + 1, text: "UPDATE answer SET took = 77")
      try owner.apply(next)
      let count = Statement("SELECT count(*) AS n FROM answer WHERE took = 77")
      #expect(try administrator.once(.at(0), count, [:]).first?["n"] == 4)
      #expect(try owner.once(.at(0), count, [:]).first?["n"] == 0)
    }
  }
}
