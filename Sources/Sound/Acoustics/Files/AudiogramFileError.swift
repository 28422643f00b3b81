import Base

/// An error in an audiogram file, with its line.
public struct AudiogramFileError: Error, Equatable {
  /// Cause of the error.
  public enum Reason: Equatable, Sendable {
    /// The text is not JSON.
    case notJSON(String)
    /// `format` is missing or another.
    case notAnAudiogram
    /// A version this program does not read.
    case unknownVersion(Double)
    /// A key that means nothing here; `nearest` is the key it resembles.
    case unknownKey(String, nearest: String?)
    /// A key given twice in one object.
    case repeatedKey(String)
    /// A key that must be there is not.
    case missingKey(String)
    /// A value of another kind than expected.
    case wrongKind(key: String, found: String, expected: String)
    /// A key that should be a frequency in Hz.
    case notAFrequency(String, ear: Ear)
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

  init(_ error: JSONError) {
    line = error.position.line
    reason =
      switch error.reason {
      case .repeatedKey(let key): .repeatedKey(key)
      case .depth, .form: .notJSON(error.words)
      }
  }
}

extension AudiogramFileError: CustomStringConvertible {
  /// One sentence, beginning with "line 12: " where there is a line.
  public var description: String { (line.map { "line \($0): " } ?? "") + reason.description }
}

extension AudiogramFileError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notJSON(let reason): "not JSON: \(reason)"
    case .notAnAudiogram: "not an audiogram: expected \"format\": \"\(AudiogramFile.format)\""
    case .unknownVersion(let version): "version \(version.shortText): expected \(AudiogramFile.version)"
    case .unknownKey(let key, let nearest):
      "unknown key \"\(key)\"" + (nearest.map { ": did you mean \"\($0)\"?" } ?? "")
    case .repeatedKey(let key): "\"\(key)\" given twice"
    case .missingKey(let key):
      key == "left" || key == "right"
        ? "no \"\(key)\": expected both ears, {} for one that was not tested" : "no \"\(key)\""
    case .wrongKind(let key, let found, let expected): "\(found) as \"\(key)\": expected \(expected)"
    case .notAFrequency(let key, let ear):
      "\(ear) ear, \"\(key)\" as a frequency: expected Hz, as \"1000\""
    case .point(let error, let ear): "\(ear) ear, \(error)"
    }
  }
}

extension AudiogramFileError.Reason {
  /// Kind of the error for a log, which quotes nothing from the file.
  public var kind: String {
    switch self {
    case .notJSON: "a text that is not JSON"
    case .notAnAudiogram: "something that is not an audiogram"
    case .unknownVersion: "an unknown version"
    case .unknownKey: "an unknown key"
    case .repeatedKey: "a key given twice"
    case .missingKey(let key): "no \"\(key)\""
    case .wrongKind: "a value of another kind than expected"
    case .notAFrequency: "a key that is no frequency"
    case .point(let error, _): error.kind
    }
  }
}
