import CPQ
import Studies

/// Plans of statements that the server keeps for a connection.
struct PostgresPlans {
  /// SQLSTATE of a plan of this name that is there (duplicate_prepared_statement).
  static let isThereAlready = "42P05"
  /// Of one that is not there (invalid_sql_statement_name), and of one whose tables have changed (feature_not_supported).
  private static let isGone: Set<String> = ["26000", "0A000"]

  private struct Asked: Hashable {
    let text: String
    let types: [Oid]
  }

  /// A plan of one command.
  struct Plan {
    fileprivate(set) var name: String
    /// True where the server has it.
    fileprivate(set) var isKept = false
  }

  /// Nil: asked once.
  private var plans: [Asked: Plan?] = [:]
  private var areKept = true

  /// - Returns: Nil for the first use, and where the server keeps none.
  mutating func plan(of text: String, _ types: [Oid]) -> Plan? {
    guard areKept else { return nil }
    let asked = Asked(text: text, types: types)
    guard let known = plans[asked] else {
      plans[asked] = .some(nil)
      return nil
    }
    if let known { return known }
    // The same name on every connection: a pool in front of the server may give this one's plan to another.
    let plan = Plan(name: "p" + Hash.text(Array("\(types) \(text)".utf8)).prefix(40))
    plans[asked] = plan
    return plan
  }

  /// Notes that the server has a plan.
  mutating func keep(_ text: String, _ types: [Oid]) {
    plans[Asked(text: text, types: types)]??.isKept = true
  }

  /// - Returns: True where the error is that of a plan: the statement is asked again without, and all others too.
  mutating func givesUp(after state: String) -> Bool {
    guard areKept, Self.isGone.contains(state) else { return false }
    areKept = false
    return true
  }
}
