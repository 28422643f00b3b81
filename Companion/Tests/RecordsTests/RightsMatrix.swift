import Records
import RecordsTesting

/// Every table × operation × identity on PostgreSQL, with the number of rows or the refusal that each gives.
struct RightsMatrix {
  /// Somebody who asks: a login, and the subject that its transaction names.
  enum Identity: String, CaseIterable {
    case ada, bob, nobody, staff, export, owner

    var login: String {
      switch self {
      case .ada, .bob, .nobody: "auricle_participant"
      case .staff: "auricle_staff"
      case .export: "auricle_export"
      case .owner: "auricle_migrate"
      }
    }
    var subject: String? { self == .ada || self == .bob ? rawValue : nil }
  }

  enum Operation: String, CaseIterable { case select, insert, update, delete }

  /// Outcome of a statement: rows that it gave or changed, or SQLSTATE 42501.
  enum Outcome: Hashable, CustomStringConvertible {
    case rows(Int)
    case refused
    case other(String)

    var description: String {
      switch self {
      case .rows(let count): "\(count) rows"
      case .refused: "42501"
      case .other(let words): words
      }
    }
  }

  /// Statements of a table, none of which asks who the subject is, and what they give.
  struct Table {
    /// Inserts a row of Ada's.
    let insert: String
    /// The change that a step makes; all rows are meant.
    let update: String
    /// For select, insert, update and delete of each identity.
    let expected: [Identity: [Outcome]]
  }

  /// Name of the study's version, whose content is a byte 0.
  private static let hash = "encode(sha256('\\x00'), 'hex')"

  /// Ada has one row of each table, and so has Bob; both have a second response that is complete, with its own answer.
  static let fixture = """
    INSERT INTO subject VALUES ('ada', 1), ('bob', 1);
    INSERT INTO study_version VALUES (\(hash), 'urn:s', '1', 'nobody', '\\x00', 1);
    INSERT INTO enrolment VALUES ('ada-e', 'ada', \(hash), '2026-03-16', 1, 1), ('bob-e', 'bob', \(hash), '2026-03-16', 1, 1);
    INSERT INTO stay VALUES ('ada-e', 1, 'UTC'), ('bob-e', 1, 'UTC');
    INSERT INTO response VALUES ('ada-r', 'ada-e', 'o', 'q', '1', 0, 9000, 'UTC', 1, NULL), ('bob-r', 'bob-e', 'o', 'q', '1', 0, 9000, 'UTC', 1, NULL),
      ('ada-c', 'ada-e', 'p', 'q', '1', 0, 9000, 'UTC', 1, 2), ('bob-c', 'bob-e', 'p', 'q', '1', 0, 9000, 'UTC', 1, 2);
    INSERT INTO answer VALUES ('ada-r', 'i', '', '1', 1, 1, 1, 0), ('bob-r', 'i', '', '1', 1, 1, 1, 0),
      ('ada-c', 'i', '', '1', 1, 1, 1, 0), ('bob-c', 'i', '', '1', 1, 1, 1, 0);
    INSERT INTO repetition VALUES ('ada-r', 'i', '', 1), ('bob-r', 'i', '', 1), ('ada-c', 'i', '', 1), ('bob-c', 'i', '', 1);
    INSERT INTO safety_alert VALUES ('ada-r', 'i', '1', 1), ('bob-r', 'i', '1', 1);
    INSERT INTO passed VALUES ('ada-r', 'i', '', 0, 1), ('bob-r', 'i', '', 0, 1), ('ada-c', 'i', '', 0, 1), ('bob-c', 'i', '', 0, 1);
    INSERT INTO edition_step VALUES ('ada-e', 1, \(hash), 'taken', 1), ('bob-e', 1, \(hash), 'taken', 1);
    INSERT INTO consent VALUES ('ada-e', 1, \(hash), repeat('c', 64), 'en', 1, 'UTC'), ('bob-e', 1, \(hash), repeat('c', 64), 'en', 1, 'UTC');
    INSERT INTO consent_tick VALUES ('ada-e', 1, 'k', 1, 1, 1, 'UTC'), ('bob-e', 1, 'k', 1, 1, 1, 'UTC');
    INSERT INTO task_run VALUES ('ada-m', 'ada-e', \(hash), 'm', 'loudness-match', 1, '{}', 0, 9000, 'UTC', 1), ('bob-m', 'bob-e', \(hash), 'm', 'loudness-match', 1, '{}', 0, 9000, 'UTC', 1);
    INSERT INTO task_run VALUES ('ada-n', 'ada-e', \(hash), 'n', 'loudness-match', 1, '{}', 0, 9000, 'UTC', 1);
    INSERT INTO task_end VALUES ('ada-m', 'ada-e', 'm', 5, NULL, NULL, 'noise'), ('bob-m', 'bob-e', 'm', 5, NULL, NULL, 'noise');
    """

