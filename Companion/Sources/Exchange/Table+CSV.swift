import Base
import Questionnaires

extension Table {
  /// The table as RFC 4180 has it, in UTF-8, with a line of names; nothing for what is missing, and U+FFFD for what
  /// steers a terminal.
  public var csv: String {
    let lines = [columns.map { Self.field($0.name) }] + rows.map { $0.map(Self.field) }
    return lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private static func field(_ cell: Cell) -> String {
    switch cell {
    case .missing: ""
    // A text that is empty is another thing than none.
    case .text(let text): text.isEmpty ? "\"\"" : field(printable(text))
    case .words(let text): text.isEmpty ? "\"\"" : field(guarded(printable(text)))
    case .whole(let number): String(number)
    case .number(let number): NumberText.exact(number)
    case .flag(let flag): flag ? "true" : "false"
    }
  }

  private static func printable(_ text: String) -> String {
    ControlCharacter.replaced(in: text, where: ControlCharacter.steersTerminal)
  }

  /// Words that a spreadsheet would take for a formula behind an apostrophe, and words that begin with one behind another: without the first
  /// apostrophe they are as they were written. Signs by OWASP, "CSV Injection".
  private static func guarded(_ text: String) -> String {
    let signs: Set<UInt8> = Set("=+-@'\t\r\n".utf8)
    return text.utf8.first.map(signs.contains) ?? false ? "'" + text : text
  }

  private static func field(_ text: String) -> String {
    CSVField.isPlain(text) ? text : CSVField.quoted(text)
  }
}
