/// Changes one value of a TOML document and leaves everything else as somebody wrote it: comments, order,
/// spaces.
///
/// - Threads: any.
package struct TOMLEdit {
  /// The document, UTF-8.
  package private(set) var text: [UInt8]

  /// - Throws: ``TOMLError`` for a text that is no document.
  package init(_ text: [UInt8]) throws(TOMLError) {
    _ = try TOMLParser.document(text)
    self.text = text
  }

  /// Sets a key, in its place if it has one, also in braces. A new one stands below a line in which it is commented out, or
  /// at the end of its table, which may be in braces, or in a new table at the end.
  ///
  /// - Parameters:
  ///   - key: Table and name: `["device", "capture"]`.
  ///   - value: As TOML writes it, in one line.
  /// - Throws: ``TOMLError`` when `value` is not one, or the key cannot be there.
  package mutating func set(_ key: [String], to value: String) throws(TOMLError) {
    // One value, which brings nothing else along.
    let lone = try TOMLParser.document([UInt8]("value = \(value)".utf8))
    guard lone.keys == ["value"], !value.contains(where: \.isNewline) else {
      throw TOMLError(line: 1, column: 1, found: "more than a value", expected: "one value in one line")
    }
    let layout = try TOMLLayout(text)
    var new = text
    if let range = layout.values[key] {
      new.replaceSubrange(range, with: value.utf8)
    } else {
      let name = key[key.count - 1]
      let pair = "\(TOMLParser.shown([name])) = \(value)"
      if let (place, before, behind) = layout.placeInBraces(of: key, in: text) {
        new.insert(contentsOf: "\(before)\(pair)\(behind)".utf8, at: place)
      } else if let place = layout.place(of: key, in: text) {
        let isAtLineStart = place == 0 || text[place - 1] == .newline
        new.insert(contentsOf: "\(isAtLineStart ? "" : lineEnd)\(pair)\(lineEnd)".utf8, at: place)
      } else {
        let isClosed = text.isEmpty || text.last == .newline
        let gap = text.isEmpty ? "" : lineEnd
        let header = "[\(TOMLParser.shown(key.dropLast()))]"
        new += "\(isClosed ? "" : lineEnd)\(gap)\(header)\(lineEnd)\(pair)\(lineEnd)".utf8
      }
    }
    _ = try TOMLParser.document(new)
    text = new
  }

  /// Takes a key out, with its line, or from the braces in which it stands; does nothing where there is none.
  ///
  /// - Throws: ``TOMLError`` for a table that is more than a key with its value; then nothing has changed.
  package mutating func remove(_ key: [String]) throws(TOMLError) {
    let layout = try TOMLLayout(text)
    var new = text
    if let member = layout.members[key] {
      new.removeSubrange(member)
    } else if let range = layout.values[key] {
      let start = text[..<range.lowerBound].lastIndex(of: .newline).map { $0 + 1 } ?? 0
      let end = text[range.upperBound...].firstIndex(of: .newline).map { $0 + 1 } ?? text.count
      new.removeSubrange(start..<end)
    }
    guard !Self.isThere(key, in: try TOMLParser.document(new)) else {
      throw TOMLError(
        line: 1, column: 1, found: "a table of that name", expected: "a key with its value")
    }
    text = new
  }

  private static func isThere(_ key: [String], in document: TOMLTable) -> Bool {
    var table = document
    for name in key.dropLast() {
      guard case .table(let next)? = table[name]?.value else { return false }
      table = next
    }
    return key.last.flatMap { table[$0] } != nil
  }

  private var lineEnd: String { text.contains(.carriageReturn) ? "\r\n" : "\n" }
}

/// Places of a document's values and tables, as offsets.
private struct TOMLLayout {
  /// Of each key, in braces too.
  private(set) var values: [[String]: Range<Int>] = [:]
  /// Of each key in braces, with its value and the comma that goes with it when it is taken out.
  private(set) var members: [[String]: Range<Int>] = [:]
  /// From behind the header of each table to the next one; `[]` for what comes before the first.
  private var tables: [[String]: Range<Int>] = [[]: 0..<0]

