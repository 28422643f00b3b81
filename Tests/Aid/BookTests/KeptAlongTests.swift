import CommonTesting
import Sealing
import Testing

@testable import Book

@Suite("Files in a book's backup") struct KeptAlongTests {
  private let rig = Rig()
  private let passphrase = "correct horse battery"
  private var file: String { rig.folder.file("book.backup") }

  private var parts: [BackupFile.Part] {
    [BackupFile.Part(name: "programs.json", bytes: [1, 2]), BackupFile.Part(name: "empty", bytes: [])]
  }

  private func withParts() throws {
    let book = try rig.book()
    try book.load(try Rig.card(1), by: Rig.person)
    try book.backup(to: file, passphrase: passphrase, with: parts, by: Rig.person)
  }

  private func restoreWithParts(_ files: [Replacement.File]) throws -> RestoredBook {
    try PrescriptionBook.restore(
      from: file, passphrase: passphrase, into: rig.path, key: Rig.key, by: Rig.person,
      clock: rig.clock.clock
    ) { found in
      #expect(found == parts)
      return files
    }
  }

  @Test(
    "files that are kept along come back with the book; what was there is kept, and what is as it was stays"
  )
  func profile() throws {
    try withParts()
    rig.folder.write("new", to: "programs.json")
    rig.folder.write("other", to: "feedback.json")
    rig.folder.write("same", to: "same.json")
    let restored = try restoreWithParts([
      .init(path: rig.folder.file("programs.json"), bytes: [1, 2]),
      .init(path: rig.folder.file("feedback.json"), bytes: nil),
      .init(path: rig.folder.file("same.json"), bytes: Array("same".utf8)),
      .init(path: rig.folder.file("below/ada.json"), bytes: [3]),
    ])
    #expect(
      restored.othersKeptAside == [
        rig.folder.file("programs.json.before-restore-1"),
        rig.folder.file("feedback.json.before-restore-1"),
      ])
    #expect(
      rig.folder.bytes(of: "programs.json") == [1, 2] && rig.folder.bytes(of: "below/ada.json") == [3])
    #expect(
      TemporaryFolder.names(in: rig.folder.path) == [
        "below", "book", "book.backup", "book.before-restore-1", "feedback.json.before-restore-1",
        "programs.json", "programs.json.before-restore-1", "same.json",
      ])
  }

  @Test("where one file cannot take its place nothing does")
  func notHalf() throws {
    try withParts()
    do { try rig.reopened().load(try Rig.card(5), by: Rig.person) }
    rig.folder.write("new", to: "programs.json")
    // A file where a folder would have to be.
    #expect(throws: BookError.self) {
      try restoreWithParts([
        .init(path: rig.folder.file("programs.json"), bytes: [1, 2]),
        .init(path: rig.folder.file("programs.json/below/ada.json"), bytes: [3]),
      ])
    }
    #expect(rig.folder.bytes(of: "programs.json") == Array("new".utf8))
    #expect(try rig.reopened().state.entries.map(\.prescription.serial) == [1, 5])
    #expect(TemporaryFolder.names(in: rig.folder.path) == ["book", "book.backup", "programs.json"])
  }
}
