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

  private var uses: [Asked: Int] = [:]
  private var names: [Asked: String] = [:]
  private var kept: Set<String> = []
  private var areKept = true

  /// - Returns: Nil for the first use, and where the server keeps none.
  mutating func plan(of text: String, _ types: [Oid]) -> (name: String, isKept: Bool)? {
    guard areKept else { return nil }
    // The same name on every connection: a pool in front of the server may give this one's plan to another.
    let asked = Asked(text: text, types: types)
    uses[asked, default: 0] += 1
    guard uses[asked] != 1 else { return nil }
    let name = names[asked] ?? "p" + Hash.text(Array("\(types) \(text)".utf8)).prefix(40)
    names[asked] = name
    return (name, kept.contains(name))
  }

  mutating func keep(_ name: String) { kept.insert(name) }

  /// - Returns: True where the error is that of a plan: the statement is asked again without, and all others too.
  mutating func givesUp(after state: String) -> Bool {
    guard areKept, Self.isGone.contains(state) else { return false }
    areKept = false
    return true
  }
}
