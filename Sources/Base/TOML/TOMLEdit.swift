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

  /// Sets a key, in its place if it has one. A new one stands below a line in which it is commented out, or
  /// at the end of its table, or in a new table at the end.
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
      if let place = layout.place(of: key, in: text) {
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

  /// Takes a key out, with its line; does nothing where there is none.
  package mutating func remove(_ key: [String]) throws(TOMLError) {
    guard let range = try TOMLLayout(text).values[key] else { return }
    let start = text[..<range.lowerBound].lastIndex(of: .newline).map { $0 + 1 } ?? 0
    let end = text[range.upperBound...].firstIndex(of: .newline).map { $0 + 1 } ?? text.count
    text.removeSubrange(start..<end)
  }

  private var lineEnd: String { text.contains(.carriageReturn) ? "\r\n" : "\n" }
}

/// Places of a document's values and tables, as offsets.
private struct TOMLLayout {
  /// Of each key outside of braces.
  private(set) var values: [[String]: Range<Int>] = [:]
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
        let start = parser.position.offset
        _ = try parser.readValue(depth: 0)
        values[table + key] = start..<parser.position.offset
      }
    }
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
