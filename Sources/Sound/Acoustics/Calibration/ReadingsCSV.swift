import Base

/// Readings as a table of comma-separated values, one a row:
///
/// ```
/// ear,frequency,level,played
/// left,1000,94.2,-20
/// left,1000,84.1,-30
/// ```
///
/// Columns stand in any order; `played`, dB FS, may be missing where one level holds for all. Separators, decimal commas and
/// frequencies such as `1k` as in ``AudiogramCSV``.
extension EarphoneMeasurement.Reading {
  /// Reads the text of a file.
  ///
  /// - Parameter played: Level of all tones where there is no column for it.
  /// - Throws: ``AcousticsError`` with the line of the first thing that is wrong.
  public static func list(
    parsing text: String, played: FullScaleLevel?
  ) throws(AcousticsError) -> [EarphoneMeasurement.Reading] {
    let table = try ColumnTable(text, needs: ["ear", "frequency", "level"], knows: ["played"])
    guard table.has("played") || played != nil else {
      throw AcousticsError(
        "no column \"played\"", expected: "the level of the tones in dB FS, there or as an option")
    }
    return try table.map { (row) throws(AcousticsError) in
      let level = try row.number("level", unit: "dB SPL")
      let own = table.has("played") ? FullScaleLevel(try row.number("played", unit: "dB FS")) : played
      return try EarphoneMeasurement.Reading(
        ear: try row.ear(), frequency: try row.frequency(), played: own ?? FullScaleLevel(0),
        read: SoundPressureLevel(level))
    }
  }
}

extension EarCheck.Threshold {
  /// Reads the text of a file: `person,ear,frequency,threshold`, the threshold in dB HL, one a row.
  ///
  /// - Throws: ``AcousticsError`` with the line of the first thing that is wrong.
  public static func list(parsing text: String) throws(AcousticsError) -> [EarCheck.Threshold] {
    try ColumnTable(text, needs: ["person", "ear", "frequency", "threshold"], knows: [])
      .map { (row) throws(AcousticsError) in
        EarCheck.Threshold(
          person: row["person"], ear: try row.ear(), frequency: try row.frequency(),
          level: HearingLevel(try row.number("threshold", unit: "dB HL")))
      }
  }
}

/// A table whose first row names its columns.
private struct ColumnTable {
  struct Row {
    let line: Int
    let fields: [String: String]

    subscript(_ column: String) -> String { fields[column] ?? "" }

    func ear() throws(AcousticsError) -> Ear { try AudiogramCSV.ear(self["ear"]) }

    func frequency() throws(AcousticsError) -> Double {
      guard let frequency = AudiogramCSV.frequency(self["frequency"]) else {
        throw AcousticsError("\"\(self["frequency"])\" as a frequency", expected: "Hz, as 1000")
      }
      return frequency
    }

    func number(_ column: String, unit: String) throws(AcousticsError) -> Double {
      guard let value = NumberText.value(of: self[column], allowsComma: true) else {
        throw AcousticsError("\"\(self[column])\" as \(column)", expected: "\(unit), as 94.2")
      }
      return value
    }
  }

  private let names: [String]
  private let rows: [Row]

  init(_ text: String, needs needed: [String], knows optional: [String]) throws(AcousticsError) {
    var rows: [CSVTable.Row]
    do { rows = try CSVTable(text).rows } catch {
      throw AcousticsError(
        "a quotation mark is missing or out of place", expected: "quotes around a whole field",
        line: error.line)
    }
    let usual = needed.joined(separator: ",")
    guard !rows.isEmpty else {
      throw AcousticsError("no text", expected: "a header row such as \"\(usual)\"")
    }
    let header = rows.removeFirst()
    // "Level (dB SPL)": the unit is ours anyway.
    let names = header.fields.map { $0.prefix { $0 != "(" && $0 != "[" }.lowercased().trimmed }
    for name in needed where !names.contains(name) {
      throw AcousticsError(
        "no column \"\(name)\"", expected: "a header row such as \"\(usual)\"", line: header.line)
    }
    for (index, name) in names.enumerated() {
      guard (needed + optional).contains(name) else {
        throw AcousticsError(
          "unknown column \"\(name)\"", expected: English.list(needed + optional, "or"), line: header.line)
      }
      guard !names[..<index].contains(name) else {
        throw AcousticsError("column \"\(name)\" given twice", line: header.line)
      }
    }
    self.names = names
    self.rows = try rows.map { (row) throws(AcousticsError) in
      guard row.fields.count == names.count else {
        throw AcousticsError(
          English.count(row.fields.count, "field"), expected: "\(names.count), as in the header",
          line: row.line)
      }
      return Row(line: row.line, fields: Dictionary(zip(names, row.fields)) { first, _ in first })
    }
    guard !rows.isEmpty else { throw AcousticsError("no rows below the header") }
  }

  func has(_ column: String) -> Bool { names.contains(column) }

  /// Values of all rows; an error has the row's line.
  func map<Value>(_ value: (Row) throws(AcousticsError) -> Value) throws(AcousticsError) -> [Value] {
    try rows.map { (row) throws(AcousticsError) in
      do throws(AcousticsError) { return try value(row) } catch { throw error.at(line: row.line) }
    }
  }
}
