/// Columns of text, each as wide as its widest cell, two spaces apart.
public struct TextTable: Sendable, Equatable {
  /// Edge of the column that its cells are set against: leading is the left one, trailing the right one.
  public enum Alignment: Sendable { case leading, trailing }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// - Parameter alignments: One for each column.
  public init(_ alignments: [Alignment]) { self.alignments = alignments }

  /// Adds a row; missing cells are empty.
  public mutating func append(_ cells: [String]) {
    precondition(cells.count <= alignments.count, "row has more cells than the table has columns")
    rows.append(cells + Array(repeating: "", count: alignments.count - cells.count))
  }

  /// Lines with their breaks, without spaces at their ends.
  public var text: String {
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
public struct Style: Sendable, Equatable {
  /// False writes no marks.
  public let isOn: Bool

  /// - Parameter isOn: True for a terminal that shows marks.
  public init(isOn: Bool) { self.isOn = isOn }

  /// Without any marks.
  public static let plain = Style(isOn: false)

  /// Bold (1): headings and names.
  public func bold(_ text: String) -> String { mark(text, "1") }
  /// Green (32): as it should be.
  public func good(_ text: String) -> String { mark(text, "32") }
  /// Yellow (33): deserves a look.
  public func warning(_ text: String) -> String { mark(text, "33") }
  /// Red (31): failed, or no longer valid.
  public func bad(_ text: String) -> String { mark(text, "31") }
  /// Red (31) as a colour: that of the right ear in audiograms.
  public func red(_ text: String) -> String { mark(text, "31") }
  /// Blue (34): the colour of the left ear in audiograms.
  public func blue(_ text: String) -> String { mark(text, "34") }
  /// Faint (2): missing, left out, or an aside.
  public func faint(_ text: String) -> String { mark(text, "2") }

  private func mark(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
