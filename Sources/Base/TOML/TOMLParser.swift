/// Reads TOML 1.0 (toml.io/en/v1.0.0), and nothing more lenient, keeping the line of each value.
///
/// Written for this project because a wrong file must never end the daemon, because messages need
/// the line of every value, and because the daemon should stay small. Every read goes through ``byte``, so
/// that no malformed text makes it trap.
///
/// - Threads: any.
package struct TOMLParser {
  /// Deepest nesting of arrays and inline tables.
  static let deepestNesting = 32

  let text: [UInt8]
  private(set) var position = 0
  private(set) var line = 1
  private var lineStart = 0

  private init(_ text: [UInt8]) {
    self.text = text
    // A byte order mark is not part of the first key.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      lineStart = 3
    }
  }

  /// - Parameter text: UTF-8.
  /// - Throws: ``TOMLError``, the first.
  package static func document(_ text: [UInt8]) throws(TOMLError) -> TOMLTable {
    var parser = TOMLParser(text)
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
    advance()
    let isElement = byte == .openBracket
    if isElement { advance() }
    let key = try readKey()
    guard byte == .closeBracket, !isElement || peek(1) == .closeBracket else {
      throw unexpected(isElement ? "]]" : "]")
    }
    advance(isElement ? 2 : 1)
    var table = root
    for (i, component) in key.dropLast().enumerated() {
      switch table[component]?.value {
      case nil:
        let next = TOMLTable(.implied, line: header.line)
        table.add(component, .table(next), line: header.line)
        table = next
      case .table(let next) where next.origin != .inline: table = next
      case .array(let array) where array.isOfTables: table = try lastTable(of: array, header)
      default:
        throw header.error(
          "a header inside \(Self.shown(key[...i])), which is a finished value", expected: "a table")
      }
    }
    return isElement ? try addElement(key, to: table, header) : try define(key, in: table, header)
  }

  private func lastTable(of array: TOMLArray, _ header: TOMLParser) throws(TOMLError) -> TOMLTable {
    guard case .table(let table) = array.elements.last?.value else {
      throw header.error("a header inside an empty array", expected: "a table")
    }
    return table
  }

  private func define(
    _ key: [String], in table: TOMLTable, _ header: TOMLParser
  ) throws(TOMLError) -> TOMLTable {
    let name = key[key.count - 1]
    switch table[name]?.value {
    case nil:
      let new = TOMLTable(.header, line: header.line)
      table.add(name, .table(new), line: header.line)
      return new
    case .table(let known) where known.origin == .implied:
      known.origin = .header
      known.line = header.line
      return known
    default:
      throw header.error(
        "[\(Self.shown(key[...]))] again", expected: "each table once", before: table, name)
    }
  }

  private func addElement(
    _ key: [String], to table: TOMLTable, _ header: TOMLParser
  ) throws(TOMLError) -> TOMLTable {
    let name = key[key.count - 1]
    let new = TOMLTable(.header, line: header.line)
    let node = TOMLNode(value: .table(new), line: header.line)
    switch table[name]?.value {
    case nil:
      let array = TOMLArray(isOfTables: true)
      array.elements = [node]
      table.add(name, .array(array), line: header.line)
    case .array(let array) where array.isOfTables: array.elements.append(node)
    default:
      throw header.error(
        "[[\(Self.shown(key[...]))]] again", expected: "each key once", before: table, name)
    }
    return new
  }

  mutating func readPair(into table: TOMLTable, depth: Int) throws(TOMLError) {
    let start = self
    let key = try readKey()
    guard byte == .equals else { throw unexpected("=") }
    advance()
    skipSpaces()
    var table = table
    for (i, component) in key.dropLast().enumerated() {
      switch table[component]?.value {
      case nil:
        let next = TOMLTable(.dotted, line: start.line)
        table.add(component, .table(next), line: start.line)
        table = next
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
    table.add(name, try readValue(depth: depth), line: start.line)
  }

  // MARK: - Steps

  var byte: UInt8? { position < text.count ? text[position] : nil }

  func peek(_ offset: Int) -> UInt8? {
    position + offset < text.count ? text[position + offset] : nil
  }

  func starts(with bytes: [UInt8]) -> Bool {
    position + bytes.count <= text.count && text[position..<position + bytes.count].elementsEqual(bytes)
  }

  mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < text.count {
      position += 1
      if text[position - 1] == .newline {
        line += 1
        lineStart = position
      }
    }
  }

  /// Over spaces and tabs.
  mutating func skipSpaces() {
    while byte == .space || byte == .tab { advance() }
  }

  /// Over white space, line ends and comments.
  mutating func skipBlank() throws(TOMLError) {
    while true {
      skipSpaces()
      if byte == .hash { try skipComment() }
      guard try skipNewline() else { return }
    }
  }

  /// Over one line end, if there is one.
  mutating func skipNewline() throws(TOMLError) -> Bool {
    if byte == .newline {
      advance()
      return true
    }
    guard byte == .carriageReturn else { return false }
    guard peek(1) == .newline else { throw unexpected("a line end") }
    advance(2)
    return true
  }

  private mutating func skipComment() throws(TOMLError) {
    while let byte, byte != .newline, byte != .carriageReturn {
      guard byte.isText else { throw unexpected("text") }
      advance()
    }
  }

  /// Reads the end of the line that must follow a header or a value.
  private mutating func readLineEnd() throws(TOMLError) {
    skipSpaces()
    if byte == .hash { try skipComment() }
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
    let rest = String(decoding: text[position..<min(position + 16, text.count)], as: UTF8.self)
    return rest.first.map { "\"\($0)\"" } ?? "nothing"
  }

  func error(_ found: String, expected: String) -> TOMLError {
    let column =
      String(decoding: text[lineStart..<max(lineStart, min(position, text.count))], as: UTF8.self)
      .unicodeScalars.count + 1
    return TOMLError(line: line, column: column, found: found, expected: expected)
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
    key.map { !$0.isEmpty && $0.utf8.allSatisfy(\.isBareKey) ? $0 : TOMLText.literal($0) }
      .joined(separator: ".")
  }
}
