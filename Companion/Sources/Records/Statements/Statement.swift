/// A statement of SQL, written once for both engines: in what both understand, with parameters by name, `:subject`.
///
/// Where an engine needs words of its own, both stand side by side. PostgreSQL's may name `:session_subject` and
/// `:session_now`, which the engine gives: of a function that takes them and so needs no settings of the transaction.
public struct Statement: Sendable, Hashable {
  public let sqlite: String
  public let postgres: String

  public init(_ common: String) { (sqlite, postgres) = (common, common) }

  public init(sqlite: String, postgres: String) { (self.sqlite, self.postgres) = (sqlite, postgres) }

  /// True for one that may change rows, false for one that reads alone. SQLite's form tells it: PostgreSQL's may
  /// call a function that changes some.
  public var changes: Bool { !sqlite.hasPrefix("SELECT") }

  /// PostgreSQL's form: parameters by number, in the order of their first use.
  ///
  /// - Returns: The text with `$1`, `$2` …, and the names in that order.
  public var numbered: (text: String, names: [String]) {
    var (result, names) = ("", [String]())
    var rest = Substring(postgres)
    while let place = rest.firstIndex(where: { $0 == ":" || $0 == "'" }) {
      result += rest[..<place]
      rest = rest[place...]
      if rest.first == "'" {
        // A text of SQL, to its end; two quotes within are two texts, which is the same here.
        let end = rest.dropFirst().firstIndex(of: "'").map { rest.index(after: $0) } ?? rest.endIndex
        result += rest[..<end]
        rest = rest[end...]
      } else if rest.hasPrefix("::") {
        result += "::"
        rest = rest.dropFirst(2)
      } else {
        let name = String(rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        if !names.contains(name) { names.append(name) }
        result += "$\((names.firstIndex(of: name) ?? 0) + 1)"
        rest = rest.dropFirst(name.count + 1)
      }
    }
    return (result + rest, names)
  }
}
