/// One value of a TOML document and the line it stands on.
package struct TOMLNode {
  package let value: TOMLValue
  /// From 1; of a key's value, the line of the key.
  package let line: Int
}

/// A value of TOML 1.0.
package enum TOMLValue {
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  /// A day without a time.
  case day(CalendarDate)
  /// A time, or a day with a time; no setting takes one, so only its form is checked.
  case moment(String)
  case array(TOMLArray)
  case table(TOMLTable)
}

/// A table, while it is being read and afterwards.
package final class TOMLTable {
  /// Form that defined the table, which decides what may be added to it later (TOML 1.0, "Table").
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
  /// Line of its own header, otherwise the first line that mentions it.
  package internal(set) var line: Int
  /// Keys in the order of the document.
  package private(set) var keys: [String] = []
  private var nodes: [String: TOMLNode] = [:]

  init(_ origin: Origin, line: Int) {
    self.origin = origin
    self.line = line
  }

  package subscript(key: String) -> TOMLNode? { nodes[key] }

  /// Adds a table at a key that is not there yet.
  func add(_ key: String, _ origin: Origin, line: Int) -> TOMLTable {
    let table = TOMLTable(origin, line: line)
    add(key, .table(table), line: line)
    return table
  }

  /// Adds a key that is not there yet.
  func add(_ key: String, _ value: TOMLValue, line: Int) {
    precondition(nodes[key] == nil, "key was added before")
    keys.append(key)
    nodes[key] = TOMLNode(value: value, line: line)
  }

  /// The line of a key; a table's own header is a better place than its first mention.
  package func line(of key: String) -> Int? {
    guard let node = nodes[key] else { return nil }
    if case .table(let table) = node.value { return table.line }
    return node.line
  }
}

/// An array in brackets, or of tables with headers `[[…]]`.
package final class TOMLArray {
  /// True when its elements are made by headers.
  package let isOfTables: Bool
  package internal(set) var elements: [TOMLNode]

  init(isOfTables: Bool, _ elements: [TOMLNode] = []) {
    (self.isOfTables, self.elements) = (isOfTables, elements)
  }
}

/// Why a text is not TOML.
package struct TOMLError: Error, Equatable {
  /// From 1.
  package let line: Int
  /// In characters, from 1.
  package let column: Int
  package let found: String
  package let expected: String
}
