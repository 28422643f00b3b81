import AuditTrail
import Crypto
import GRDB
import Glibc
import Prescriptions
import Sealing
import Testing

@testable import Book

@Suite("The audit trail") struct AuditTests {
  let rig = Rig()

  func write() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2), by: Rig.person)
    try book.revert(by: Rig.person)
  }

  func sql(_ text: String) throws {
    let queue = try DatabaseQueue(path: rig.database)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { try $0.execute(sql: text) }
  }

  /// What somebody who has the file and no key can do to get at the rows.
  static let freed = """
    PRAGMA foreign_keys = OFF;
    DROP TRIGGER audit_stays; DROP TRIGGER audit_remains; DROP TRIGGER audit_appends;
    DROP TRIGGER event_stays; DROP TRIGGER event_remains; DROP TRIGGER event_appends;
    """

  @Test("each verb leaves one row: who, when, what, serial and clinic")
  func rows() throws {
    try write()
    let book = try rig.reopened()
    let rows = try book.audit()
    #expect(rows.map(\.action) == ["enrolled", "loaded", "loaded", "reverted"])
    #expect(rows.map(\.number) == [1, 2, 3, 4])
    #expect(try rows.allSatisfy { try $0.actor() == Rig.person && $0.moment == Rig.noon.seconds })
    #expect(rows.map(\.serial) == [nil, 1, 2, 2])
    #expect(rows.allSatisfy { $0.clinic == Rig.clinic.identity.fingerprint.base64URL })
    #expect(try book.audit(last: 1).map(\.number) == [4])
    #expect(try book.verifyAudit() == AuditHead(count: 4, hash: rows[3].hash))
  }

  @Test("a refused card is in the trail with its reason; a card that is there already is not")
  func refusals() throws {
    let book = try rig.book()
    try book.load(try Rig.card(2), by: Rig.person)
    _ = try? book.load(try Rig.card(2), by: Rig.person)
    _ = try? book.load(try Rig.card(1), by: Rig.person)
    _ = try? book.load(try Rig.card(3, by: Rig.otherClinic), by: Rig.person)
    let refused = try book.audit().filter { $0.action == "refused" }
    #expect(refused.map(\.detail) == ["serial 1 older than 2", "card: unknown key"])
  }

  @Test("refusals cannot fill the disk: 20 within ten minutes are noted")
  func flood() throws {
    let book = try rig.book()
    for _ in 0..<50 { _ = try? book.load("not a card", by: Rig.person) }
    #expect(try book.audit().count == 21)
    rig.clock.pass(601)
    _ = try? book.load("not a card", by: Rig.person)
    #expect(try book.audit().count == 22)
  }

  @Test("whoever is patient fills it no more: 60 within a day, whatever lies between")
  func slowFlood() throws {
    let book = try rig.book()
    for serial in 1...10 {
      for _ in 0..<20 { _ = try? book.load("not a card", by: Rig.person) }
      try book.load(try Rig.card(serial), by: Rig.person)
      rig.clock.pass(601)
    }
    func refused() throws -> Int { try book.audit().filter { $0.action == "refused" }.count }
    #expect(try refused() == 60)
    rig.clock.pass(86_400)
    _ = try? book.load("not a card", by: Rig.person)
    #expect(try refused() == 61)
  }

  @Test(
    "after a clock that was years ahead was corrected, refusals are noted as before: those of the last day count, no others",
    arguments: [false, true])
  func afterCorrection(isReopened: Bool) throws {
    let ahead = Rig.noon + 1000 * Rig.day
    rig.clock.set(ahead)
    var book: PrescriptionBook? = try rig.book()
    func refuse() { _ = try? book?.load("not a card", by: Rig.person) }
    func refused() throws -> Int? { try book?.audit().count { $0.action == "refused" } }
    for _ in 0..<20 { refuse() }
    rig.clock.set(Rig.noon)
    try book?.correctClock(by: Rig.person)
    if isReopened {
      book = nil
      book = try rig.reopened()
    }
    // Twenty within ten minutes are noted, whatever the clock was called.
    refuse()
    #expect(try refused() == 20)
    rig.clock.pass(601)
    refuse()
    #expect(try refused() == 21)
  }

  @Test(
    "the first row that was altered is named",
    arguments: [
      ("UPDATE audit SET user_id = 0 WHERE number = 3", 3),
      ("UPDATE audit SET moment = moment - 60 WHERE number = 2", 2),
      ("UPDATE audit SET serial = NULL WHERE number = 2", 2),
      ("UPDATE audit SET action = 'used' WHERE number = 4", 4),
      ("UPDATE audit SET detail = 'entry 9' WHERE number = 3", 3),
      ("UPDATE audit SET hash = zeroblob(32) WHERE number = 1", 1),
      ("UPDATE audit SET tag = zeroblob(32) WHERE number = 2", 2),
      ("UPDATE event SET sealed = zeroblob(100) WHERE number = 3", 3),
      ("DELETE FROM audit WHERE number = 2; DELETE FROM event WHERE number = 2", 2),
      ("DELETE FROM audit WHERE number = 1; DELETE FROM event WHERE number = 1", 1),
    ])
  func altered(statement: String, row: Int) throws {
    try write()
    try sql(Self.freed + statement)
    #expect {
      _ = try rig.reopened()
    } throws: { error in
      guard case .auditBroken(row, _) = error as? BookError else { return false }
      return true
    }
  }

  @Test("hashes rebuilt without the key are found by their tags")
  func rebuilt() throws {
    try write()
    // An outsider who knows how hashes are made and changes the last row.
    let queue = try DatabaseQueue(path: rig.database)
    try queue.writeWithoutTransaction { try $0.execute(sql: Self.freed) }
    try queue.close()
    let database = try BookDatabase(rig.database)
    let bookID = try #require(try database.wrappedKey()).bookID
    let rows = try database.rows()
    database.close()
    let last = rows[3].audit
    let chain = AuditChain("auricle.audit.1", vault: Vault("auricle", bookID: bookID, dataKey: []))
    let forged = AuditRow(
      number: 4, moment: last.moment, channel: last.channel, userID: 0, processID: last.processID,
      action: last.action, serial: last.serial, clinic: last.clinic, detail: last.detail)
    let hash = chain.hash(of: forged.fields(rows[3].sealed), after: rows[2].audit.hash)
    let hex = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try sql("UPDATE audit SET user_id = 0, hash = x'\(hex)' WHERE number = 4")
    #expect(throws: BookError.auditBroken(row: 4, reason: "its hash was not made by this book")) {
      try rig.reopened()
    }
  }

  @Test("rows cut off the end are missed, and the person hears by what is left")
  func truncated() throws {
    try write()
    try sql(Self.freed + "DELETE FROM audit WHERE number = 4; DELETE FROM event WHERE number = 4")
    let book = try rig.reopened()
    #expect(book.notices == [.damage(.truncated(found: 3, expected: 4))])
    #expect(throws: BookError.auditTruncated(found: 3, expected: 4)) { try book.verifyAudit() }
    #expect(book.state.inForce?.number == 2)
    #expect(try book.audit().last?.detail == "truncated 3 4")
  }

  @Test("the loss of rows is said for ever, not only once")
  func truncatedForEver() throws {
    try write()
    try sql(Self.freed + "DELETE FROM audit WHERE number = 4; DELETE FROM event WHERE number = 4")
    do { _ = try rig.reopened() }
    let book = try rig.reopened()
    #expect(book.notices == [.damage(.truncated(found: 3, expected: 4))])
    #expect(throws: BookError.auditTruncated(found: 3, expected: 4)) { try book.verifyAudit() }
  }

  @Test("a missing note of the head is said, not passed over")
  func headless() throws {
    try write()
    unlink(rig.path + "/book.head")
    do {
      let book = try rig.reopened()
      #expect(book.notices == [.damage(.headMissing)])
      #expect(try book.audit().last?.action == "found")
    }
  }

  @Test(
    "a book put back without its note, or with a bad one, is said at every opening until that is accepted",
    arguments: [true, false])
  func putBackHeadless(isMissing: Bool) throws {
    try write()
    let before = Rig.bytes(of: rig.database)
    do { try rig.reopened().revoke(Rig.clinic.identity.fingerprint, by: Rig.person) }
    Rig.write(before, to: rig.database)
    if isMissing {
      unlink(rig.path + "/book.head")
    } else {
      var head = Rig.bytes(of: rig.path + "/book.head")
      head[head.count / 2] ^= 1
      Rig.write(head, to: rig.path + "/book.head")
    }
    for _ in 0..<3 {
      let book = try rig.reopened()
      #expect(book.notices == [.damage(.headMissing)])
      #expect(throws: BookError.lengthUnproved) { try book.verifyAudit() }
    }
    do {
      let book = try rig.reopened()
      try book.acceptDamage(by: Rig.person)
      #expect(throws: BookError.nothingToAccept) { try book.acceptDamage(by: Rig.person) }
    }
    let book = try rig.reopened()
    #expect(book.notices.isEmpty)
    try book.verifyAudit()
    #expect(try book.audit().map(\.action).suffix(2) == ["found", "damage-accepted"])
  }

  @Test("a book whose first note cannot be written has no first row either, and looks like no lost one")
  func beginningWithoutNote() throws {
    let head = rig.path + "/book.head"
    // A folder, which no file can replace (rename(2), EISDIR).
    #expect(mkdir(rig.path, 0o700) == 0 && mkdir(head, 0o700) == 0)
    do {
      let book = try rig.reopened()
      #expect(throws: BookError.self) { try book.enrol(Rig.clinic.identity, by: Rig.person) }
      #expect(book.count == 0 && book.state.clinics.isEmpty)
    }
    rmdir(head)
    do { try rig.reopened().enrol(Rig.clinic.identity, by: Rig.person) }
    let book = try rig.reopened()
    #expect(book.notices.isEmpty && book.count == 1)
    try book.verifyAudit()
  }

  @Test("a head kept elsewhere finds a folder that was put back as it once was")
  func putBack() throws {
    try write()
    let before = (Rig.bytes(of: rig.database), Rig.bytes(of: rig.path + "/book.head"))
    let head: AuditHead
    do {
      let book = try rig.reopened()
      try book.load(try Rig.card(3), by: Rig.person)
      head = try book.verifyAudit()
    }
    Rig.write(before.0, to: rig.database)
    Rig.write(before.1, to: rig.path + "/book.head")
    let book = try rig.reopened()
    #expect(try book.verifyAudit().count == 4)
    #expect(throws: BookError.auditTruncated(found: 4, expected: 5)) { try book.verifyAudit(against: head) }
  }

  @Test("a hash is SHA-256 over the fields with their lengths, as documented")
  func canonical() throws {
    try write()
    let database = try BookDatabase(rig.database)
    defer { database.close() }
    let bookID = try #require(try database.wrappedKey()).bookID
    let row = try #require(try database.rows().first)
    func number(_ value: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) } }
    func field(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }
    func field(_ text: String) -> [UInt8] { field(Array(text.utf8)) }
    let absent = [UInt8](repeating: 0xFF, count: 8)
    var bytes = field("auricle.audit.1") + field([UInt8](repeating: 0, count: 32)) + field(bookID)
    bytes += field(number(1)) + field(number(Rig.noon.seconds)) + field("socket") + field(number(1000))
    bytes += field(number(42)) + field("enrolled") + absent
    bytes += field(Rig.clinic.identity.fingerprint.base64URL) + absent
    bytes += field(Array(SHA256.hash(data: row.sealed)))
    #expect(row.audit.hash == Array(SHA256.hash(data: bytes)))
  }
}
