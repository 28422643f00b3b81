import CommonTesting
import GRDB
import Glibc
import Prescriptions
import Testing

@testable import Book

/// What happens to the files.
@Suite("The book on the disk") struct BookStorageTests {
  let rig = Rig()

  func write() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.load(try Rig.card(2, .music), by: Rig.person)
  }

  /// Runs SQL as somebody with the sqlite3 program would.
  func sql(_ text: String) throws {
    let queue = try DatabaseQueue(path: rig.database)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { try $0.execute(sql: text) }
  }

  @Test("folder and files are the owner's alone")
  func modes() throws {
    let book = try rig.book()
    #expect(Rig.mode(of: rig.path) == 0o700)
    for file in TemporaryFolder.names(in: rig.path) {
      #expect(Rig.mode(of: rig.path + "/" + file) == 0o600, "\(file)")
    }
    try book.verifyAudit()
  }

  @Test("of databases that were closed a few stay, however often books are opened")
  func closed() throws {
    try write()
    for _ in 0..<3 * BookDatabase.mostClosed {
      try BookDatabase(rig.database).close()
      #expect(BookDatabase.closed.withLock { $0.count } <= BookDatabase.mostClosed)
    }
  }

  @Test("what a killed process left of a note is removed")
  func leftovers() throws {
    try write()
    Rig.write([1], to: rig.path + "/.book.head.a1B2c3")
    do { _ = try rig.reopened() }
    #expect(TemporaryFolder.names(in: rig.path) == ["book.head", "book.lock", "book.sqlite"])
  }

  @Test(
    "what is no file where SQLite opens one beside the database is named, and waited for by nobody",
    arguments: ["-journal", "-wal"])
  func noFile(suffix: String) throws {
    try write()
    let path = rig.database + suffix
    // Whoever opens a named pipe for reading waits for one who writes.
    #expect(mkfifo(path, 0o600) == 0)
    #expect(
      throws: BookError.sealing(
        .unsafeFile(
          path: path, found: "something that is not a file",
          expected: "a file of the database's own, or nothing: move it away"))
    ) { try rig.reopened() }
    let good = PrescriptionBook.lastGood(in: rig.path, key: Rig.key)
    #expect(good?.card.content == (try Rig.prescription(2, .music)))
    #expect(unlink(path) == 0)
    #expect(try rig.reopened().state.entries.count == 2)
  }

  @Test("a folder that others may read is refused")
  func openFolder() throws {
    mkdir(rig.path, 0o755)
    #expect(
      throws: BookError.sealing(
        .unsafeFile(
          path: rig.path, found: "that others may use it (mode 755)", expected: "mode 700"))
    ) { try rig.reopened() }
  }

  @Test(
    "rows can neither be changed nor deleted nor replaced nor inserted out of order",
    arguments: [
      "UPDATE event SET sealed = x'00'", "DELETE FROM event", "UPDATE audit SET moment = 0",
      "DELETE FROM audit", "UPDATE key SET proof = x'00'", "DELETE FROM key",
      "INSERT OR REPLACE INTO event VALUES (1, x'00')", "REPLACE INTO key VALUES (1, x'', x'', x'')",
      "INSERT INTO event VALUES (99, x'00')",
    ])
  func appendOnly(statement: String) throws {
    try write()
    #expect { try sql(statement) } throws: { error in
      (error as? DatabaseError)?.extendedResultCode == .SQLITE_CONSTRAINT_TRIGGER
    }
    #expect(try rig.reopened().verifyAudit().count == 3)
  }

  @Test("nothing that a card says can be read in the files")
  func sealing() throws {
    try write()
    let jws = try CardText(reading: try Rig.card(1)).jws
    for file in TemporaryFolder.names(in: rig.path) {
      let text = String(decoding: Rig.bytes(of: rig.path + "/" + file), as: Unicode.ASCII.self)
      for secret in ["Ada", "Example", "Ohr", String(jws.prefix(60))] {
        #expect(!text.contains(secret), "\(file): \(secret)")
      }
    }
  }

  @Test("two rows exchanged by somebody who took the triggers off are found")
  func exchange() throws {
    try write()
    try sql(
      """
      DROP TRIGGER event_stays;
      CREATE TEMP TABLE kept AS SELECT * FROM event;
      UPDATE event SET sealed = (SELECT sealed FROM kept WHERE kept.number = 5 - event.number)
      WHERE number IN (2, 3);
      """)
    #expect(throws: BookError.auditBroken(row: 2, reason: "its content does not fit its hash")) {
      try rig.reopened()
    }
  }

  @Test("a damaged page is named, the file stays as it is, and the last good card is known")
  func damage() throws {
    try write()
    let size = Rig.bytes(of: rig.database).count
    Rig.write([UInt8](repeating: 0xA5, count: size - 4096), to: rig.database, at: 4096)
    let before = Rig.bytes(of: rig.database)
    do {
      _ = try rig.reopened()
      Issue.record("it opened")
    } catch let error as BookError {
      guard case .corrupt(rig.database, _) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(Rig.bytes(of: rig.database) == before)
    let good = PrescriptionBook.lastGood(in: rig.path, key: Rig.key)
    #expect(good?.card.content == (try Rig.prescription(2, .music)))
    #expect(good?.noted == Rig.noon)
  }

  @Test("any page damaged anywhere is either found or harmless", arguments: 0..<20)
  func damageAnywhere(seed: Int) throws {
    try write()
    let pages = Rig.bytes(of: rig.database).count / 4096
    // Spread over all pages and over the page.
    let offset = seed * pages / 20 * 4096 + (seed * 1297) % 4000
    Rig.write([UInt8](repeating: 0x5A, count: 96), to: rig.database, at: offset)
    do {
      let book = try rig.reopened()
      #expect(book.state.inForce?.prescription == (try Rig.prescription(2, .music)))
    } catch { #expect(error is BookError) }
    #expect(PrescriptionBook.lastGood(in: rig.path, key: Rig.key) != nil)
  }

  @Test("a file that is not a book is left as it is")
  func notABook() throws {
    mkdir(rig.path, 0o700)
    Rig.write(
      Array("This is a letter to my clinic, not a database at all.".utf8)
        + Array(repeating: 10, count: 900), to: rig.database)
    let before = Rig.bytes(of: rig.database)
    #expect(throws: BookError.notABook(path: rig.database)) { try rig.reopened() }
    #expect(Rig.bytes(of: rig.database) == before)
    unlink(rig.database)
    let other = try DatabaseQueue(path: rig.database)
    try other.write { try $0.execute(sql: "CREATE TABLE letter (text)") }
    try other.close()
    chmod(rig.database, 0o600)
    #expect(throws: BookError.notABook(path: rig.database)) { try rig.reopened() }
  }

  @Test("a book whose making was broken off before its first table is begun again")
  func halfMade() throws {
    mkdir(rig.path, 0o700)
    let queue = try DatabaseQueue(path: rig.database)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("broken off") { _ in throw CancellationError() }
    #expect(throws: CancellationError.self) { try migrator.migrate(queue) }
    try queue.close()
    chmod(rig.database, 0o600)
    #expect(try rig.book().state.clinics.count == 1)
  }

  @Test("a book of a later version is left to that version")
  func later() throws {
    try write()
    try sql("INSERT INTO grdb_migrations VALUES ('2: something later')")
    #expect(throws: BookError.newerBook(path: rig.database)) { try rig.reopened() }
  }

  @Test("a second opening names the process that has the book")
  func locked() throws {
    let book = try rig.book()
    #expect(throws: BookError.lockedBy(process: getpid(), path: rig.path + "/book.lock")) {
      try rig.reopened()
    }
    try book.verifyAudit()
  }

  @Test("a full disk refuses the card, and what was in force stays", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try #require(SmallDisk(size: "256k"))
    let rig = Rig(in: disk.path)
    var loaded = 0
    do {
      let book = try rig.book()
      do {
        while loaded < 500 {
          try book.load(try Rig.card(loaded + 1), by: Rig.person)
          loaded += 1
        }
        Issue.record("the disk never filled")
      } catch let error as BookError {
        guard case .sealing(.diskFull(rig.database)) = error else {
          Issue.record("\(error)")
          return
        }
      }
      #expect(loaded > 3)
      #expect(book.state.inForce?.prescription.serial == loaded)
      // Asked again, it refuses again, and time still passes.
      #expect(throws: BookError.self) { try book.load(try Rig.card(loaded + 2), by: Rig.person) }
      rig.clock.pass(60)
      #expect(book.state.moment == Rig.noon + 60)
    }
    let book = try rig.reopened()
    #expect(book.state.entries.count == loaded)
    try book.verifyAudit()
  }

  @Test(
    "a disk that became read-only is named, and what was in force stays", .enabled(if: SmallDisk.isPossible)
  )
  func readOnlyDisk() throws {
    let disk = try #require(SmallDisk(size: "2m"))
    let rig = Rig(in: disk.path)
    do {
      let book = try rig.book()
      try book.load(try Rig.card(1), by: Rig.person)
    }
    #expect(disk.makeReadOnly())
    do {
      _ = try rig.reopened()
      Issue.record("it opened")
    } catch let error as BookError {
      guard case .sealing(.readOnly) = error else {
        Issue.record("\(error)")
        return
      }
    }
    let good = PrescriptionBook.lastGood(in: rig.path, key: Rig.key)
    #expect(good?.card.content == (try Rig.prescription(1)))
  }

  @Test("a book of 100 prescriptions has them all when it is opened again")
  func size() throws {
    let rig = Rig(in: Rig.memory)
    do {
      let book = try rig.book()
      for serial in 1...100 { try book.load(try Rig.card(serial), by: Rig.person) }
    }
    // A device meets a few dozen in its life.
    #expect(try rig.reopened().state.entries.map(\.number) == Array(1...100))
  }
}
