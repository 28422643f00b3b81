/// Reads TOML 1.0 (toml.io/en/v1.0.0), and nothing more lenient, keeping the line of each value.
///
/// Written for this project because a wrong file must never end the daemon, because messages need
/// the line of every value, and because the daemon should stay small. Every read goes through ``byte``, so
/// that no malformed text makes it trap.
///
/// - Threads: any.
package struct TOMLParser: TextScanner {
  /// Deepest nesting of arrays and inline tables.
  static let deepestNesting = 32

  let text: [UInt8]
  var position = TextPosition()

  /// - Parameter text: UTF-8.
  /// - Throws: ``TOMLError``, the first.
  package static func document(_ text: [UInt8]) throws(TOMLError) -> TOMLTable {
    // A byte order mark is not part of the first key.
    let mark = text.starts(with: [0xEF, 0xBB, 0xBF])
    var parser = TOMLParser(text: mark ? Array(text.dropFirst(3)) : text)
    return try parser.readDocument()
  }

  // MARK: - Structure

  private mutating func readDocument() throws(TOMLError) -> TOMLTable {
    let root = TOMLTable(.header, line: 1)
    var table = root
    while true {
      try skipBlank()
      guard let byte else { return root }
      if byte == .openBracket {
        table = try readHeader(in: root)
      } else {
        try readPair(into: table, depth: 0)
      }
      try readLineEnd()
    }
  }

  private mutating func readHeader(in root: TOMLTable) throws(TOMLError) -> TOMLTable {
    let header = self
    let line = position.line
    advance()
    let isElement = take(.openBracket)
    let key = try readKey()
    guard byte == .closeBracket, !isElement || peek(1) == .closeBracket else {
      throw unexpected(isElement ? "]]" : "]")
    }
    advance(isElement ? 2 : 1)
    var table = root
    for (i, component) in key.dropLast().enumerated() {
      switch table[component]?.value {
      case nil: table = table.add(component, .implied, line: line)
      case .table(let next) where next.origin != .inline: table = next
      case .array(let array) where array.isOfTables:
        if case .table(let last) = array.elements.last?.value { table = last }
      default:
        throw header.error(
          "a header inside \(Self.shown(key[...i])), which is a finished value", expected: "a table")
      }
    }
    return try header.define(key, isElement: isElement, in: table)
  }

  /// Makes the table of a header that stands here: the next element of an array, or a table of its own.
  private func define(
    _ key: [String], isElement: Bool, in table: TOMLTable
  ) throws(TOMLError) -> TOMLTable {
    let (name, line) = (key[key.count - 1], position.line)
    let new = TOMLTable(.header, line: line)
    let node = TOMLNode(value: .table(new), line: line)
    switch (table[name]?.value, isElement) {
    case (nil, false): table.add(name, .table(new), line: line)
    case (.table(let known), false) where known.origin == .implied:
      known.origin = .header
      known.line = line
      return known
    case (nil, true): table.add(name, .array(TOMLArray(isOfTables: true, [node])), line: line)
    case (.array(let array), true) where array.isOfTables: array.elements.append(node)
    default:
      let shown = Self.shown(key[...])
      throw isElement
        ? error("[[\(shown)]] again", expected: "each key once", before: table, name)
        : error("[\(shown)] again", expected: "each table once", before: table, name)
    }
    return new
  }

  mutating func readPair(into table: TOMLTable, depth: Int) throws(TOMLError) {
    let start = self
    let line = position.line
    let key = try readKey()
    guard take(.equals) else { throw unexpected("=") }
    skipSpaces()
    var table = table
    for (i, component) in key.dropLast().enumerated() {
      switch table[component]?.value {
      case nil: table = table.add(component, .dotted, line: line)
      case .table(let next) where next.origin == .dotted: table = next
      default:
        throw start.error(
          "\(Self.shown(key[...i])) again", expected: "each key once", before: table, component)
      }
    }
    let name = key[key.count - 1]
    guard table[name] == nil else {
      throw start.error("\(Self.shown(key[...])) again", expected: "each key once", before: table, name)
    }
    table.add(name, try readValue(depth: depth), line: line)
  }

  // MARK: - Steps

  func starts(with bytes: [UInt8]) -> Bool { text[position.offset...].starts(with: bytes) }

  /// Over spaces and tabs.
  mutating func skipSpaces() { take { $0 == .space || $0 == .tab } }

  /// Over white space, line ends and comments.
  mutating func skipBlank() throws(TOMLError) {
    repeat { try skipComment() } while try skipNewline()
  }

  /// Over one line end, if there is one.
  mutating func skipNewline() throws(TOMLError) -> Bool {
    if take(.newline) { return true }
    guard byte == .carriageReturn else { return false }
    guard peek(1) == .newline else { throw unexpected("a line end") }
    advance(2)
    return true
  }

  /// Over spaces and tabs, and the comment behind them, if there is one.
  private mutating func skipComment() throws(TOMLError) {
    skipSpaces()
    guard byte == .hash else { return }
    take(while: \.isText)
    guard byte == nil || byte == .newline || byte == .carriageReturn else { throw unexpected("text") }
  }

  /// Reads the end of the line that must follow a header or a value.
  private mutating func readLineEnd() throws(TOMLError) {
    try skipComment()
    if byte == nil { return }
    guard try skipNewline() else { throw unexpected("the end of the line") }
  }

  // MARK: - Errors

  /// Error for anything here other than `expected`.
  func unexpected(_ expected: String) -> TOMLError { error(found, expected: expected) }

  /// The character that stands here, in words.
  private var found: String {
    guard let byte else { return "the end of the file" }
    if byte == .newline || byte == .carriageReturn && peek(1) == .newline { return "the end of the line" }
    guard byte.isText else { return "control character \(byte)" }
    return "\"\(String(decoding: text[position.offset...].prefix(16), as: UTF8.self).prefix(1))\""
  }

  func error(_ found: String, expected: String) -> TOMLError {
    let passed = text[..<position.offset]
    let line = passed[(passed.lastIndex(of: .newline).map { $0 + 1 } ?? 0)...]
    let column = String(decoding: line, as: UTF8.self).unicodeScalars.count + 1
    return TOMLError(line: position.line, column: column, found: found, expected: expected)
  }

  /// Something written twice, with the line of the first.
  private func error(
    _ found: String, expected: String, before table: TOMLTable, _ key: String
  ) -> TOMLError {
    let place = table.line(of: key).map { " (first in line \($0))" } ?? ""
    return error(found + place, expected: expected)
  }

  /// A key as TOML writes it.
  package static func shown(_ key: ArraySlice<String>) -> String {
    key.map { !$0.isEmpty && $0.utf8.allSatisfy(\.isBareKey) ? $0 : TOMLParser.literal($0) }
      .joined(separator: ".")
  }
  /// A text as a TOML basic string.
  package static func literal(_ text: String) -> String {
    text.quoted(isUppercase: true, named: ["\n": "\\n", "\t": "\\t"])
  }
}