  /// A person's own rows, by four outcomes; others' are neither seen nor changed, and nobody sees any.
  private static func people(
    _ own: [Outcome], forBob: [Outcome], forNobody: [Outcome], staff: [Outcome], export: [Outcome],
    owner: [Outcome] = [.rows(0), .refused, .rows(0), .rows(0)]
  ) -> [Identity: [Outcome]] {
    [.ada: own, .bob: forBob, .nobody: forNobody, .staff: staff, .export: export, .owner: owner]
  }

  private static let none: [Outcome] = [.refused, .refused, .refused, .refused]

  /// A table to whose rows others are only added.
  private static func added(ada: Int, bob: Int, staff: Bool) -> [Identity: [Outcome]] {
    let readOnly: [Outcome] = [.rows(ada + bob), .refused, .refused, .refused]
    return people(
      [.rows(ada), .rows(1), .refused, .refused], forBob: [.rows(bob), .refused, .refused, .refused],
      forNobody: [.rows(0), .refused, .refused, .refused], staff: staff ? readOnly : none, export: readOnly)
  }

  /// A table that is missing here fails ``faults(in:of:)``.
  static let tables: [String: Table] = [
    "schema_migrations": Table(
      insert: "INSERT INTO schema_migrations VALUES (99, 'x')",
      update: "UPDATE schema_migrations SET checksum = 'x'",
      expected: people(
        [.rows(versions), .refused, .refused, .refused],
        forBob: [.rows(versions), .refused, .refused, .refused],
        forNobody: [.rows(versions), .refused, .refused, .refused],
        staff: [.rows(versions), .refused, .refused, .refused],
        export: [.rows(versions), .refused, .refused, .refused],
        owner: [.rows(versions), .rows(1), .rows(versions), .rows(versions)])),
    "study_version": Table(
      insert:
        "INSERT INTO study_version VALUES (encode(sha256('\\x01'), 'hex'), 'urn:t', '1', 'nobody', '\\x01', 1)",
      update: "UPDATE study_version SET content = '\\x01'",
      expected: people(
        [.rows(1), .rows(1), .refused, .refused], forBob: [.rows(1), .rows(1), .refused, .refused],
        forNobody: [.rows(1), .rows(1), .refused, .refused],
        staff: [.rows(1), .rows(1), .refused, .refused],
        export: [.rows(1), .refused, .refused, .refused],
        owner: [.rows(1), .rows(1), .other("never changed"), .other("foreign key")])),
    "subject": Table(
      insert: "INSERT INTO subject VALUES ('ada', 2) ON CONFLICT DO NOTHING",
      update: "UPDATE subject SET since = 2",
      expected: people(
        [.rows(1), .rows(0), .refused, .refused], forBob: [.rows(1), .refused, .refused, .refused],
        forNobody: [.rows(0), .refused, .refused, .refused],
        staff: [.rows(2), .refused, .refused, .refused],
        export: none)),
    "enrolment": Table(
      insert:
        "INSERT INTO enrolment VALUES ('e', 'ada', \(hash), '2026-03-16', 1, 1) ON CONFLICT DO NOTHING",
      update: "UPDATE enrolment SET ended = 5, ending = 'withdrawn'",
      expected: people(
        [.rows(1), .rows(0), .rows(1), .refused], forBob: [.rows(1), .refused, .rows(1), .refused],
        forNobody: [.rows(0), .refused, .rows(0), .refused],
        // All but the seed, which a test of its own shows.
        staff: none, export: [.rows(2), .refused, .refused, .refused])),
    "stay": Table(
      insert: "INSERT INTO stay VALUES ('ada-e', 2, 'UTC')", update: "UPDATE stay SET zone = 'x'",
      expected: people(
        [.rows(1), .rows(1), .refused, .refused], forBob: [.rows(1), .refused, .refused, .refused],
        forNobody: [.rows(0), .refused, .refused, .refused],
        staff: [.rows(2), .refused, .refused, .refused],
        export: [.rows(2), .refused, .refused, .refused])),
    "response": Table(
      insert: "INSERT INTO response VALUES ('x', 'ada-e', 'z', 'q', '1', 0, 9000, 'UTC', 1)",
      update: "UPDATE response SET completed = 5",
      expected: people(
        [.rows(2), .rows(1), .rows(1), .refused], forBob: [.rows(2), .refused, .rows(1), .refused],
        forNobody: [.rows(0), .refused, .rows(0), .refused],
        staff: [.rows(4), .refused, .refused, .refused],
        export: [.rows(4), .refused, .refused, .refused])),
    "answer": Table(
      insert: "INSERT INTO answer VALUES ('ada-r', 'j', '', '1', 1, 1, 1, 0)",
      update: "UPDATE answer SET value = '2', changes = changes + 1",
      expected: people(
        [.rows(2), .refused, .refused, .rows(1)], forBob: [.rows(2), .refused, .refused, .rows(1)],
        forNobody: [.rows(0), .refused, .refused, .rows(0)], staff: none,
        export: [.rows(4), .refused, .refused, .refused])),
    "repetition": Table(
      insert: "INSERT INTO repetition VALUES ('ada-r', 'j', '', 1)",
      update: "UPDATE repetition SET count = 2",
      expected: people(
        [.rows(2), .rows(1), .rows(1), .refused], forBob: [.rows(2), .refused, .rows(1), .refused],
        forNobody: [.rows(0), .refused, .rows(0), .refused], staff: none,
        export: [.rows(4), .refused, .refused, .refused])),
    "safety_alert": Table(
      insert: "INSERT INTO safety_alert VALUES ('ada-r', 'j', '1', 1)",
      update: "UPDATE safety_alert SET delivered = 5",
      expected: people(
        [.rows(1), .rows(1), .rows(1), .refused], forBob: [.rows(1), .refused, .rows(1), .refused],
        forNobody: [.rows(0), .refused, .rows(0), .refused],
        staff: [.rows(2), .refused, .rows(2), .refused],
        export: none)),
    "passed": Table(
      insert: "INSERT INTO passed VALUES ('ada-r', 'j', '', 0, 1)",
      update: "UPDATE passed SET count = 2, moment = 2",
      expected: people(
        [.rows(2), .rows(1), .rows(1), .refused], forBob: [.rows(2), .refused, .rows(1), .refused],
        forNobody: [.rows(0), .refused, .rows(0), .refused], staff: none,
        export: [.rows(4), .refused, .refused, .refused])),
    "edition_step": Table(
      insert: "INSERT INTO edition_step VALUES ('ada-e', 2, \(hash), 'offered', 2)",
      update: "UPDATE edition_step SET step = 'refused'", expected: added(ada: 1, bob: 1, staff: true)),
    "consent": Table(
      insert: "INSERT INTO consent VALUES ('ada-e', 2, \(hash), repeat('d', 64), 'en', 2, 'UTC')",
      update: "UPDATE consent SET language = 'de'", expected: added(ada: 1, bob: 1, staff: true)),
    "consent_tick": Table(
      insert: "INSERT INTO consent_tick VALUES ('ada-e', 1, 'k', 2, 0, 2, 'UTC')",
      update: "UPDATE consent_tick SET given = 1", expected: added(ada: 1, bob: 1, staff: true)),
    "task_run": Table(
      insert:
        "INSERT INTO task_run VALUES ('x', 'ada-e', \(hash), 'm', 'loudness-match', 1, '{}', 0, 9000, 'UTC', 1)",
      update: "UPDATE task_run SET settings = '[]'", expected: added(ada: 2, bob: 1, staff: true)),
    "task_end": Table(
      insert: "INSERT INTO task_end VALUES ('ada-n', 'ada-e', 'n', 5, NULL, NULL, 'noise')",
      update: "UPDATE task_end SET reason = 'x'", expected: added(ada: 1, bob: 1, staff: false)),
  ]

