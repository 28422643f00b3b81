/// A table of a data set with what its columns mean.
public struct Table: Sendable, Hashable {
  /// Name of its file, without its ending.
  public let name: String
  public let columns: [Column]
  public private(set) var rows: [[Cell]] = []

  public struct Column: Sendable, Hashable {
    public let name: String
    public let kind: Kind
    public let meaning: String

    /// As Frictionless Table Schema names them.
    public enum Kind: String, Sendable, Hashable { case string, integer, number, boolean, date, datetime }

    public init(_ name: String, _ kind: Kind, _ meaning: String) {
      (self.name, self.kind, self.meaning) = (name, kind, meaning)
    }
  }

  /// A value, or nothing.
  public enum Cell: Sendable, Hashable {
    case missing
    case text(String)
    /// Words of somebody, and whatever a login may have written in the place of a name: a spreadsheet must not take
    /// them for a formula.
    case words(String)
    case whole(Int)
    case number(Double)
    case flag(Bool)
  }

  public init(_ name: String, _ columns: [Column]) { (self.name, self.columns) = (name, columns) }

  /// - Parameter row: As many cells as there are columns.
  public mutating func append(_ row: [Cell]) {
    precondition(row.count == columns.count, "a row has other cells than the table has columns")
    rows.append(row)
  }
}

extension Table.Cell {
  /// Missing for nil.
  public static func text(_ text: String?) -> Table.Cell { text.map { .text($0) } ?? .missing }
  public static func words(_ text: String?) -> Table.Cell { text.map { .words($0) } ?? .missing }
  public static func whole(_ number: Int?) -> Table.Cell { number.map { .whole($0) } ?? .missing }
  public static func number(_ number: Double?) -> Table.Cell { number.map { .number($0) } ?? .missing }
}
