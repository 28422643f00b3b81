import CPQ

/// Address of a server, taken apart by libpq's own rules, whether it is words or a URL.
public struct PostgresAddress: Sendable, Hashable {
  /// Words that say where the server is and as whom it is asked, the only ones that people are shown: any other may hold a secret.
  private static let shown = ["host", "port", "dbname", "user"]

  /// Words that an address may state, as the libpq that runs here lists them.
  ///
  /// The corresponding C function is `PQconninfoParse`: of an address that states nothing it gives every
  /// word, without a value.
  public static let keywords: Set<String> = {
    guard let options = PQconninfoParse("", nil) else { return [] }
    defer { PQconninfoFree(options) }
    var words: Set<String> = []
    var next = options
    while let keyword = next.pointee.keyword {
      words.insert(String(cString: keyword))
      next += 1
    }
    return words
  }()

  /// By keyword, those that the address states.
  private let values: [String: String]

  /// Nil for one that libpq cannot read.
  ///
  /// The corresponding C function is `PQconninfoParse`.
  public init?(_ text: String) {
    guard let options = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      next += 1
    }
    self.values = values
  }

  /// Value of a keyword; nil where the address does not state it.
  func value(_ keyword: String) -> String? { values[keyword] }

  /// Host, port, database and user as libpq would take them; empty where none is stated.
  public var words: String {
    Self.shown.compactMap { keyword in
      // A whole address in the place of the database's name may have a password within it.
      values[keyword].flatMap {
        $0.contains("://") || $0.contains("=") ? nil : "\(keyword)=\(Self.quoted($0))"
      }
    }.joined(separator: " ")
  }

  /// PostgreSQL 15, 34.1.1.1: an empty value and one with spaces stand in quotation marks, with `\` before `'` and `\`.
  private static func quoted(_ value: String) -> String {
    let isPlain = !value.isEmpty && !value.contains { $0.isWhitespace || $0 == "'" || $0 == "\\" }
    return isPlain
      ? value : "'" + value.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'"
  }
}
