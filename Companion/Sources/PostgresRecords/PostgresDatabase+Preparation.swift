import Records

extension PostgresDatabase {
  /// Something that a preparation has done.
  public enum Preparation: Sendable, Hashable, CustomStringConvertible {
    case made(PostgresRole)
    /// A role that was there and could do more or less than it should.
    case corrected(PostgresRole)
    /// Tables and functions that belonged to another role.
    case handedOver(Int)
    /// Versions of the tables before and after.
    case migrated(from: Int, to: Int)

    public var description: String {
      switch self {
      case .made(let role): "made the role \(role.rawValue)"
      case .corrected(let role): "put the rights of the role \(role.rawValue) right"
      case .handedOver(let count):
        "handed \(count) tables and functions over to \(PostgresRole.owner.rawValue)"
      case .migrated(let before, let after): "brought the tables from version \(before) to \(after)"
      }
    }
  }

  /// Makes roles and rights of a database and brings its tables to their newest form. Repeated, it changes nothing.
  ///
  /// - Parameters:
  ///   - address: Of an administrator of the server, or of auricle_migrate once the roles are there.
  /// - Returns: Everything that was done, nothing where everything was there.
  /// - Throws: ``StorageError``; roles and rights are made together or not at all, and each step of the tables too.
  public static func prepare(
    _ address: String, to migrations: Migrations, at session: Session
  ) throws(StorageError) -> [Preparation] {
    // Tables with many rows take their time, and the administrator sees it.
    let administrator = try PostgresDatabase(address, connections: 1, silence: nil)
    let done = try administrator.transaction(session) {
      transaction throws(StorageError) -> [Preparation] in
      try PostgresGround(transaction).lay()
    }
    let before: Int
    do throws(StorageError) {
      let owner = try PostgresDatabase(
        address, role: PostgresRole.owner.rawValue, connections: 1, silence: nil)
      before = try owner.migrate(to: migrations, at: session)
    } catch {
      try? endMembership(of: administrator, session)
      throw error
    }
    try endMembership(of: administrator, session)
    let isNew = before < migrations.all.count
    return done + (isNew ? [.migrated(from: before, to: migrations.all.count)] : [])
  }

  /// A membership in the owner that the login has granted itself: now, or in a preparation that was interrupted.
  private static let ownMembership = Statement(
    """
    SELECT true AS own FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member AND r.oid = m.grantor
    WHERE m.roleid = '\(PostgresRole.owner.rawValue)'::regrole AND r.rolname = current_user AND NOT r.rolsuper
    """)

  /// Takes a login's membership in the owner back. One that somebody besides the login has granted stays.
  private static func endMembership(
    of administrator: PostgresDatabase, _ session: Session
  ) throws(StorageError) {
    try administrator.transaction(session) { transaction throws(StorageError) -> Void in
      guard try !transaction.rows(ownMembership, [:]).isEmpty else { return }
      _ = try transaction.run(
        Statement("REVOKE \(PostgresRole.owner.rawValue) FROM CURRENT_USER"), [:])
    }
  }

  /// Looks for tables of which something is granted. The first three versions grant nothing: a preparation that was broken
  /// off may have left them. Where a participant may read it, a login that may not is none of the roles.
  private static let prepared = Statement(
    """
    SELECT has_table_privilege(t.id, 'SELECT') OR EXISTS (SELECT 1 FROM pg_roles r
      WHERE r.rolname = '\(PostgresRole.participant.rawValue)' AND has_table_privilege(r.oid, t.id, 'SELECT')) AS there
    FROM (SELECT to_regclass('schema_migrations')::oid AS id) t
    """)

  /// Version of the tables; 0 where there are none that this login sees, or nothing is granted yet.
  ///
  /// - Throws: ``StorageError/forbidden(_:)`` for a login without rights to tables that were prepared, and others.
  func version(_ session: Session) throws(StorageError) -> Int {
    let there = try once(session, Self.prepared, [:])
    guard there.first?["there"] == .boolean(true) else { return 0 }
    return try once(session, Statement("SELECT max(number) AS number FROM schema_migrations"), [:])
      .first?["number"]?.integer ?? 0
  }
}

/// Roles and the schema's rights, within one transaction.
private struct PostgresGround {
  let transaction: any Transaction

  init(_ transaction: any Transaction) { self.transaction = transaction }

  func lay() throws(StorageError) -> [PostgresDatabase.Preparation] {
    // Two preparations of one server wait for each other.
    _ = try rows("SELECT pg_advisory_xact_lock(hashtext('auricle roles'))")
    let may = try rows(
      "SELECT rolsuper OR rolcreaterole AS may, current_schema() AS schema FROM pg_roles WHERE rolname = current_user"
    )
    guard let schema = may.first?["schema"]?.text else {
      throw .forbidden("the login sees no schema; expected one in its search path, such as public")
    }
    try demandUnicode()
    guard may.first?["may"] == .boolean(true) else {
      try demandRoles()
      return []
    }
    let made = try makeRoles()
    // Before tables of a former owner are handed over to it; it ends once the tables are made.
    try becomeOwner()
    return made + (try handOver(in: schema))
  }

