/// Lines of the audit trail, as `auricle audit show --json` prints them.
package struct AuditReport: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  /// Lines in the whole trail.
  package let total: Int
  /// Oldest first.
  package let lines: [Line]

  /// One action.
  package struct Line: Sendable, Codable, Hashable {
    package let sequence: Int
    /// s since 1970-01-01 UTC.
    package let moment: Double
    /// `socket`, `command` or `clock`.
    package let channel: String
    package let userID: UInt32
    package let processID: Int32
    package let action: String
    /// What it was done to: a serial, a key.
    package let subject: String
    /// Hexadecimal digits of this line's link of the chain.
    package let hash: String

    enum CodingKeys: String, CodingKey {
      case sequence, channel, action, subject, hash
      case moment = "unix_seconds"
      case userID = "uid"
      case processID = "pid"
    }
  }
}

/// Whether the audit trail is whole, as `auricle audit verify --json` prints it.
package struct AuditVerdict: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  /// Lines checked.
  package let count: Int
  /// What is wrong, one sentence naming the first bad line; nil: nothing.
  package let problem: String?

  package var isWhole: Bool { problem == nil }
}
