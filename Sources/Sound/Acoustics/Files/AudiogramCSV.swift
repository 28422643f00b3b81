import Base

/// Both ears' audiograms as a table from another program: comma-separated values.
///
/// Long form, one threshold a row; the last three columns may be missing:
///
/// ```
/// ear,frequency,threshold,conduction,masked,response left,1000,40,air,no,yes
/// ```
///
/// Wide form, one row for an ear and a way of testing; an empty field was not tested:
///
/// ```
/// ear,conduction,250,500,1000 right,air,35,35,>110
/// ```
///
/// Columns stand in any order and may be called as in ``Column/names``, with a unit in brackets, in
/// capitals or not. Fields are parted by semicolons, tabs or commas, whichever the header uses, the first
/// of these found; with semicolons and tabs a number may have a decimal comma. A field may be quoted.
/// `>110` is a tone of 110 dB HL that went unheard. A byte-order mark and any line ends are accepted, empty
/// lines skipped. An ear without rows was not tested.
public struct AudiogramCSV: Sendable, Equatable {
  /// Thresholds of both ears.
  public let ears: Binaural<Audiogram>

  /// Reads the text of a file.
  ///
  /// - Throws: ``AcousticsError`` with the line of the first thing that is wrong.
  public init(parsing text: String) throws(AcousticsError) {
    var rows: [CSVTable.Row]
    do { rows = try CSVTable(text).rows } catch {
      throw AcousticsError(
        "a quotation mark is missing or out of place", expected: "quotes around a whole field",
        kind: "a quotation mark missing or out of place", line: error.line)
    }
    guard !rows.isEmpty else {
      throw AcousticsError(
        "no text", expected: "a header row such as \"ear,frequency,threshold\"", kind: "no text")
    }
    let first = rows.removeFirst()
    let header: Header
    do { header = try Header(names: first.fields) } catch { throw error.at(line: first.line) }
    var points = Binaural<[Audiogram.Point]>(both: [])
    for row in rows {
      do throws(AcousticsError) {
        let (ear, found) = try header.points(in: row.fields)
        for point in found {
          points[ear].append(point)
          // Checked one by one, so that the line is that of the bad point.
          do { _ = try Audiogram(points: points[ear]) } catch { throw error.of(ear) }
        }
      } catch { throw error.at(line: row.line) }
    }
    guard !points.left.isEmpty || !points.right.isEmpty else {
      throw AcousticsError("no thresholds below the header", kind: "nothing below the header")
    }
    ears = points.map(Audiogram.init(checked:))
  }
}

extension AudiogramCSV {
  static let conductions: [(words: [String], meaning: Conduction)] = [
    (["air", "ac", "a"], .air), (["bone", "bc", "b"], .bone),
  ]

  static let answers: [(words: [String], meaning: Bool)] = [
    (["yes", "true", "1", "y", "x"], true), (["no", "false", "0", "n"], false),
  ]

  static func ear(_ field: String) throws(AcousticsError) -> Ear {
    switch field.lowercased() {
    case "left", "l": .left
    case "right", "r": .right
    default:
      throw AcousticsError(
        "\"\(field)\" as an ear", expected: "left or right", kind: "an ear that is neither left nor right")
    }
  }

  /// Hz of "1000", "1000 Hz", "1k", "1.5 kHz"; nil for anything else.
  static func frequency(_ field: String) -> Double? {
    var text = Substring(field.lowercased())
    if text.hasSuffix("hz") { text = text.dropLast(2) }
    var factor = 1.0
    if text.hasSuffix("k") {
      factor = 1000
      text = text.dropLast()
    }
    return NumberText.value(of: text.trimmed, allowsComma: true).map { $0 * factor }
  }

  /// dB HL of "40", or of ">110" that went unheard.
  static func threshold(
    _ field: String, frequency: Double
  ) throws(AcousticsError) -> (value: Double, isHeard: Bool) {
    let isHeard = !field.hasPrefix(">")
    let digits = (isHeard ? Substring(field) : field.dropFirst()).trimmed
    guard let value = NumberText.value(of: digits, allowsComma: true) else {
      throw AcousticsError(
        "\"\(field)\" as the threshold at \(frequency.shortText) Hz",
        expected: "dB HL, as 40, or >110 for no response at 110", kind: "a field that is no level")
    }
    return (value, isHeard)
  }
}

extension AudiogramCSV {
  /// Content of a column.
  enum Column: Hashable {
    case ear, frequency, threshold, conduction, masked, response
    /// Thresholds at one frequency, Hz: the wide form.
    case level(Double)

    /// Names accepted, in lower case; the first is the usual one.
    static let names: [(column: Column, names: [String])] = [
      (.ear, ["ear", "side"]), (.frequency, ["frequency", "freq", "hz"]),
      (.threshold, ["threshold", "level", "hl", "db", "db hl", "dbhl"]),
      (.conduction, ["conduction", "type"]), (.masked, ["masked", "masking"]), (.response, ["response"]),
    ]
  }