  init(_ text: [UInt8]) throws(TOMLError) {
    var parser = TOMLParser(text: text)
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { parser.advance(3) }
    var table: [String] = []
    var begin = parser.position.offset
    while true {
      try parser.skipBlank()
      let place = parser.position.offset
      let byte = parser.byte
      if byte == nil || byte == .openBracket { tables[table] = begin..<place }
      guard byte != nil else { return }
      if byte == .openBracket {
        parser.take { $0 == .openBracket }
        table = try parser.readKey()
        parser.take { $0 != .newline }
        parser.advance()
        begin = parser.position.offset
      } else {
        let key = try parser.readKey()
        _ = parser.take(.equals)
        parser.skipSpaces()
        try readValue(of: table + key, from: &parser)
      }
    }
  }

  private mutating func readValue(
    of key: [String], from parser: inout TOMLParser
  ) throws(TOMLError) {
    let start = parser.position.offset
    if parser.byte == .openBrace {
      try readMembers(of: key, from: &parser)
    } else {
      _ = try parser.readValue(depth: 0)
    }
    values[key] = start..<parser.position.offset
  }

  /// Reads a table in braces. They nest no deeper than in a document that was read before.
  private mutating func readMembers(
    of table: [String], from parser: inout TOMLParser
  ) throws(TOMLError) {
    var pairs: [(key: [String], range: Range<Int>)] = []
    parser.advance()
    parser.skipSpaces()
    while !parser.take(.closeBrace) {
      let start = parser.position.offset
      let key = table + (try parser.readKey())
      guard parser.take(.equals) else { throw parser.unexpected("=") }
      parser.skipSpaces()
      try readValue(of: key, from: &parser)
      pairs.append((key, start..<parser.position.offset))
      parser.skipSpaces()
      guard parser.take(.comma) || parser.byte == .closeBrace else { throw parser.unexpected(", or }") }
      parser.skipSpaces()
    }
    for (index, pair) in pairs.enumerated() {
      // The last one goes with the comma before it, any other one with the comma behind it.
      let isLast = index == pairs.count - 1
      let start = isLast && index > 0 ? pairs[index - 1].range.upperBound : pair.range.lowerBound
      let end = isLast ? pair.range.upperBound : pairs[index + 1].range.lowerBound
      members[pair.key] = start..<end
    }
  }

  /// Place of a new key whose table is in braces, and what belongs before it and behind it there; nil: the table is not in braces.
  func placeInBraces(of key: [String], in text: [UInt8]) -> (place: Int, before: String, behind: String)? {
    let table = Array(key.dropLast())
    guard let braces = values[table], text[braces.lowerBound] == .openBrace else { return nil }
    let last = values.filter { $0.key.count > table.count && $0.key.starts(with: table) }
      .map(\.value.upperBound).max()
    guard let last else { return (braces.lowerBound + 1, " ", " ") }
    return (last, ", ", "")
  }

  /// Place of a new key: the beginning of a line, or the end of the text; nil: in a new table.
  func place(of key: [String], in text: [UInt8]) -> Int? {
    let name = key[key.count - 1]
    guard let table = tables[Array(key.dropLast())] else { return nil }
    if let example = line(commentingOut: name, in: table, of: text) { return example }
    let last = values.filter { $0.key.dropLast().elementsEqual(key.dropLast()) }.map(\.value.upperBound)
      .max()
    guard let last else { return table.lowerBound }
    return text[last...].firstIndex(of: .newline).map { $0 + 1 } ?? text.count
  }

  /// The end of a line such as `# capture = "hw:CARD=PCH"`.
  private func line(commentingOut name: String, in table: Range<Int>, of text: [UInt8]) -> Int? {
    let beginnings = ["# \(name) =", "#\(name) =", "# \(name)=", "#\(name)="].map { [UInt8]($0.utf8) }
    var start = table.lowerBound
    while start < table.upperBound {
      let end = text[start...].firstIndex(of: .newline).map { $0 + 1 } ?? text.count
      if beginnings.contains(where: { text[start..<end].starts(with: $0) }) { return end }
      start = end
    }
    return nil
  }
}
