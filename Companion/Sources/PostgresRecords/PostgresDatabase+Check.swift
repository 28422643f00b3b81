import Records

extension PostgresDatabase {
  /// Rights of a login that would let it pass the policies.
  private static let passes = Statement(
    """
    SELECT session_user::text AS name, r.rolsuper AS super, r.rolbypassrls AS bypass,
      r.rolcreaterole OR r.rolreplication AS manages, current_user <> session_user AS disguised,
      EXISTS (SELECT 1 FROM pg_roles o WHERE o.oid <> r.oid AND pg_has_role(r.oid, o.oid, 'MEMBER')
        AND (o.rolsuper OR o.rolbypassrls OR o.rolcreaterole OR o.rolname IN ('auricle_owner', 'auricle_verbs', 'pg_read_all_data', 'pg_write_all_data',
          'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'))) AS becomes,
      EXISTS (SELECT 1 FROM pg_class c
        WHERE c.oid IN (to_regclass('enrolment'), to_regclass('response'), to_regclass('answer'), to_regclass('consent'), to_regclass('task_end'))
        AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS owns
    FROM pg_roles r WHERE r.rolname = session_user
    """)

  /// Opens a database as a login that serves people.
  ///
  /// - Throws: ``StorageError/forbidden(_:)`` for a login that could pass the policies: a superuser, the tables' owner, one with BYPASSRLS or
  ///   one that may become such; ``StorageError/olderSchema(found:known:)`` where the tables are not made or not the newest, and others.
  public static func serving(
    _ address: String, knowing migrations: Migrations, at session: Session
  ) throws(StorageError) -> PostgresDatabase {
    let database = try PostgresDatabase(address)
    try database.refusePassing(session)
    guard try database.version(session) > 0 else {
      throw .olderSchema(found: 0, known: migrations.all.count)
    }
    try database.check(migrations, session)
    return database
  }

  private func refusePassing(_ session: Session) throws(StorageError) {
    guard let row = try once(session, Self.passes, [:]).first else {
      throw .forbidden("the server does not say who logs in")
    }
    let reasons = [
      ("super", "a superuser"), ("bypass", "allowed to pass the policies (BYPASSRLS)"),
      ("manages", "allowed to make roles or to copy the server's files"),
      ("disguised", "set to act as another role"),
      ("owns", "the owner of the tables, or a member of that role"),
      ("becomes", "a member of a role that passes the policies"),
    ]
    guard let reason = reasons.first(where: { row[$0.0] == .boolean(true) }) else { return }
    let names = PostgresRole.serving.map(\.rawValue).joined(separator: ", ")
    throw .forbidden(
      "\(row["name"]?.text ?? "the login") is \(reason.1) and would see everybody's rows; expected a login such as \(names): write user=… in the address"
    )
  }
}
