/// The audit trail.
///
/// Each row's hash covers the row before it and the sealed event; its tag can only be made with the book's
/// key. So whoever can write the file but has no key cannot change, insert, exchange or remove a row
/// unseen, and rows cut off the end are missed by the sealed note of the head beside the database. What it
/// cannot show: somebody who puts the whole folder back as it once was, and somebody who has the key.
/// Against both, keep the ``AuditHead`` of a day elsewhere, on a sheet for instance:
/// ``verifyAudit(against:)``.
extension PrescriptionBook {
  /// Rows of the trail, oldest first.
  ///
  /// - Parameter last: Only so many of the latest; nil: all.
  /// - Throws: ``BookError`` of the disk.
  package func audit(last: Int? = nil) throws(BookError) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    for row in try database.rows().suffix(max(0, last ?? .max)) {
      guard let entry = row.audit.entry else {
        throw .unreadableRow(row.audit.number, reason: "its audit row has a word that is not known.")
      }
      entries.append(entry)
    }
    return entries
  }

  /// Follows the whole chain, as the disk has it now, and opens each sealed event.
  ///
  /// - Parameter known: A head that was kept elsewhere.
  /// - Throws: ``BookError/auditBroken(row:reason:)`` with the first bad row,
  ///   ``BookError/auditTruncated(found:expected:)``; those of the disk.
  @discardableResult package func verifyAudit(
    against known: AuditHead? = nil
  ) throws(BookError) -> AuditHead {
    let chain = AuditChain(bookID: vault.bookID, vault: vault)
    let rows = try database.rows()
    let head = try chain.verified(rows)
    for damage in memory.state.damage { try Self.refuse(damage) }
    for row in rows { _ = try vault.open(row.sealed, row: row.audit.number) }
    for expected in [memory.head, HeadNote(from: folder.head, key: key)?.head, known].compactMap(\.self) {
      if let damage = chain.difference(rows, from: expected, isNew: false) { try Self.refuse(damage) }
    }
    return head
  }

  private static func refuse(_ damage: BookNotice.Damage) throws(BookError) {
    switch damage {
    case .headMissing: break
    case .truncated(let found, let expected): throw .auditTruncated(found: found, expected: expected)
    case .rewritten(let row): throw .auditBroken(row: row, reason: "it is not the row once noted")
    }
  }
}
