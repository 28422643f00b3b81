/// Columns of text, each as wide as its widest cell, two spaces apart.
package struct TextTable: Sendable, Equatable {
  package enum Alignment: Sendable { case leading, trailing }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// - Parameter alignments: One for each column.
  package init(_ alignments: [Alignment]) { self.alignments = alignments }

  /// Adds a row; missing cells are empty.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count <= alignments.count, "row has more cells than the table has columns")
    rows.append(cells + Array(repeating: "", count: alignments.count - cells.count))
  }

  /// Lines with their breaks, without spaces at their ends.
  package var text: String {
    let widths = alignments.indices.map { column in rows.map { Self.width(of: $0[column]) }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - Self.width(of: cell))
        line += column == 0 ? "" : "  "
        line += alignments[column] == .leading ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// Columns that `text` takes on a terminal; marks take none.
  static func width(of text: String) -> Int {
    var count = 0
    var isMark = false
    for character in text {
      if character == "\u{1B}" {
        isMark = true
      } else if isMark {
        if character == "m" { isMark = false }
      } else {
        count += 1
      }
    }
    return count
  }
}

/// Marks text for a terminal (ECMA-48, SGR).
package struct Style: Sendable, Equatable {
  /// False writes no marks.
  package let isOn: Bool

  package init(isOn: Bool) { self.isOn = isOn }

  /// Without any marks.
  package static let plain = Style(isOn: false)

  package func bold(_ text: String) -> String { mark(text, "1") }
  package func good(_ text: String) -> String { mark(text, "32") }
  package func warning(_ text: String) -> String { mark(text, "33") }
  package func bad(_ text: String) -> String { mark(text, "31") }
  package func red(_ text: String) -> String { mark(text, "31") }
  package func blue(_ text: String) -> String { mark(text, "34") }
  package func faint(_ text: String) -> String { mark(text, "2") }

  private func mark(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
