extension AudiogramCSVError.Reason {
  /// What kind of thing is wrong, without a word of the file: for a log.
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
