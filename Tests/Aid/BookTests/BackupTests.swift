import CommonTesting
import Glibc
import Prescriptions
import Testing

@testable import Book

@Suite("Backup and restore") struct BackupTests {
  let rig = Rig()
  let passphrase = "correct horse battery"
  var file: String { rig.folder.path + "/book.backup" }

  func write() throws -> AuditHead {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, .music), by: Rig.person)
    return try book.backup(to: file, passphrase: passphrase, by: Rig.person)
  }

  func restore(
    _ folder: String, _ key: SealingKey = Rig.key, passphrase: String? = nil
  ) throws -> RestoredBook {
    try PrescriptionBook.restore(
      from: file, passphrase: passphrase ?? self.passphrase, into: folder, key: key, by: Rig.person,
      clock: rig.clock.clock)
  }

  @Test("a backup restored on another machine, under its own key, is the same book")
  func otherMachine() throws {
    let head = try write()
    #expect(Rig.mode(of: file) == 0o600)
    let elsewhere = rig.folder.path + "/elsewhere/book"
    let key = Rig.otherKey
    let restored = try restore(elsewhere, key)
    #expect(restored == RestoredBook(head: head, keptAside: nil))
    let book = try PrescriptionBook(at: elsewhere, key: key, clock: rig.clock.clock)
    let original = try rig.reopened()
    #expect(book.state == original.state)
    #expect(book.notices.isEmpty)
    #expect(try book.verifyAudit(against: head).count == head.count + 1)
    #expect(try book.audit().map(\.action).suffix(2) == ["backed-up", "restored"])
    // It goes on as a book does.
    try book.load(try Rig.card(3), by: Rig.person)
  }

  @Test("a book in the place is kept aside whole")
  func aside() throws {
    _ = try write()
    do { try rig.reopened().load(try Rig.card(5), by: Rig.person) }
    let restored = try restore(rig.path)
    let kept = try #require(restored.keptAside)
    #expect(try rig.reopened().state.entries.map(\.prescription.serial) == [1, 2])
    let former = try PrescriptionBook(at: kept, key: Rig.key, clock: rig.clock.clock)
    #expect(former.state.entries.map(\.prescription.serial) == [1, 2, 5])
    #expect(
      TemporaryFolder.names(in: rig.folder.path) == ["book", "book.backup", "book.before-restore-1"])
  }

  @Test("a wrong passphrase or a flipped bit changes nothing", arguments: [3, 20, 40, 5000])
  func altered(offset: Int) throws {
    _ = try write()
    #expect(throws: BookError.backupDoesNotOpen(path: file)) {
      try restore(rig.path, passphrase: "correct horse batterx")
    }
    var bytes = Rig.bytes(of: file)
    bytes[offset] ^= 1
    Rig.write(bytes, to: file)
    let expected: BookError = offset < 16 ? .notABackup(path: file) : .backupDoesNotOpen(path: file)
    #expect(throws: expected) { try restore(rig.path) }
    #expect(try rig.reopened().state.entries.count == 2)
    #expect(TemporaryFolder.names(in: rig.folder.path) == ["book", "book.backup"])
  }

  @Test("a backup that was cut off or never was one is refused", arguments: [0, 10, 300])
  func cut(size: Int) throws {
    _ = try write()
    Rig.write(Array(Rig.bytes(of: file).prefix(size)), to: file)
    #expect(throws: BookError.notABackup(path: file)) { try restore(rig.path) }
  }

  @Test("an open book is not replaced")
  func open() throws {
    _ = try write()
    let book = try rig.reopened()
    #expect(throws: BookError.lockedBy(process: getpid(), path: rig.path + "/book.lock")) {
      try restore(rig.path)
    }
    #expect(book.state.entries.count == 2)
  }

  @Test("an existing file is not overwritten, and a short passphrase is refused")
  func refused() throws {
    _ = try write()
    let book = try rig.reopened()
    #expect(throws: BookError.fileExists(path: file)) {
      try book.backup(to: file, passphrase: passphrase, by: Rig.person)
    }
    #expect(throws: BookError.passphraseTooShort(least: 8)) {
      try book.backup(to: file + "2", passphrase: "1234567", by: Rig.person)
    }
  }

  @Test("a place that is relative, has control characters or is in the book's folder is refused, unnoted")
  func place() throws {
    let book = try rig.book()
    symlink(rig.path, rig.folder.path + "/link")
    let inside = [
      rig.path + "/copy", rig.path + "//copy", rig.folder.path + "/./book/copy",
      rig.folder.path + "/link/copy",
      rig.path + "/../book/copy",
    ]
    let others = [
      "copy", "", "./copy", "../copy", file + "\n", file + "\u{1B}[2J", file + "\u{9B}x", file + "\0",
    ]
    for path in inside + others {
      #expect("\(path.debugDescription)") {
        try book.backup(to: path, passphrase: passphrase, by: Rig.person)
      } throws: { error in
        guard case .unsafeFile(let shown, _, _) = error as? BookError else { return false }
        return !shown.unicodeScalars.contains { $0.properties.generalCategory == .control }
      }
    }
    #expect(throws: BookError.self) {
      try book.backup(to: rig.folder.path + "/none/copy", passphrase: passphrase, by: Rig.person)
    }
    #expect(try book.audit().map(\.action) == ["enrolled"])
    // A neighbour whose name begins as the book's does is another folder.
    mkdir(rig.path + "2", 0o700)
    try book.backup(to: rig.path + "2/copy", passphrase: passphrase, by: Rig.person)
  }

  @Test("a disk without room for it leaves no backup", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(SmallDisk(size: "16k"))
    let book = try rig.book()
    let path = disk.path + "/book.backup"
    #expect(throws: BookError.diskFull(path: path)) {
      try book.backup(to: path, passphrase: passphrase, by: Rig.person)
    }
    #expect(TemporaryFolder.names(in: disk.path).isEmpty)
  }
}