  /// The first row: which field of a row is what.
  struct Header {
    let columns: [Column]
    /// Names as written, for messages.
    let names: [String]

    init(names: [String]) throws(AcousticsError) {
      self.names = names
      let known = names.map(Self.column)
      guard known.contains(where: { $0 != nil }) else {
        throw AcousticsError(
          "\"\(names.joined(separator: " "))\" as the header",
          expected: "\"ear,frequency,threshold\" or \"ear,250,500,1000\"",
          kind: "a first row that is no header")
      }
      var columns: [Column] = []
      for (name, column) in zip(names, known) {
        guard let column else {
          throw Self.unknown(
            name, nearest: Spelling.nearest(to: name, among: Column.names.flatMap(\.names)))
        }
        guard !columns.contains(column) else {
          throw AcousticsError("column \"\(name)\" given twice", kind: "a column given twice")
        }
        columns.append(column)
      }
      self.columns = columns
      let isWide = columns.contains { if case .level = $0 { true } else { false } }
      let needed: [(Column, String)] =
        isWide ? [(.ear, "ear")] : [(.ear, "ear"), (.frequency, "frequency"), (.threshold, "threshold")]
      for (column, name) in needed where !columns.contains(column) {
        throw AcousticsError("no column \"\(name)\"", kind: "no column \"\(name)\"")
      }
      // In the wide form the columns themselves are frequencies and thresholds.
      for (name, column) in zip(names, columns)
      where isWide && [.frequency, .threshold, .response].contains(column) {
        throw Self.unknown(name, nearest: nil)
      }
    }

    private static func unknown(_ name: String, nearest: String?) -> AcousticsError {
      let found = "unknown column \"\(name)\""
      return AcousticsError(
        nearest.map { "\(found): did you mean \"\($0)\"?" } ?? found,
        expected: nearest == nil ? "ear, frequency, threshold, conduction, masked or response" : nil,
        kind: "an unknown column")
    }

    /// The column that a name stands for.
    private static func column(_ name: String) -> Column? {
      // "Frequency (Hz)" and "threshold [dB HL]": the unit is ours anyway.
      let word = name.prefix { $0 != "(" && $0 != "[" }.lowercased().trimmed
      if let known = Column.names.first(where: { $0.names.contains(word) }) { return known.column }
      return AudiogramCSV.frequency(name).map(Column.level)
    }

    /// The ear of a row, and its points.
    func points(in fields: [String]) throws(AcousticsError) -> (ear: Ear, points: [Audiogram.Point]) {
      guard fields.count == columns.count else {
        throw AcousticsError(
          English.count(fields.count, "field"), expected: "\(columns.count), as in the header",
          kind: "another number of fields than in the header")
      }
      let ear = try AudiogramCSV.ear(fields[columns.firstIndex(of: .ear) ?? 0])
      let conduction = try word(.conduction, in: fields, AudiogramCSV.conductions) ?? .air
      let isMasked = try word(.masked, in: fields, AudiogramCSV.answers) ?? false
      let hasResponse = try word(.response, in: fields, AudiogramCSV.answers) ?? true
      var points: [Audiogram.Point] = []
      func add(_ frequency: Double, _ field: String) throws(AcousticsError) {
        let level = try AudiogramCSV.threshold(field, frequency: frequency)
        points.append(
          Audiogram.Point(
            frequency: frequency, threshold: HearingLevel(level.value), conduction: conduction,
            isMasked: isMasked, hasResponse: hasResponse && level.isHeard))
      }
      if let place = columns.firstIndex(of: .frequency), let other = columns.firstIndex(of: .threshold) {
        guard let frequency = AudiogramCSV.frequency(fields[place]) else {
          throw AcousticsError(
            "\"\(fields[place])\" as a frequency", expected: "Hz, as 1000",
            kind: "a field that is no frequency")
        }
        try add(frequency, fields[other])
      }
      for (column, field) in zip(columns, fields) {
        if case .level(let frequency) = column, !field.isEmpty { try add(frequency, field) }
      }
      return (ear, points)
    }

    /// Meaning of the word in a column; nil where there is no such column or the field is empty.
    private func word<Meaning>(
      _ column: Column, in fields: [String], _ meanings: [(words: [String], meaning: Meaning)]
    ) throws(AcousticsError) -> Meaning? {
      guard let place = columns.firstIndex(of: column), !fields[place].isEmpty else { return nil }
      let word = fields[place].lowercased()
      if let found = meanings.first(where: { $0.words.contains(word) }) { return found.meaning }
      throw AcousticsError(
        "\"\(fields[place])\" in column \"\(names[place])\"",
        expected: meanings.map { $0.words[0] }.joined(separator: " or "), kind: "an unknown word")
    }
  }
}
