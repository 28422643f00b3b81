import AuditTrail
import Base
import CommonTesting
import Glibc
import Prescriptions
import Sealing
import Testing

@testable import Book

/// FormerBook was written by Auricle 0.1.0 at d0368bdc, while keys, vault and chain were still the book's own code: `trust add`,
/// three times `rx scan`, `rx revert`, `book backup` with the passphrase below. The head is that of its own `audit verify`, and by
/// Python's `hashlib` over the rows as they lie in the database.
@Suite("A book of an earlier version") struct FormerBookTests {
  static let files = FilePath.folder(of: #filePath) + "/FormerBook/"
  static let passphrase = "four words are enough"
  static let head = "6:440bcc0217989a0d921dcf756f63c4b5efe97c57c69897ae13aff73e67341b56"
  /// A minute after its last row.
  static let moment = Instant(seconds: 1_795_758_747)
  static let key = try? SealingKey(bytes: Rig.bytes(of: files + "book.key"))

  let rig = Rig()
  let clock = ScriptedClock(moment)
  var folder: String { rig.path }

  func book(at folder: String, _ key: SealingKey) throws -> PrescriptionBook {
    try PrescriptionBook(at: folder, key: key, clock: clock.clock)
  }

  func laid() throws -> SealingKey {
    #expect(mkdir(folder, 0o700) == 0)
    for name in ["book.sqlite", "book.head"] {
      Rig.write(Rig.bytes(of: Self.files + name), to: folder + "/" + name)
    }
    return try #require(Self.key)
  }

  @Test("opens with its rows, hashes and choices, and goes on")
  func opens() throws {
    let key = try laid()
    do {
      let book = try book(at: folder, key)
      #expect(book.notices.isEmpty)
      #expect(try book.verifyAudit().text == Self.head)
      #expect(
        try book.audit().map(\.action) == [
          "enrolled", "loaded", "loaded", "loaded", "reverted", "backed-up",
        ])
      #expect(book.state.entries.map(\.prescription.serial) == [1, 2, 3])
      #expect(book.state.inForce?.number == 1)
      #expect(book.state.boundPatient?.familyName == "Example")
      try book.use(entry: 2, by: Rig.person)
    }
    let book = try book(at: folder, key)
    #expect(try book.verifyAudit(against: AuditHead(text: Self.head)).count == 7)
    #expect(book.state.inForce?.number == 2)
  }

  @Test("its note of the head tells what was in force when the database is lost")
  func note() throws {
    let key = try laid()
    let good = try #require(PrescriptionBook.lastGood(in: folder, key: key))
    #expect(good.card.content.serial == 1)
    unlink(folder + "/book.sqlite")
    #expect(throws: BookError.auditTruncated(found: 0, expected: 6)) { try book(at: folder, key) }
  }

  @Test("its backup is restored under another machine's key")
  func backup() throws {
    let file = rig.folder.file("kept.book")
    Rig.write(Rig.bytes(of: Self.files + "kept.book"), to: file)
    func restore(_ passphrase: String) throws -> RestoredBook {
      try PrescriptionBook.restore(
        from: file, passphrase: passphrase, into: folder, key: Rig.otherKey, by: Rig.person,
        clock: clock.clock)
    }
    #expect(throws: BookError.sealing(.backupDoesNotOpen(path: file))) {
      try restore("four words are enougi")
    }
    #expect(try restore(Self.passphrase).head.text == Self.head)
    let book = try book(at: folder, Rig.otherKey)
    #expect(try book.verifyAudit(against: AuditHead(text: Self.head)).count == 7)
    #expect(book.state.entries.map(\.prescription.serial) == [1, 2, 3])
  }
}
