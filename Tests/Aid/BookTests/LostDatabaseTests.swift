import CommonTesting
import GRDB
import Glibc
import Prescriptions
import Testing

@testable import Book

/// The database is gone and the note of the head is not.
@Suite("A book that lost its database") struct LostDatabaseTests {
  let rig = Rig()

  /// Ways in which all rows are lost.
  enum Loss: CaseIterable {
    case missing, noBytes, noTables, noRows
  }

  @Test(
    "is not begun anew: that is said, nothing is written, the last good card is known",
    arguments: Loss.allCases)
  func refused(loss: Loss) throws {
    do { try rig.book().load(try Rig.card(1), by: Rig.person) }
    unlink(rig.database)
    switch loss {
    case .missing: break
    case .noBytes: Rig.write([], to: rig.database)
    case .noTables:
      let queue = try DatabaseQueue(path: rig.database)
      try queue.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE t (c); DROP TABLE t") }
      try queue.close()
      chmod(rig.database, 0o600)
    case .noRows:
      Rig.write([], to: rig.database)
      try BookDatabase(rig.database).close()
    }
    let files = TemporaryFolder.names(in: rig.path)
    let before = (Rig.bytes(of: rig.database), Rig.bytes(of: rig.path + "/book.head"))
    for _ in 0..<2 {
      #expect(throws: BookError.auditTruncated(found: 0, expected: 2)) { try rig.reopened() }
    }
    #expect(Rig.bytes(of: rig.database) == before.0)
    #expect(Rig.bytes(of: rig.path + "/book.head") == before.1)
    #expect(TemporaryFolder.names(in: rig.path) == files)
    let good = PrescriptionBook.lastGood(in: rig.path, key: Rig.key)
    #expect(good?.card.content == (try Rig.prescription(1)))
  }

  @Test("can be restored from a backup, and what was left is kept aside")
  func restored() throws {
    let backup = rig.folder.path + "/book.backup"
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      try book.backup(to: backup, passphrase: "correct horse battery", by: Rig.person)
    }
    Rig.write([], to: rig.database)
    let found = try PrescriptionBook.restore(
      from: backup, passphrase: "correct horse battery", into: rig.path, key: Rig.key, by: Rig.person,
      clock: rig.clock.clock)
    #expect(found.keptAside != nil)
    #expect(try rig.reopened().state.inForce?.number == 1)
  }

  @Test("a folder without rows whose note says that there were none is a new book")
  func neverBegun() throws {
    do { _ = try rig.reopened() }
    unlink(rig.database)
    #expect(try rig.book().state.clinics.count == 1)
  }

  /// The database and its log as they are now, in a folder of their own: as a process leaves them that is killed.
  private func killed() -> String {
    let folder = rig.folder.file("killed")
    mkdir(folder, 0o700)
    for name in ["book.sqlite", "book.sqlite-wal"] {
      Rig.write(Rig.bytes(of: rig.path + "/" + name), to: folder + "/" + name)
    }
    return folder
  }

  @Test("a book that was begun and has no row hides nothing, with its tables in the log too")
  func withoutRows() throws {
    try PrescriptionBook.makeFiles(in: rig.path)
    #expect(PrescriptionBook.isWithoutRows(in: rig.path))
    let tables = try BookDatabase(rig.database)
    let killed = self.killed()
    tables.close()
    #expect(!Rig.bytes(of: killed + "/book.sqlite-wal").isEmpty)
    for folder in [rig.path, killed] { #expect(PrescriptionBook.isWithoutRows(in: folder), "\(folder)") }
    // Others could have taken it out.
    chmod(killed, 0o755)
    #expect(!PrescriptionBook.isWithoutRows(in: killed))
    do {
      let open = try rig.reopened()
      #expect(!PrescriptionBook.isWithoutRows(in: rig.path))
      withExtendedLifetime(open) {}
    }
    // The note of its head, and its key.
    #expect(!PrescriptionBook.isWithoutRows(in: rig.path))
    #expect(unlink(rig.path + "/book.head") == 0)
    #expect(!PrescriptionBook.isWithoutRows(in: rig.path))
  }

  @Test(
    "the rows of a book are found without the note of its head, in the log too, and a damaged one is not called empty"
  )
  func rowsWithoutNote() throws {
    let killed: String
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      killed = self.killed()
      withExtendedLifetime(book) {}
    }
    #expect(unlink(rig.path + "/book.head") == 0)
    for folder in [rig.path, killed] { #expect(!PrescriptionBook.isWithoutRows(in: folder), "\(folder)") }
    // The list of tables, behind the header of 100 bytes.
    Rig.write([UInt8](repeating: 0, count: 3996), to: rig.database, at: 100)
    #expect(!PrescriptionBook.isWithoutRows(in: rig.path))
  }

  @Test(
    "a note of the book's length that the disk does not give is not called missing; one that is missing, or damaged, is nil"
  )
  func unreadNote() throws {
    // The kernel gives no byte of a process's memory at address 0: EIO, and the file is the owner's alone.
    let memory = "/proc/self/mem"
    #expect {
      try HeadNote(from: memory, key: Rig.key)
    } throws: { error in
      guard case .sealing(.inputOutput(memory, _)) = error as? BookError else { return false }
      return true
    }
    // Nor can one be found in a folder whose name is too long, 256 bytes (NAME_MAX is 255).
    #expect(throws: BookError.self) {
      try HeadNote(from: "/tmp/\(String(repeating: "a", count: 256))/book.head", key: Rig.key)
    }
    let note = rig.folder.file("note")
    #expect(try HeadNote(from: note, key: Rig.key) == nil)
    for bytes in [[], [UInt8](repeating: 7, count: 100), [UInt8](repeating: 7, count: 1 << 17)] {
      Rig.write(bytes, to: note)
      #expect(try HeadNote(from: note, key: Rig.key) == nil)
    }
    #expect(unlink(note) == 0 && symlink("/proc/self/mem", note) == 0)
    #expect(try HeadNote(from: note, key: Rig.key) == nil)
  }

  @Test("damage names the command that restores")
  func messages() {
    let errors: [BookError] = [
      .corrupt(path: "/b", detail: "d"), .notABook(path: "/b"), .auditTruncated(found: 0, expected: 2),
    ]
    for error in errors { #expect("\(error)".contains("auricle book restore"), "\(error)") }
  }
}
