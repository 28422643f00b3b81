/// Lines of the audit trail, as `auricle audit show --json` prints them.
package struct AuditReport: Sendable, Codable, Equatable {
  package let schema: Int
  /// Lines in the whole trail.
  package let total: Int
  /// Oldest first.
  package let lines: [Line]

  package init(total: Int, lines: [Line]) {
    schema = 100
    self.total = total
    self.lines = lines
  }

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

    package init(
      sequence: Int, moment: Double, channel: String, userID: UInt32, processID: Int32, action: String,
      subject: String, hash: String
    ) {
      self.sequence = sequence
      self.moment = moment
      self.channel = channel
      self.userID = userID
      self.processID = processID
      self.action = action
      self.subject = subject
      self.hash = hash
    }

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
  package let schema: Int
  /// Lines checked.
  package let count: Int
  /// What is wrong, one sentence naming the first bad line; nil: nothing.
  package let problem: String?

  package init(count: Int, problem: String?) {
    schema = 100
    self.count = count
    self.problem = problem
  }

  package var isWhole: Bool { problem == nil }
}
