import AuditTrail

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
  package func audit(last: Int? = nil) throws(BookError) -> [AuditRow] {
    let rows = try database.rows().suffix(max(0, last ?? .max)).map(\.audit)
    for row in rows { _ = try row.actor() }
    return rows
  }

  /// Puts an event of the daemon into the trail. Refused calls are left out beyond the limits of refused cards.
  ///
  /// - Parameter detail: Without anything about somebody's hearing.
  /// - Throws: ``BookError`` of the disk.
  package func note(_ note: BookChange.Note, _ detail: String, by actor: Actor) throws(BookError) {
    try transact { memory throws(BookError) in
      guard note != .callRefused || memory.refusals.hasRoom(at: now) else { return }
      try append(.noted(note, detail: detail), by: actor, to: &memory)
    }
  }

  /// Takes the length of the trail for right although the note of its head was missing.
  ///
  /// - Throws: ``BookError/nothingToAccept``; those of the disk.
  package func acceptDamage(by actor: Actor) throws(BookError) {
    try perform(by: actor) { state throws(BookError) in try state.acceptingDamage() }
  }

  /// Follows the whole chain, as the disk has it now, and opens each sealed event.
  ///
  /// - Parameter known: A head that was kept elsewhere.
  /// - Throws: ``BookError/auditBroken(row:reason:)`` with the first bad row,
  ///   ``BookError/auditTruncated(found:expected:)``, ``BookError/lengthUnproved``; those of the disk.
  @discardableResult package func verifyAudit(
    against known: AuditHead? = nil
  ) throws(BookError) -> AuditHead {
    let head = try followAudit(against: known)
    for damage in state.damage { try Self.refuse(damage) }
    return head
  }

  /// As ``verifyAudit(against:)``, of what is there now: damage that was noted before does not count.
  @discardableResult func followAudit(against known: AuditHead? = nil) throws(BookError) -> AuditHead {
    let rows = try database.rows()
    let head = try vault.auditChain.verified(rows)
    for row in rows { _ = try vault.event(row) }
    for expected in [memory.head, try HeadNote(from: folder.head, key: key)?.head, known].compactMap(\.self)
    {
      if let damage = AuditDamage(noted: expected, rows) { try Self.refuse(damage) }
    }
    return head
  }

  private static func refuse(_ damage: AuditDamage) throws(BookError) {
    switch damage {
    case .headMissing: throw .lengthUnproved
    case .truncated(let found, let expected): throw .auditTruncated(found: found, expected: expected)
    case .rewritten(let row): throw .auditBroken(row: row, reason: "it is not the row once noted")
    }
  }
}
