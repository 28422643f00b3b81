import Prescriptions

/// The rows as a chain: each hash covers the row, its sealed event and the hash before it; each tag proves
/// that the holder of the key made the hash.
struct AuditChain {
  let bookID: [UInt8]
  let vault: Vault

  /// Follows the chain from the first row to the last.
  ///
  /// - Throws: ``BookError/auditBroken(row:reason:)`` with the first bad row.
  func verified(_ rows: [BookDatabase.Row]) throws(BookError) -> AuditHead {
    var head = AuditHead.empty
    for row in rows {
      let audit = row.audit
      func broken(_ reason: String) -> BookError { .auditBroken(row: head.count + 1, reason: reason) }
      guard audit.number == head.count + 1 else { throw broken("it is missing") }
      guard audit.chained(after: head.hash, sealed: row.sealed, bookID: bookID) == audit.hash else {
        throw broken("its content does not fit its hash")
      }
      guard vault.isTag(audit.tag, of: audit.hash) else {
        throw broken("its hash was not made by this book")
      }
      head = AuditHead(count: audit.number, hash: audit.hash)
    }
    return head
  }

  /// Damage that the note of the head shows. A note that is one row behind is right: the process ended
  /// between the row and its note.
  func difference(_ rows: [BookDatabase.Row], from noted: AuditHead?, isNew: Bool) -> BookNotice.Damage? {
    guard let noted else { return isNew ? nil : .headMissing }
    guard noted.count <= rows.count else { return .truncated(found: rows.count, expected: noted.count) }
    guard noted.count > 0, rows[noted.count - 1].audit.hash != noted.hash else { return nil }
    return .rewritten(row: noted.count)
  }
}

/// One row of the audit trail: actor, action, time. No name of a person, no threshold.
package struct AuditEntry: Sendable, Hashable {
  /// Number of its event.
  package let number: Int
  package let moment: Instant
  package let actor: Actor
  package let action: AuditAction
  /// Serial of the prescription that was acted on.
  package let serial: Int?
  /// Fingerprint of the clinic's key that was acted on.
  package let clinic: String?
  /// A number or a word more: an entry, an end, a reason.
  package let detail: String?
  /// SHA-256 over the hash of the row before (32 zero bytes before the first) and this row.
  package let hash: [UInt8]
}

/// The end of an audit trail. A copy of it kept elsewhere shows later whether rows were cut off or
/// rewritten.
package struct AuditHead: Sendable, Hashable {
  /// Rows.
  package let count: Int
  /// Hash of the last row; 32 zero bytes when there is none.
  package let hash: [UInt8]

  package static let empty = AuditHead(count: 0, hash: [UInt8](repeating: 0, count: 32))
}