  /// A call of a function that acts under rights of its own, and whether it does something.
  struct Call {
    let function: String
    let arguments: String
    /// Tables whose rights it rests on.
    let tables: Set<String>
    let expected: [Identity: Outcome]
  }

  /// A step on one table that rights of its columns do not tell, such as one that depends on what stood there.
  struct Step {
    let table: String
    let statement: String
    let expected: [Identity: Outcome]
  }

  private static let noted = "acknowledged = 5, acknowledged_by = 'me'"

  /// Staff alone note who has taken care of an alert; the note is taken back by a participant's next answer.
  static let steps = [
    Step(
      table: "safety_alert", statement: "UPDATE safety_alert SET \(noted)",
      expected: [
        .ada: .refused, .bob: .refused, .nobody: .rows(0), .staff: .rows(2), .export: .refused,
        .owner: .rows(0),
      ]),
    Step(
      table: "safety_alert", statement: "UPDATE safety_alert SET acknowledged_by = 'me'",
      expected: [
        .ada: .refused, .bob: .refused, .nobody: .rows(0), .staff: .rows(2), .export: .refused,
        .owner: .rows(0),
      ]),
    Step(
      table: "safety_alert",
      statement: "UPDATE safety_alert SET acknowledged = NULL, acknowledged_by = NULL, help_seen = NULL",
      // Staff may not write when the page was seen.
      expected: [
        .ada: .rows(1), .bob: .rows(1), .nobody: .rows(0), .staff: .refused, .export: .refused,
        .owner: .rows(0),
      ]),
    Step(
      table: "safety_alert",
      statement:
        "INSERT INTO safety_alert (response, item, value, raised, acknowledged) VALUES ('ada-r', 'j', '1', 1, 5)",
      expected: [
        .ada: .refused, .bob: .refused, .nobody: .refused, .staff: .refused, .export: .refused,
        .owner: .refused,
      ]),
  ]

