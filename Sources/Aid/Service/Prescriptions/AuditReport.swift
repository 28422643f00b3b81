import Book
import Prescriptions

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
    package let unixSeconds: Double
    /// `socket`, `command` or `clock`.
    package let channel: String
    package let uid: UInt32
    package let pid: Int32
    package let action: String
    /// Object of the action: a serial, a key.
    package let subject: String
    /// Hexadecimal digits of this line's link of the chain.
    package let hash: String
  }
}

/// Result of verifying the audit trail, as `auricle audit verify --json` prints it.
package struct AuditVerdict: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  /// Lines checked.
  package let count: Int
  /// The fault, one sentence naming the first bad line; nil: nothing.
  package let problem: String?

  package var isWhole: Bool { problem == nil }
}

extension AuditReport.Line {
  init(_ entry: AuditEntry) {
    let subject = [
      entry.serial.map { "serial \($0)" },
      entry.clinic.map { "key \(KeyFingerprint(base64URL: $0)?.grouped.prefix(9) ?? "?")" }, entry.detail,
    ]
    self.init(
      sequence: entry.number, unixSeconds: entry.moment.time, channel: entry.actor.channel.rawValue,
      uid: entry.actor.userID, pid: entry.actor.processID, action: entry.action.rawValue,
      subject: subject.compactMap(\.self).joined(separator: ", "),
      hash: entry.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }
}
