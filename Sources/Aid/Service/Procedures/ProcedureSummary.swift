import Base
import Control
import Procedures

/// Beginning and end of a record, by which it is listed: of a file only the first and the last line are read, however long it is.
package struct ProcedureSummary: Sendable {
  package let beginning: ProcedureBeginning
  /// Nil: it was not finished.
  package let result: ProcedureResult?
  /// s since 1970-01-01 UTC; nil: it was not finished.
  package let ended: Double?

  /// - Throws: ``Failure`` of a file that cannot be read, or is no record.
  init(at path: String) throws(Failure) {
    let ends = try FileContent.endLines(of: path)
    guard let first = ends.first,
      case .begin(let beginning)? = try? JSON.value(ProcedureLine.self, from: first)
    else {
      throw Failure(path, found: "no beginning", expected: "the record of a procedure", exit: .badData)
    }
    self.beginning = beginning
    try beginning.check(named: path)
    // A line that was cut off is no end.
    if let last = ends.last,
      case .end(let result, let at)? = try? JSON.value(ProcedureLine.self, from: last),
      ProcedureBeginning.times.contains(at)
    {
      (self.result, ended) = (result, at)
    } else {
      (result, ended) = (nil, nil)
    }
  }
}
