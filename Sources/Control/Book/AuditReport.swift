/// Lines of the audit trail, as `auricle audit show --json` prints them.
public struct AuditReport: Sendable, Codable, Equatable {
  public let schema: Int
  /// Lines in the whole trail.
  public let total: Int
  /// Oldest first.
  public let lines: [Line]

  public init(total: Int, lines: [Line]) {
    schema = 100
    self.total = total
    self.lines = lines
  }

  /// One action.
  public struct Line: Sendable, Codable, Hashable {
    public let sequence: Int
    /// s since 1970-01-01 UTC.
    public let moment: Double
    /// `socket`, `command` or `clock`.
    public let channel: String
    public let userID: UInt32
    public let processID: Int32
    public let action: String
    /// What it was done to: a serial, a key.
    public let subject: String
    /// Hexadecimal digits of this line's link of the chain.
    public let hash: String

    public init(
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
public struct AuditVerdict: Sendable, Codable, Equatable {
  public let schema: Int
  /// Lines checked.
  public let count: Int
  /// What is wrong, one sentence naming the first bad line; nil: nothing.
  public let problem: String?

  public init(count: Int, problem: String?) {
    schema = 100
    self.count = count
    self.problem = problem
  }

  public var isWhole: Bool { problem == nil }
}
