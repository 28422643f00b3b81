/// Reason why numbers or a text make no audiogram, band layout or calibration, or why these do not answer.
///
/// Nobody tells one from another but by its words; an error of a file has its line.
public struct AcousticsError: Error, Equatable, CustomStringConvertible {
  /// Line of the file, from 1; nil outside a file and for the file as a whole.
  public private(set) var line: Int?
  /// `found: expected what should be`, or one clause, without a full stop.
  public private(set) var reason: String
  /// Kind of the error for a log, which quotes nothing from a file.
  public let kind: String

  init(_ found: String, expected: String? = nil, kind: String = "a number out of range", line: Int? = nil) {
    self.line = line
    self.kind = kind
    reason = found + (expected.map { ": expected \($0)" } ?? "")
  }

  /// One clause, beginning with "line 12: " where there is a line.
  public var description: String { (line.map { "line \($0): " } ?? "") + reason }

  /// The same error, in a line of a file.
  func at(line: Int) -> AcousticsError {
    var copy = self
    copy.line = line
    return copy
  }

  /// The same error, in an ear's audiogram.
  func of(_ ear: Ear) -> AcousticsError {
    var copy = self
    copy.reason = "\(ear) ear, \(reason)"
    return copy
  }
}
