import Control
import PrescriptionBook
import Prescriptions

extension AuditReport {
  /// The newest `count` lines.
  ///
  /// - Throws: ``BookError`` of the disk.
  init(_ book: PrescriptionBook, count: Int) throws(BookError) {
    let entries = try book.audit()
    self.init(total: entries.count, lines: entries.suffix(count).map(Line.init))
  }
}

extension AuditReport.Line {
  init(_ entry: AuditEntry) {
    let subject = [
      entry.serial.map { "serial \($0)" },
      entry.clinic.map { "key \(KeyFingerprint(base64URL: $0)?.grouped.prefix(9) ?? "?")" }, entry.detail,
    ]
    self.init(
      sequence: entry.number, moment: entry.moment.time, channel: entry.actor.channel.rawValue,
      userID: entry.actor.userID, processID: entry.actor.processID, action: entry.action.rawValue,
      subject: subject.compactMap(\.self).joined(separator: ", "),
      hash: entry.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }
}

extension AuditVerdict {
  /// - Throws: ``BookError`` of the disk; a broken trail is an answer.
  init(_ book: PrescriptionBook) throws(BookError) {
    do throws(BookError) {
      self.init(count: try book.verifyAudit().count, problem: nil)
    } catch {
      switch error {
      case .auditBroken, .auditTruncated, .alteredRow, .unreadableRow, .corrupt:
        self.init(count: book.events.count, problem: "\(error)")
      default: throw error
      }
    }
  }
}
