import CommonTesting
import GRDB
import Glibc
import Testing

@testable import Book

@Suite("Form of a book") struct BookFormTests {
  let rig = Rig()

  private func write() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
  }

  /// Changes the list of steps as another version would have left it.
  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: rig.database)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test("there is none; then it is this version's, and looking changes not a byte and leaves no file")
  func current() throws {
    #expect(BookForm(ofBookIn: rig.path) == .absent)
    try write()
    let (names, bytes) = (TemporaryFolder.names(in: rig.path), Rig.bytes(of: rig.database))
    #expect(BookForm(ofBookIn: rig.path) == .current)
    #expect(TemporaryFolder.names(in: rig.path) == names)
    #expect(Rig.bytes(of: rig.database) == bytes)
  }

  @Test(
    "a step that this version does not know makes it a later one's, a step that is missing an earlier one's"
  )
  func otherVersions() throws {
    try write()
    try change("INSERT INTO grdb_migrations VALUES ('2: what is to come')")
    #expect(BookForm(ofBookIn: rig.path) == .newer)
    try change("DELETE FROM grdb_migrations")
    #expect(BookForm(ofBookIn: rig.path) == .older)
  }

  @Test("a file that is no book, and one that is cut off, say so")
  func damaged() throws {
    try write()
    let whole = Rig.bytes(of: rig.database)
    Rig.write([UInt8]("a letter".utf8) + [UInt8](repeating: 0, count: 4096), to: rig.database)
    guard case .unreadable = BookForm(ofBookIn: rig.path) else {
      Issue.record("found \(BookForm(ofBookIn: rig.path))")
      return
    }
    Rig.write(Array(whole.prefix(600)), to: rig.database)
    guard case .unreadable = BookForm(ofBookIn: rig.path) else {
      Issue.record("found \(BookForm(ofBookIn: rig.path))")
      return
    }
  }

  @Test("while somebody has it open nothing is said of it")
  func open() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    #expect(BookForm(ofBookIn: rig.path) == .inUse)
    withExtendedLifetime(book) {}
  }

  @Test("a book that took a card is told from one that only trusts a clinic, and neither is guessed at")
  func cards() throws {
    #expect(BookForm.hasCards(inBookIn: rig.path) == false)
    do { _ = try rig.book() }
    #expect(BookForm.hasCards(inBookIn: rig.path) == false)
    do {
      let book = try rig.reopened()
      try book.load(try Rig.card(1), by: Rig.person)
      // The last changes wait beside the file.
      #expect(BookForm.hasCards(inBookIn: rig.path) == nil)
      withExtendedLifetime(book) {}
    }
    #expect(BookForm.hasCards(inBookIn: rig.path) == true)
    Rig.write([UInt8]("a letter".utf8) + [UInt8](repeating: 0, count: 4096), to: rig.database)
    #expect(BookForm.hasCards(inBookIn: rig.path) == nil)
  }

  @Test("signs that mean something in a URI are signs of the path")
  func signs() throws {
    let folder = TemporaryFolder()
    let path = folder.file("50%20 #1?") + "é"
    #expect(mkdir(path, 0o700) == 0)
    do {
      let book = try PrescriptionBook(at: path, key: Rig.key, clock: rig.clock.clock)
      try book.enrol(Rig.clinic.identity, by: Rig.person)
    }
    #expect(BookForm(ofBookIn: path) == .current)
  }
}
