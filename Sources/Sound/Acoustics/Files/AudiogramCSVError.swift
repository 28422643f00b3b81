/// An error in an audiogram of comma-separated values, with its line.
public struct AudiogramCSVError: Error, Equatable {
  /// Cause of the error.
  public enum Reason: Error, Equatable {
    /// Nothing but empty lines.
    case empty
    /// The first row does not name columns that this program knows; the words found.
    case noHeader([String])
    /// A column that means nothing here; `nearest` is the name it resembles.
    case unknownColumn(String, nearest: String?)
    /// A column given twice.
    case repeatedColumn(String)
    /// A column that must be there is not.
    case missingColumn(String)
    /// A header and no thresholds.
    case noThresholds
    /// A row with more or fewer fields than the header.
    case fieldCount(found: Int, expected: Int)
    /// A quotation mark that is not closed on its line, or stands within an unquoted field.
    case misplacedQuote
    /// An ear that is neither left nor right.
    case notAnEar(String)
    /// A field that should be a frequency.
    case notAFrequency(String)
    /// A field that should be a threshold.
    case notAThreshold(String, frequency: String)
    /// A word that is none of those expected in a column.
    case unknownWord(String, column: String, expected: String)
    /// A point outside the range or given twice.
    case point(AudiogramError, ear: Ear)
  }

  /// Line of the file, from 1; nil when it is the file as a whole.
  public let line: Int?
  /// Cause of the error.
  public let reason: Reason

  /// - Parameter line: Line of the file, from 1; nil for the file as a whole.
  public init(line: Int?, reason: Reason) {
    self.line = line
    self.reason = reason
  }
}

extension AudiogramCSVError: CustomStringConvertible {
  /// One sentence, beginning with "line 12: " where there is a line.
  public var description: String { (line.map { "line \($0): " } ?? "") + reason.description }
}

extension AudiogramCSVError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "no text: expected a header row such as \"ear,frequency,threshold\""
    case .noHeader(let words):
      "\"\(words.joined(separator: " "))\" as the header: expected \"ear,frequency,threshold\" or"
        + " \"ear,250,500,1000\""
    case .unknownColumn(let name, let nearest):
      "unknown column \"\(name)\": "
        + (nearest.map { "did you mean \"\($0)\"?" }
          ?? "expected ear, frequency, threshold, conduction, masked or response")
    case .repeatedColumn(let name): "column \"\(name)\" given twice"
    case .missingColumn(let name): "no column \"\(name)\""
    case .noThresholds: "no thresholds below the header"
    case .fieldCount(let found, let expected):
      "\(found) \(found == 1 ? "field" : "fields"): expected \(expected), as in the header"
    case .misplacedQuote:
      "a quotation mark is missing or out of place: expected quotes around a whole field"
    case .notAnEar(let word): "\"\(word)\" as an ear: expected left or right"
    case .notAFrequency(let word): "\"\(word)\" as a frequency: expected Hz, as 1000"
    case .notAThreshold(let word, let frequency):
      "\"\(word)\" as the threshold at \(frequency) Hz: expected dB HL, as 40, or >110 for no response at 110"
    case .unknownWord(let word, let column, let expected):
      "\"\(word)\" in column \"\(column)\": expected \(expected)"
    case .point(let error, let ear): "\(ear) ear, \(error)"
    }
  }
}

extension AudiogramCSVError.Reason {
  /// Kind of the error for a log, which quotes nothing from the file.
  public var kind: String {
    switch self {
    case .empty: "no text"
    case .noHeader: "a first row that is no header"
    case .unknownColumn: "an unknown column"
    case .repeatedColumn: "a column given twice"
    case .missingColumn(let name): "no column \"\(name)\""
    case .noThresholds: "nothing below the header"
    case .fieldCount: "another number of fields than in the header"
    case .misplacedQuote: "a quotation mark missing or out of place"
    case .notAnEar: "an ear that is neither left nor right"
    case .notAFrequency: "a field that is no frequency"
    case .notAThreshold: "a field that is no level"
    case .unknownWord: "an unknown word"
    case .point(let error, _): error.kind
    }
  }
}
