/// One value of a TOML document and the line it stands on.
struct TOMLNode {
  let value: TOMLValue
  /// From 1; of a key's value, the line of the key.
  let line: Int
}

/// What TOML 1.0 knows.
enum TOMLValue {
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  /// A day without a time.
  case day(CalendarDay)
  /// A time, or a day with a time; no setting takes one, so only its form is checked.
  case moment(String)
  case array(TOMLArray)
  case table(TOMLTable)
}

/// A table, while it is being read and afterwards.
final class TOMLTable {
  /// What brought the table into being, which decides what may be added to it later (TOML 1.0, "Table").
  enum Origin {
    /// A header of a table inside it.
    case implied
    /// Its own header.
    case header
    /// A dotted key.
    case dotted
    /// Braces; nothing may be added.
    case inline
  }

  var origin: Origin
  /// Line of its own header, else the first line that mentions it.
  var line: Int
  /// Keys in the order of the document.
  private(set) var keys: [String] = []
  private var nodes: [String: TOMLNode] = [:]

  init(_ origin: Origin, line: Int) {
    self.origin = origin
    self.line = line
  }

  subscript(key: String) -> TOMLNode? { nodes[key] }

  /// Adds a key that is not there yet.
  func add(_ key: String, _ value: TOMLValue, line: Int) {
    precondition(nodes[key] == nil, "key was added before")
    keys.append(key)
    nodes[key] = TOMLNode(value: value, line: line)
  }

  /// The line of a key; a table's own header is a better place than its first mention.
  func line(of key: String) -> Int? {
    guard let node = nodes[key] else { return nil }
    if case .table(let table) = node.value { return table.line }
    return node.line
  }
}

/// An array in brackets, or of tables with headers `[[…]]`.
final class TOMLArray {
  /// Whether headers make its elements.
  let isOfTables: Bool
  var elements: [TOMLNode] = []

  init(isOfTables: Bool) { self.isOfTables = isOfTables }
}

/// Why a text is not TOML.
struct TOMLError: Error, Equatable {
  /// From 1.
  let line: Int
  /// In characters, from 1.
  let column: Int
  let found: String
  let expected: String
}