  /// Another encoding has no place for letters of every script. A database that has tables keeps the bytes of its texts.
  private func demandUnicode() throws(StorageError) {
    let row = try rows(
      "SELECT current_setting('server_encoding') AS encoding, to_regclass('schema_migrations') IS NULL AS empty"
    ).first
    let found = row?["encoding"]?.text
    guard found == "UTF8" || row?["empty"] == .boolean(false) else {
      throw .forbidden(
        "the database keeps its texts in \(found ?? "an unknown encoding"), expected UTF8; make another one: createdb --encoding UTF8 --template template0 NAME"
      )
    }
  }

  // MARK: - Roles

  private func states() throws(StorageError) -> [String: PostgresRoleState] {
    var found: [String: PostgresRoleState] = [:]
    for row in try transaction.rows(PostgresRoleState.all, [:]) {
      if let name = row["name"]?.text { found[name] = PostgresRoleState(row) }
    }
    return found
  }

  /// All roles as they should be, of a login that cannot make them.
  private func demandRoles() throws(StorageError) {
    let states = try states()
    for role in PostgresRole.allCases where states[role.rawValue]?.isRight(for: role) != true {
      throw .forbidden(
        "the role \(role.rawValue) is missing or has other rights, and this login may not make it; prepare the database as its administrator"
      )
    }
  }

  private func makeRoles() throws(StorageError) -> [PostgresDatabase.Preparation] {
    var done: [PostgresDatabase.Preparation] = []
    var states = try states()
    // The others are compared with it.
    if states[PostgresRole.owner.rawValue] == nil {
      try run("CREATE ROLE \(PostgresRole.owner.rawValue) \(PostgresRole.owner.attributes)")
      done.append(.made(.owner))
      states = try self.states()
    }
    for role in PostgresRole.allCases {
      if let state = states[role.rawValue] {
        if !state.isRight(for: role) {
          try run("ALTER ROLE \(role.rawValue) \(role.attributes)")
          done.append(.corrected(role))
        }
        if PostgresRole.serving.contains(role), state.isMemberOfOwner {
          try run("REVOKE \(PostgresRole.owner.rawValue) FROM \(role.rawValue)")
          done.append(.corrected(role))
        }
      } else {
        try run("CREATE ROLE \(role.rawValue) \(role.attributes)")
        done.append(.made(role))
      }
    }
    // Whoever hands a function over is a member of its next owner.
    let (owner, verbs) = (PostgresRole.owner.rawValue, PostgresRole.verbs.rawValue)
    let membership = try rows("SELECT pg_has_role('\(owner)', '\(verbs)', 'MEMBER') AS member").first
    if membership?["member"] != .boolean(true) { try run("GRANT \(verbs) TO \(owner)") }
    if states[PostgresRole.migrate.rawValue]?.isMemberOfOwner != true {
      try run("GRANT \(PostgresRole.owner.rawValue) TO \(PostgresRole.migrate.rawValue)")
    }
    return done
  }

  /// Makes a login a member of the owner, as which the tables are made, where it may not become it: one that
  /// makes roles and is no superuser. To PostgreSQL 15 a member may become the role; from 16 on SET says so.
  private func becomeOwner() throws(StorageError) {
    let owner = PostgresRole.owner.rawValue
    let may = try rows(
      """
      SELECT coalesce(CASE WHEN current_setting('server_version_num')::integer >= 160000
        THEN pg_has_role('\(owner)', 'SET') END, pg_has_role('\(owner)', 'MEMBER')) AS may
      """
    ).first
    guard may?["may"] != .boolean(true) else { return }
    do throws(StorageError) { try run("GRANT \(owner) TO CURRENT_USER") } catch {
      guard case .forbidden = error else { throw error }
      throw .forbidden(
        "this login may not act as \(owner), to which the tables belong; expected a superuser, whoever "
          + "made the roles, or \(PostgresRole.migrate.rawValue): write user=… in the address")
    }
  }

  // MARK: - The schema

  /// Tables and functions of the time before there were roles.
  private static let former = Statement(
    """
    SELECT 'TABLE ' || c.oid::regclass AS thing FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relowner <> 'auricle_owner'::regrole AND c.relname IN
      ('schema_migrations', 'subject', 'study_version', 'enrolment', 'stay', 'response', 'answer', 'repetition', 'safety_alert')
    UNION ALL
    SELECT 'FUNCTION ' || p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = current_schema() AND p.proowner <> 'auricle_owner'::regrole
      AND p.proname IN ('subject_id', 'clock_now', 'refuse_change')
    """)

  private func handOver(in schema: String) throws(StorageError) -> [PostgresDatabase.Preparation] {
    let name =
      "\"" + schema.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
    try run("REVOKE CREATE ON SCHEMA \(name) FROM PUBLIC")
    let owners = [PostgresRole.owner, .verbs].map(\.rawValue).joined(separator: ", ")
    try run("GRANT USAGE, CREATE ON SCHEMA \(name) TO \(owners)")
    let others = [.migrate] + PostgresRole.serving
    try run("GRANT USAGE ON SCHEMA \(name) TO \(others.map(\.rawValue).joined(separator: ", "))")
    let things = try transaction.rows(Self.former, [:]).compactMap { $0["thing"]?.text }
    for thing in things { try run("ALTER \(thing) OWNER TO \(PostgresRole.owner.rawValue)") }
    return things.isEmpty ? [] : [.handedOver(things.count)]
  }

  private func rows(_ text: String) throws(StorageError) -> [Row] {
    try transaction.rows(Statement(text), [:])
  }

  private func run(_ text: String) throws(StorageError) { _ = try transaction.run(Statement(text), [:]) }
}
