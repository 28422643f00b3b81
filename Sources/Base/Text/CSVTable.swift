/// A table of separated values, after RFC 4180 but for line ends within quotes, which are refused.
package struct CSVTable: Sendable {
  package struct Row: Equatable, Sendable {
    /// From 1.
    package let line: Int
    /// Without quotes and outer spaces.
    package let fields: [String]
  }

  /// A quotation mark in the middle of a field, or one that is not closed.
  package struct MisplacedQuote: Error, Equatable, Sendable {
    /// From 1.
    package let line: Int
  }

  /// Rows that are not empty.
  package let rows: [Row]

  /// Parts a text; the separator is the first of tab, semicolon and comma that stands outside quotes in the
  /// first row that is not empty.
  package init(_ text: String) throws(MisplacedQuote) {
    // A byte-order mark is no part of the text. "\r\n" is one character.
    let lines = text.drop { $0 == "\u{FEFF}" }.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n" || $0 == "\r"
    }
    let filled = lines.enumerated().filter { !$0.element.allSatisfy(\.isWhitespace) }
    let separator = filled.first.map { Self.separator(in: $0.element) } ?? ","
    var rows: [Row] = []
    for (index, line) in filled {
      guard let fields = Self.fields(Array(line), separator) else { throw MisplacedQuote(line: index + 1) }
      // Spreadsheets fill rows that were once used with separators.
      if !fields.allSatisfy(\.isEmpty) { rows.append(Row(line: index + 1, fields: fields)) }
    }
    self.rows = rows
  }

  private static func separator(in line: Substring) -> Character {
    var isQuoted = false
    var found: Set<Character> = []
    for character in line {
      if character == "\"" { isQuoted.toggle() } else if !isQuoted { found.insert(character) }
    }
    return ["\t", ";"].first { found.contains($0) } ?? ","
  }

  /// The fields of a line; nil when a quotation mark is out of place.
  private static func fields(_ line: [Character], _ separator: Character) -> [String]? {
    var fields: [String] = []
    var field = ""
    var state = State.before
    var index = 0
    while index < line.count {
      let character = line[index]
      index += 1
      switch (state, character) {
      case (.quoted, "\""):
        guard index < line.count, line[index] == "\"" else {
          state = .after
          continue
        }
        field.append("\"")
        index += 1
      case (.quoted, _): field.append(character)
      case (_, separator):
        fields.append(field.trimmed)
        field = ""
        state = .before
      case (.before, "\""): state = .quoted
      case (_, _) where character.isWhitespace: if state == .plain { field.append(character) }
      case (.after, _), (.plain, "\""): return nil
      default:
        state = .plain
        field.append(character)
      }
    }
    guard state != .quoted else { return nil }
    return fields + [field.trimmed]
  }

  /// Part of a field that a character belongs to.
  private enum State { case before, plain, quoted, after }
}

extension StringProtocol {
  /// The text without white space at either end.
  package var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}
