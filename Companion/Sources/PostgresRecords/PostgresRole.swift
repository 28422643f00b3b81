import Records

/// Roles of a site's database. One owns and cannot log in; none that logs in for people can pass the policies.
public enum PostgresRole: String, Sendable, Hashable, CaseIterable {
  /// Owns tables and functions.
  case owner = "auricle_owner"
  /// Owns functions that act for people, under rights and policies of its own.
  case verbs = "auricle_verbs"
  /// Changes the tables, as their owner.
  case migrate = "auricle_migrate"
  /// A person's own rows.
  case participant = "auricle_participant"
  /// A site's people: who takes part, what was done when, alerts; no other answers.
  case staff = "auricle_staff"
  /// Data sets: everything that was answered, read only.
  case export = "auricle_export"

  /// Attributes of CREATE ROLE. Membership in owners of tables and functions is used on demand alone, never by itself.
  var attributes: String {
    let right = "NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION"
    return switch self {
    case .owner: "NOLOGIN NOINHERIT \(right)"
    case .verbs: "NOLOGIN \(right)"
    case .migrate: "LOGIN NOINHERIT \(right)"
    case .participant, .staff, .export: "LOGIN \(right)"
    }
  }

  /// Roles in which people are served.
  static let serving: [PostgresRole] = [.participant, .staff, .export]
}

/// A role of the server, as its catalogue has it.
struct PostgresRoleState {
  static let all = Statement(
    """
    SELECT r.rolname AS name, r.rolcanlogin AS login, r.rolinherit AS inherit,
      r.rolsuper OR r.rolbypassrls OR r.rolcreatedb OR r.rolcreaterole OR r.rolreplication AS may_more,
      pg_has_role(r.oid, o.oid, 'MEMBER') AS is_member
    FROM pg_roles r JOIN pg_roles o ON o.rolname = 'auricle_owner' WHERE r.rolname LIKE 'auricle\\_%'
    """)

  let canLogIn: Bool
  let inherits: Bool
  let mayMore: Bool
  let isMemberOfOwner: Bool

  init(_ row: Row) {
    canLogIn = row["login"] == .boolean(true)
    inherits = row["inherit"] == .boolean(true)
    mayMore = row["may_more"] == .boolean(true)
    isMemberOfOwner = row["is_member"] == .boolean(true)
  }

  /// True where its attributes are those of ``PostgresRole/attributes``.
  func isRight(for role: PostgresRole) -> Bool {
    !mayMore && canLogIn == (role != .owner && role != .verbs)
      && (![.owner, .migrate].contains(role) || !inherits)
  }
}
