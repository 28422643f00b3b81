/// Rows of a CSV text by RFC 4180: fields in quotation marks may hold commas and line breaks.
enum CSVRows {
  struct Row: Hashable {
    /// On which it begins, from 1.
    let line: Int
    let fields: [String]
  }

  /// Line of a quotation mark that is out of place, or opens what is never closed.
  struct Fault: Error, Hashable { let line: Int }

  /// Empty lines are left out.
  static func read(_ text: String) throws(Fault) -> [Row] {
    var (rows, fields, field) = ([Row](), [String](), "")
    var (line, begin) = (1, 1)
    var (isQuoted, wasQuoted) = (false, false)
    var rest = text.unicodeScalars[...]
    if rest.first == "\u{feff}" { rest = rest.dropFirst() }
    func end() {
      fields.append(field)
      (field, wasQuoted) = ("", false)
    }
    func endRow() {
      end()
      if fields != [""] { rows.append(Row(line: begin, fields: fields)) }
      (fields, begin) = ([], line)
    }
    while let scalar = rest.popFirst() {
      if scalar == "\n" { line += 1 }
      switch scalar {
      case "\"" where isQuoted && rest.first == "\"":
        field.unicodeScalars.append(scalar)
        rest = rest.dropFirst()
      case "\"" where isQuoted: (isQuoted, wasQuoted) = (false, true)
      case _ where isQuoted: field.unicodeScalars.append(scalar)
      case "\"":
        guard field.isEmpty, !wasQuoted else { throw Fault(line: line) }
        isQuoted = true
      case ",": end()
      case "\n": endRow()
      case "\r" where rest.first == "\n": continue
      default:
        guard !wasQuoted else { throw Fault(line: line) }
        field.unicodeScalars.append(scalar)
      }
    }
    guard !isQuoted else { throw Fault(line: begin) }
    if !field.isEmpty || !fields.isEmpty || wasQuoted { endRow() }
    return rows
  }

  static func write(_ rows: [[String]]) -> String {
    rows.map { row in
      row.map { CSVField.isPlain($0) ? $0 : CSVField.quoted($0) }.joined(separator: ",") + "\r\n"
    }.joined()
  }
}

/// Field of a CSV text by RFC 4180.
///
/// Read by bytes, as other programs read it: in Swift a mark and the letter that combines with it are one
/// `Character`, and so are both halves of a line break.
public enum CSVField {
  /// False where it must stand in quotation marks: with a comma, a mark or a break, or a space at an end.
  public static func isPlain(_ text: String) -> Bool {
    let space = UInt8(ascii: " ")
    return !text.utf8.contains(where: marks.contains) && text.utf8.first != space
      && text.utf8.last != space
  }

  private static let marks: Set<UInt8> = Set(",\"\r\n".utf8)

  /// The text in quotation marks, each of its own twice.
  public static func quoted(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append("\"")
    for scalar in text.unicodeScalars {
      if scalar == "\"" { scalars.append(scalar) }
      scalars.append(scalar)
    }
    scalars.append("\"")
    return String(scalars)
  }
}
