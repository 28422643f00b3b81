import CommonTesting
import GRDB
import Glibc
import Prescriptions
import Sealing
import Testing

@testable import Book

@Suite("The book's key") struct BookKeyTests {
  let rig = Rig()
  var file: String { SealingKey.standardFile(for: rig.path) }

  func key(credentials: String? = nil) throws -> SealingKey {
    try SealingKey(credentialsFolder: credentials, file: file, bookFolder: rig.path)
  }

  @Test("the first use makes a key file of 32 bytes that only the owner can read")
  func first() throws {
    _ = try PrescriptionBook(at: rig.path, key: try key())
    #expect(Rig.mode(of: file) == 0o600)
    #expect(Rig.bytes(of: file).count == 32)
    // The second use takes the same.
    _ = try PrescriptionBook(at: rig.path, key: try key())
  }

  @Test("a lost key file is its own error, and no new one is made")
  func lost() throws {
    do { _ = try PrescriptionBook(at: rig.path, key: try key()) }
    unlink(file)
    #expect(throws: BookError.sealing(.keyLost(file: file, book: rig.database))) { try key() }
    #expect(access(file, F_OK) != 0)
  }

  @Test("no key is made where the note of a book's length is, or where that cannot be seen")
  func note() throws {
    try PrescriptionBook.makeFiles(in: rig.path)
    #expect(PrescriptionBook.isUnbegun(in: rig.path))
    let head = rig.path + "/book.head"
    Rig.write([1], to: head)
    #expect(throws: BookError.sealing(.keyLost(file: file, book: rig.database))) { try key() }
    // A link to itself: for root, too, nothing below it can be seen.
    let folder = TemporaryFolder()
    #expect(symlink("book", folder.file("book")) == 0)
    #expect(!PrescriptionBook.isUnbegun(in: folder.file("book")))
    #expect(throws: BookError.self) { try BookFile.exists(folder.file("book/book.head")) }
    unlink(head)
    _ = try key()
  }

  @Test("the credential comes first, whoever owns it")
  func credential() throws {
    let folder = TemporaryFolder()
    Rig.write(Array(0..<32), to: folder.path + "/book-key")
    chmod(folder.path + "/book-key", 0o440)
    _ = try key(credentials: folder.path)
    #expect(access(file, F_OK) != 0)
  }

  @Test("a key in the book's own folder is refused")
  func inside() throws {
    let inside = rig.path + "/key"
    #expect(
      throws: BookError.sealing(
        .unsafeFile(
          path: inside, found: "the key in the folder of the book", expected: "another folder for it"))
    ) { try SealingKey(credentialsFolder: nil, file: inside, bookFolder: rig.path) }
  }

  @Test("another book's key is told from a damaged one")
  func wrong() throws {
    do { _ = try rig.book() }
    #expect(throws: BookError.sealing(.wrongKey(path: rig.database))) { try rig.reopened(Rig.otherKey) }
    #expect(PrescriptionBook.lastGood(in: rig.path, key: Rig.otherKey) == nil)
    let queue = try DatabaseQueue(path: rig.database)
    try queue.write {
      try $0.execute(sql: "DROP TRIGGER key_stays; UPDATE key SET wrapped = zeroblob(60)")
    }
    try queue.close()
    #expect(throws: BookError.sealing(.alteredRow(0))) { try rig.reopened() }
  }
}
