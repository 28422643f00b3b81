import AuditTrail
import CommonTesting
import Crypto
import CryptoExtras
import FoundationEssentials
import Glibc
import Prescriptions
import Sealing
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

  @Test("a trial that has ended since the backup is noted as ended before the restoration is")
  func endedTrial() throws {
    let head: AuditHead
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      try book.load(try Rig.card(2, trialEnds: Rig.noon + 1200), by: Rig.person)
      head = try book.backup(to: file, passphrase: passphrase, by: Rig.person)
    }
    rig.clock.pass(1200)
    #expect(try restore(rig.path).head == head)
    let book = try rig.reopened()
    #expect(try book.audit().map(\.action).suffix(3) == ["backed-up", "time-passed", "restored"])
    #expect(book.state.inForce?.number == 1)
    #expect(try book.verifyAudit(against: head).count == head.count + 2)
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

  @Test("nothing is written beside a backup: its name may be as long as names are")
  func longName() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    let name = String(repeating: "k", count: 255)
    mkdir(rig.folder.file("backups"), 0o700)
    try book.backup(to: rig.folder.file("backups/" + name), passphrase: passphrase, by: Rig.person)
    #expect(TemporaryFolder.names(in: rig.folder.file("backups")) == [name])
    _ = try PrescriptionBook.restore(
      from: rig.folder.file("backups/" + name), passphrase: passphrase, into: rig.folder.file("elsewhere"),
      key: Rig.key, by: Rig.person, clock: rig.clock.clock)
    let restored = try PrescriptionBook(
      at: rig.folder.file("elsewhere"), key: Rig.key, clock: rig.clock.clock)
    #expect(restored.state.entries.map(\.prescription.serial) == [1])
  }

  @Test("a backup on a disk that can only be read is restored", .enabled(if: SmallDisk.isPossible))
  func readOnlyDisk() throws {
    let disk = try #require(SmallDisk(size: "4m"))
    let path = disk.path + "/kept.book"
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
      try book.backup(to: path, passphrase: passphrase, by: Rig.person)
    }
    let isReadOnly = disk.makeReadOnly()
    try #require(isReadOnly)
    _ = try PrescriptionBook.restore(
      from: path, passphrase: passphrase, into: rig.folder.file("elsewhere"), key: Rig.key,
      by: Rig.person, clock: rig.clock.clock)
    #expect(disk.names == ["kept.book"])
    #expect(TemporaryFolder.names(in: rig.folder.path) == ["book", "elsewhere"])
  }

  @Test("a backup that is named by a link is restored")
  func linked() throws {
    let head = try write()
    let link = rig.folder.file("link")
    #expect(symlink(file, link) == 0)
    let restored = try PrescriptionBook.restore(
      from: link, passphrase: passphrase, into: rig.folder.file("elsewhere"), key: Rig.otherKey,
      by: Rig.person, clock: rig.clock.clock)
    #expect(restored.head == head)
  }

  @Test(
    "a passphrase with a byte order mark before it restores what was sealed with the mark, and without it",
    arguments: ["\u{FEFF}", ""])
  func byteOrderMark(mark: String) throws {
    do {
      let book = try rig.book()
      try book.backup(to: file, passphrase: mark + passphrase, by: Rig.person)
    }
    let restored = try restore(
      rig.folder.file("elsewhere"), Rig.otherKey, passphrase: "\u{FEFF}" + passphrase)
    // Enrolled, and backed up.
    #expect(restored.head.count == 2)
  }

  @Test("files of a book that was not begun are not kept aside; whatever lies beside them is")
  func unbegun() throws {
    _ = try write()
    let folder = rig.folder.file("one/book")
    try PrescriptionBook.makeFiles(in: folder)
    #expect(try restore(folder).keptAside == nil)
    #expect(TemporaryFolder.names(in: rig.folder.file("one")) == ["book"])
    // A log that has lost its database.
    let other = rig.folder.file("other/book")
    try PrescriptionBook.makeFiles(in: other)
    rig.folder.write([1], to: "other/book/book.sqlite-wal")
    #expect(try restore(other).keptAside == other + ".before-restore-1")
    #expect(rig.folder.bytes(of: "other/book.before-restore-1/book.sqlite-wal") == [1])
  }

  @Test("files of a book that was not begun are taken back behind its key; a book that was begun stays")
  func takenBack() throws {
    let folder = rig.folder.file("one/book")
    try PrescriptionBook.makeFiles(in: folder)
    var found: [String]?
    PrescriptionBook.takeBackFiles(in: folder) { found = TemporaryFolder.names(in: folder) }
    #expect(found == ["book.lock", "book.sqlite"])
    #expect(TemporaryFolder.names(in: rig.folder.file("one")).isEmpty)
    found = nil
    try PrescriptionBook.makeFiles(in: rig.path)
    do {
      let open = try rig.reopened()
      PrescriptionBook.takeBackFiles(in: rig.path) { found = [] }
      withExtendedLifetime(open) {}
    }
    PrescriptionBook.takeBackFiles(in: rig.path) { found = [] }
    #expect(found == nil)
    #expect(try rig.reopened().count == 0)
  }

  @Test("a wrong passphrase or a flipped bit changes nothing", arguments: [3, 20, 40, 5000])
  func altered(offset: Int) throws {
    _ = try write()
    #expect(throws: BookError.sealing(.backupDoesNotOpen(path: file))) {
      try restore(rig.path, passphrase: "correct horse batterx")
    }
    var bytes = Rig.bytes(of: file)
    bytes[offset] ^= 1
    Rig.write(bytes, to: file)
    let expected: BookError =
      offset < 16 ? .sealing(.notABackup(path: file)) : .sealing(.backupDoesNotOpen(path: file))
    #expect(throws: expected) { try restore(rig.path) }
    #expect(try rig.reopened().state.entries.count == 2)
    #expect(TemporaryFolder.names(in: rig.folder.path) == ["book", "book.backup"])
  }

  @Test("a backup that was cut off or never was one is refused", arguments: [0, 10, 300])
  func cut(size: Int) throws {
    _ = try write()
    Rig.write(Array(Rig.bytes(of: file).prefix(size)), to: file)
    #expect(throws: BookError.sealing(.notABackup(path: file))) { try restore(rig.path) }
  }

  @Test("a file that is larger than any backup is refused by its size, and nothing is changed")
  func tooLarge() throws {
    _ = try write()
    let size = BackupFile.greatestSize + 1
    #expect(truncate(file, size) == 0)
    #expect(
      throws: BookError.sealing(.tooLarge(path: file, found: size, most: BackupFile.greatestSize))
    ) { try restore(rig.path) }
    #expect(try rig.reopened().state.entries.count == 2)
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
    #expect(throws: BookError.sealing(.fileExists(path: file))) {
      try book.backup(to: file, passphrase: passphrase, by: Rig.person)
    }
    #expect(throws: BookError.sealing(.passphraseTooShort(least: 8))) {
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
        guard case .sealing(.unsafeFile(let shown, _, _)) = error as? BookError else { return false }
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

  @Test("a backup of the first form, the book alone, is restored and leaves other files as they are")
  func formerForm() throws {
    do { try rig.book().load(try Rig.card(1), by: Rig.person) }
    // Closed, the database is one file.
    let kept = try Vault.wrappedKey(of: rig.database)
    let content = kept + Rig.bytes(of: rig.database)
    let salt = [UInt8](repeating: 7, count: 16)
    let header = Array("auricle.backup.1".utf8) + salt
    let key: SymmetricKey = try KDF.Scrypt.deriveKey(
      from: Array(passphrase.utf8), salt: salt, outputByteCount: 32, rounds: 1 << 15, blockSize: 8,
      parallelism: 3)
    let box = try AES.GCM.seal(content, using: key, authenticating: header)
    Rig.write(header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag), to: file)
    let elsewhere = rig.folder.file("elsewhere/book")
    _ = try PrescriptionBook.restore(
      from: file, passphrase: passphrase, into: elsewhere, key: Rig.otherKey, by: Rig.person,
      clock: rig.clock.clock
    ) { _ in
      Issue.record("it has no files")
      return []
    }
    let book = try PrescriptionBook(at: elsewhere, key: Rig.otherKey, clock: rig.clock.clock)
    #expect(book.state.entries.map(\.prescription.serial) == [1])
  }

  @Test(
    "a backup that fails after its row was written has a row that says so, and the next one is as good as ever"
  )
  func notWritten() throws {
    let book = try rig.book()
    // Nobody makes files there.
    #expect(throws: BookError.self) {
      try book.backup(to: "/proc/auricle.backup", passphrase: passphrase, by: Rig.person)
    }
    let rows = try book.audit()
    #expect(rows.map(\.action) == ["enrolled", "backed-up", "refused"])
    #expect(rows.last?.detail == "backup not written" && rows.last?.channel == "socket")
    try book.backup(to: file, passphrase: passphrase, by: Rig.person)
    #expect(try book.audit().last?.action == "backed-up")
    try book.verifyAudit()
  }

  @Test("a disk without room for it leaves no backup", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(SmallDisk(size: "16k"))
    let book = try rig.book()
    let path = disk.path + "/book.backup"
    #expect(throws: BookError.sealing(.diskFull(path: path))) {
      try book.backup(to: path, passphrase: passphrase, by: Rig.person)
    }
    #expect(TemporaryFolder.names(in: disk.path).isEmpty)
  }
}

extension Vault {
  /// The data key of a closed book.
  fileprivate static func wrappedKey(of path: String) throws -> [UInt8] {
    let database = try BookDatabase(path)
    defer { database.close() }
    guard let kept = try database.wrappedKey() else { return [] }
    return try Vault("auricle", kept, key: Rig.key, path: path).rawKey
  }
}