  static let calls = [
    keepAnswer(to: "ada-r", forAda: .rows(1)), keepAnswer(to: "ada-c", forAda: .rows(0)),
  ]

  private static func keepAnswer(to response: String, forAda: Outcome) -> Call {
    Call(
      function: "keep_answer", arguments: "5000, '\(response)', 'j', '', '1', 1, 1, -1",
      tables: ["enrolment", "response", "answer"],
      expected: [
        .ada: forAda, .bob: .rows(0), .nobody: .rows(0), .staff: .refused, .export: .refused,
        .owner: .refused,
      ])
  }

  private static let versions = Migrations.tables(for: .postgres).all.count

  // MARK: - The database's own answers

  let logins: [Identity: any Records.Database]

  init(_ store: TestDatabase) throws {
    var logins: [Identity: any Records.Database] = [:]
    for identity in Identity.allCases { logins[identity] = try store.logged(in: identity.login) }
    self.logins = logins
  }

  private static let catalogue = Statement(
    """
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY 1
    """)
  private static let definers = Statement(
    """
    SELECT p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = current_schema() AND p.prosecdef ORDER BY 1
    """)

  /// Everything that is not as it is expected: a table that is not listed above, one that is not there, and each cell.
  ///
  /// - Parameter table: One alone; nil: all of them.
  func faults(in administrator: any Records.Database, of table: String? = nil) throws -> [String] {
    func names(_ statement: Statement) throws -> Set<String> {
      Set(try administrator.once(.at(0), statement, [:]).compactMap { $0["name"]?.text })
    }
    let tables = try names(Self.catalogue)
    let strange =
      tables.symmetricDifference(Self.tables.keys)
      .union(try names(Self.definers).symmetricDifference(Self.calls.map(\.function)))
    var faults = strange.sorted().map { "\($0): in the catalogue or in the matrix, not in both" }
    let asked = Self.tables.sorted { $0.key < $1.key }.filter { table == nil || $0.key == table }
    for (name, table) in asked where tables.contains(name) {
      for identity in Identity.allCases {
        for (place, operation) in Operation.allCases.enumerated() {
          compare(outcome(of: operation, on: name, table, as: identity), table.expected[identity]?[place])
            .map { faults.append("\(name), \(operation) by \(identity): \($0)") }
        }
      }
    }
    for step in Self.steps where table.map({ $0 == step.table }) ?? true {
      for identity in Identity.allCases {
        let found = outcome(as: identity) { transaction in
          try transaction.run(Statement(step.statement), [:])
        }
        compare(found, step.expected[identity])
          .map { faults.append("\(step.statement) by \(identity): \($0)") }
      }
    }
    for call in Self.calls where table.map(call.tables.contains) ?? true {
      for identity in Identity.allCases {
        compare(outcome(of: call, as: identity), call.expected[identity])
          .map { faults.append("\(call.function)(\(call.arguments)) by \(identity): \($0)") }
      }
    }
    return faults
  }

