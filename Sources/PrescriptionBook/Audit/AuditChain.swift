import Prescriptions

/// The rows as a chain: each hash covers the row, its sealed event and the hash before it, each tag says that
/// the hash was made by who holds the key.
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
        throw broken("what it says does not fit its hash")
      }
      guard vault.isTag(audit.tag, of: audit.hash) else {
        throw broken("its hash was not made by this book")
      }
      head = AuditHead(count: audit.number, hash: audit.hash)
    }
    return head
  }

  /// What the note of the head finds missing. A note that is one row behind is right: the process ended
  /// between the row and its note.
  func difference(_ rows: [BookDatabase.Row], from noted: AuditHead?, isNew: Bool) -> BookNotice.Damage? {
    guard let noted else { return isNew ? nil : .headMissing }
    guard noted.count <= rows.count else { return .truncated(found: rows.count, expected: noted.count) }
    guard noted.count > 0, rows[noted.count - 1].audit.hash != noted.hash else { return nil }
    return .rewritten(row: noted.count)
  }
}
