import Base

/// Both ears' audiograms as a table from another program: comma-separated values.
///
/// Long form, one threshold a row; the last three columns may be missing:
///
/// ```
/// ear,frequency,threshold,conduction,masked,response
/// left,1000,40,air,no,yes
/// ```
///
/// Wide form, one row for an ear and a way of testing; an empty field was not tested:
///
/// ```
/// ear,conduction,250,500,1000
/// right,air,35,35,>110
/// ```
///
/// Columns stand in any order and may be called as in ``Column/names``, with a unit in brackets, in capitals
/// or not. Fields are parted by semicolons, tabs or commas, whichever the header uses, the first of these
/// found; with semicolons and tabs a number may have a decimal comma. A field may be quoted. `>110` is a
/// tone of 110 dB HL that went unheard. A byte-order mark and any line ends are accepted, empty lines
/// skipped. An ear without rows was not tested.
public struct AudiogramCSV: Sendable, Equatable {
  public let ears: Binaural<Audiogram>

  /// Reads the text of a file.
  ///
  /// - Throws: ``AudiogramCSVError`` for the first thing that is wrong.
  public init(parsing text: String) throws(AudiogramCSVError) {
    var rows: [CSVTable.Row]
    do { rows = try CSVTable(text).rows } catch {
      throw AudiogramCSVError(line: error.line, reason: .misplacedQuote)
    }
    guard !rows.isEmpty else { throw AudiogramCSVError(line: nil, reason: .empty) }
    let header = try Header(rows.removeFirst())
    var points = Binaural<[Audiogram.Point]>(both: [])
    for row in rows {
      guard row.fields.count == header.columns.count else {
        throw AudiogramCSVError(
          line: row.line,
          reason: .fieldCount(found: row.fields.count, expected: header.columns.count))
      }
      let ear: Ear
      let found: [Audiogram.Point]
      do {
        (ear, found) = try header.points(in: row.fields)
      } catch {
        throw AudiogramCSVError(line: row.line, reason: error)
      }
      for point in found {
        points[ear].append(point)
        // Checked one by one, so that the line is that of the bad point.
        do {
          _ = try Audiogram(points: points[ear])
        } catch {
          throw AudiogramCSVError(line: row.line, reason: .point(error, ear: ear))
        }
      }
    }
    guard !points.left.isEmpty || !points.right.isEmpty else {
      throw AudiogramCSVError(line: nil, reason: .noThresholds)
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

  static func ear(_ field: String) throws(AudiogramCSVError.Reason) -> Ear {
    switch field.lowercased() {
    case "left", "l": .left
    case "right", "r": .right
    default: throw .notAnEar(field)
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
  ) throws(AudiogramCSVError.Reason) -> (value: Double, isHeard: Bool) {
    let isHeard = !field.hasPrefix(">")
    let digits = (isHeard ? Substring(field) : field.dropFirst()).trimmed
    guard let value = NumberText.value(of: digits, allowsComma: true) else {
      throw .notAThreshold(field, frequency: frequency.shortText)
    }
    return (value, isHeard)
  }
}
