import Base

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

    init(_ row: CSVTable.Row) throws(AudiogramCSVError) {
      names = row.fields
      let known = names.map(Self.column)
      guard known.contains(where: { $0 != nil }) else {
        throw AudiogramCSVError(line: row.line, reason: .noHeader(names))
      }
      var columns: [Column] = []
      var seen: Set<Column> = []
      for (name, column) in zip(names, known) {
        guard let column else {
          let nearest = Spelling.nearest(to: name, among: Column.names.flatMap(\.names))
          throw AudiogramCSVError(line: row.line, reason: .unknownColumn(name, nearest: nearest))
        }
        guard seen.insert(column).inserted else {
          throw AudiogramCSVError(line: row.line, reason: .repeatedColumn(name))
        }
        columns.append(column)
      }
      self.columns = columns
      let isWide = columns.contains { if case .level = $0 { true } else { false } }
      let needed: [(Column, String)] =
        isWide ? [(.ear, "ear")] : [(.ear, "ear"), (.frequency, "frequency"), (.threshold, "threshold")]
      for (column, name) in needed where !columns.contains(column) {
        throw AudiogramCSVError(line: row.line, reason: .missingColumn(name))
      }
      // In the wide form the columns themselves are frequencies and thresholds.
      for (name, column) in zip(names, columns)
      where isWide && [.frequency, .threshold, .response].contains(column) {
        throw AudiogramCSVError(line: row.line, reason: .unknownColumn(name, nearest: nil))
      }
    }

    /// The column that a name stands for.
    private static func column(_ name: String) -> Column? {
      // "Frequency (Hz)" and "threshold [dB HL]": the unit is ours anyway.
      let plain = name.prefix { $0 != "(" && $0 != "[" }.lowercased()
      let word = plain.trimmed
      if let known = Column.names.first(where: { $0.names.contains(word) }) { return known.column }
      return AudiogramCSV.frequency(name).map(Column.level)
    }

    /// The ear of a row, and its points.
    func points(
      in fields: [String]
    ) throws(AudiogramCSVError.Reason) -> (ear: Ear, points: [Audiogram.Point]) {
      let ear = try AudiogramCSV.ear(fields[columns.firstIndex(of: .ear) ?? 0])
      let conduction = try word(.conduction, in: fields, AudiogramCSV.conductions) ?? .air
      let isMasked = try word(.masked, in: fields, AudiogramCSV.answers) ?? false
      let hasResponse = try word(.response, in: fields, AudiogramCSV.answers) ?? true
      var points: [Audiogram.Point] = []
      func add(_ frequency: Double, _ field: String) throws(AudiogramCSVError.Reason) {
        let level = try AudiogramCSV.threshold(field, frequency: frequency)
        points.append(
          Audiogram.Point(
            frequency: frequency, threshold: HearingLevel(level.value), conduction: conduction,
            isMasked: isMasked, hasResponse: hasResponse && level.isHeard))
      }
      if let place = columns.firstIndex(of: .frequency), let other = columns.firstIndex(of: .threshold) {
        guard let frequency = AudiogramCSV.frequency(fields[place]) else {
          throw .notAFrequency(fields[place])
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
    ) throws(AudiogramCSVError.Reason) -> Meaning? {
      guard let place = columns.firstIndex(of: column), !fields[place].isEmpty else { return nil }
      let word = fields[place].lowercased()
      if let found = meanings.first(where: { $0.words.contains(word) }) { return found.meaning }
      let expected = meanings.map { $0.words[0] }.joined(separator: " or ")
      throw .unknownWord(fields[place], column: names[place], expected: expected)
    }
  }
}