  private func compare(_ found: Outcome, _ expected: Outcome?) -> String? {
    found == expected ? nil : "found \(found), expected \(expected.map { "\($0)" } ?? "nothing")"
  }

  private func outcome(of call: Call, as identity: Identity) -> Outcome {
    let text =
      "SELECT x FROM \(call.function)('\(identity.subject ?? "")', \(call.arguments)) x WHERE x IS NOT NULL"
    return outcome(as: identity) { transaction in try transaction.rows(Statement(text), [:]).count }
  }

  private func outcome(
    of operation: Operation, on name: String, _ table: Table, as identity: Identity
  ) -> Outcome {
    outcome(as: identity) { transaction in
      switch operation {
      case .select: try transaction.rows(Statement("SELECT * FROM \(name)"), [:]).count
      case .insert: try transaction.run(Statement(table.insert), [:])
      case .update: try transaction.run(Statement(table.update), [:])
      case .delete: try transaction.run(Statement("DELETE FROM \(name)"), [:])
      }
    }
  }

  /// Rows that a statement gives or changes, in a transaction that is taken back.
  private func outcome(
    as identity: Identity, _ count: (any Transaction) throws -> Int
  ) -> Outcome {
    let become = identity == .owner ? "SET LOCAL ROLE auricle_owner" : "SELECT 1"
    struct Done: Error { let count: Int }
    do {
      try logins[identity]?.transaction(.at(5000, identity.subject)) { transaction throws(any Error) in
        try transaction.run(Statement(become), [:])
        throw Done(count: try count(transaction))
      } failing: {
        $0
      }
      return .other("no login")
    } catch let done as Done { return .rows(done.count) } catch StorageError.forbidden {
      return .refused
    } catch {
      let words = "\(error)"
      return .other(["never changed", "foreign key"].first(where: words.contains) ?? words)
    }
  }
}
