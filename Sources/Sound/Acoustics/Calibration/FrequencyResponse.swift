import Base

/// Response of a microphone by frequency, dB relative to any level; more is more sensitive.
public struct FrequencyResponse: Sendable, Hashable, Codable {
  /// Response at a frequency.
  public struct Row: Sendable, Hashable, Codable {
    /// Hz.
    public let frequency: Double
    /// dB.
    public let level: Double
  }

  /// By rising frequency, two at least.
  public let rows: [Row]
  /// Lines of the file that are no row, such as a serial number; not used.
  public let notes: [String]

  /// Responses accepted, dB; own choice: nobody measures with a microphone that differs by more.
  static let levels = -60.0...60.0
  /// Most rows of a file: manufacturers write some hundred; own choice.
  static let mostRows = 10_000

  /// Reads the text that comes with measurement microphones: a frequency in Hz and a response in dB on each line, separated by
  /// blanks, a tab, a comma or a semicolon; further columns, such as phase, and lines that do not begin with a number are left out.
  /// Between blanks, tabs or semicolons a comma within a number is a decimal one: `20,00	-3,45`.
  ///
  /// A line about sensitivity is kept as a note and not used: its reference, and the gain it holds for, are each manufacturer's own.
  ///
  /// - Throws: ``AcousticsError`` with its line for frequencies that do not rise and for responses that no microphone has.
  public init(_ text: String) throws(AcousticsError) {
    var rows: [Row] = []
    var notes: [String] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let fields = Self.fields(of: line)
      guard let first = fields.first else { continue }
      guard let frequency = Double(first), fields.count > 1, let level = Double(fields[1]) else {
        let note = line.filter { !$0.isNewline && $0 != "\u{FEFF}" }
        if notes.count < 10 { notes.append(String(note.prefix(200))) }
        continue
      }
      do throws(AcousticsError) { try Self.check(frequency, level, after: rows.last) } catch {
        throw error.at(line: index + 1)
      }
      guard rows.count < Self.mostRows else {
        throw AcousticsError("more than \(Self.mostRows) rows", line: index + 1)
      }
      rows.append(Row(frequency: frequency, level: level))
    }
    try self.init(rows: rows, notes: notes)
  }

  private static func fields(of line: Substring) -> [String] {
    let words = line.split { $0.isWhitespace || $0 == ";" || $0 == "\u{FEFF}" }
    // One within, and no point beside it: "1000, 0.5" and "1000,0.5,30" are separated by theirs.
    func isDecimal(_ word: Substring) -> Bool {
      let parts = word.split(separator: ",", omittingEmptySubsequences: false)
      return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !word.contains(".")
    }
    guard words.count > 1, words.prefix(2).contains(where: isDecimal) else {
      return words.flatMap { $0.split(separator: ",").map(String.init) }
    }
    return words.map { String($0.map { $0 == "," ? "." : $0 }) }
  }

  private init(rows: [Row], notes: [String]) throws(AcousticsError) {
    guard rows.count > 1 else {
      throw AcousticsError(
        "\(rows.count) rows of a frequency and a response", expected: "two at least, such as \"1000 0.0\"")
    }
    for (row, former) in zip(rows.dropFirst(), rows) {
      try Self.check(row.frequency, row.level, after: former)
    }
    (self.rows, self.notes) = (rows, notes)
  }

  private static func check(_ frequency: Double, _ level: Double, after row: Row?) throws(AcousticsError) {
    guard frequency.isFinite, frequency > (row?.frequency ?? 0) else {
      throw AcousticsError("\(frequency.shortText) Hz", expected: "positive frequencies in rising order")
    }
    guard levels.contains(level) else {
      throw AcousticsError("a response of \(level.shortText) dB", expected: "−60 to 60 dB")
    }
  }

  private enum CodingKeys: CodingKey { case rows, notes }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let rows = try values.decode([Row].self, forKey: .rows)
    if let first = rows.first { try Self.check(first.frequency, first.level, after: nil) }
    try self.init(rows: rows, notes: try values.decodeIfPresent([String].self, forKey: .notes) ?? [])
  }

  /// Response at a frequency, dB; that of the nearest end outside.
  func level(at frequency: Double) -> Double {
    LogFrequencyTable(rows.map(\.frequency), rows.map(\.level)).held(at: frequency)
  }
}
