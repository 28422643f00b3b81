/// Reason why numbers or a text make no audiogram, band layout or calibration, or why these do not answer.
///
/// Nobody tells one from another but by its words; an error of a file has its line.
public struct AcousticsError: Error, Equatable, CustomStringConvertible {
  /// Line of the file, from 1; nil outside a file and for the file as a whole.
  public let line: Int?
  /// `found: expected what should be`, or one clause, without a full stop.
  public let reason: String
  /// Kind of the error for a log, which quotes nothing from a file.
  public let kind: String

  /// One clause, beginning with "line 12: " where there is a line.
  public var description: String { (line.map { "line \($0): " } ?? "") + reason }

  /// The same error, in a line of a file.
  func at(line: Int) -> AcousticsError { AcousticsError(line: line, reason: reason, kind: kind) }

  /// The same error, in an ear's audiogram.
  func of(_ ear: Ear) -> AcousticsError {
    AcousticsError(line: line, reason: "\(ear) ear, \(reason)", kind: kind)
  }
}

extension AcousticsError {
  init(_ found: String, expected: String? = nil, kind: String = "a number out of range", line: Int? = nil) {
    self.init(line: line, reason: found + (expected.map { ": expected \($0)" } ?? ""), kind: kind)
  }
}
