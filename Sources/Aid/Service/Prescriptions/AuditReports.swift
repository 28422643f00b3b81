import Book
import Control
import Glibc
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

/// A fingerprint as a person types or reads it: in groups, in either case, with spaces, hyphens or colons.
package struct FingerprintText: Sendable, Hashable {
  /// Hexadecimal digits in capitals, nothing else.
  package let digits: String

  package init(_ text: String) { digits = text.uppercased().filter { !" -:\t\n".contains($0) } }

  package init(_ fingerprint: KeyFingerprint) { self.init(fingerprint.grouped) }

  /// Whether this is the beginning of `fingerprint`, four digits at least.
  package func begins(_ fingerprint: KeyFingerprint) -> Bool {
    digits.count >= 4 && FingerprintText(fingerprint).digits.hasPrefix(digits)
  }
}
