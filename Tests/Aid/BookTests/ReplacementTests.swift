import CommonTesting
import FoundationEssentials
import Glibc
import Testing

@testable import Book

@Suite("Files put in each other's places") struct ReplacementTests {
  @Test("a draft that cannot be looked at does not count as put in its place: nothing is moved")
  func unseenDraft() throws {
    let folder = TemporaryFolder()
    folder.write("old", to: "a")
    folder.write("new", to: ".b.restore")
    folder.write("old", to: "b")
    // A link to itself: for root, too, nothing below it can be seen.
    #expect(symlink("loop", folder.file("loop")) == 0)
    var replacement = Replacement()
    replacement.add(folder.file(".b.restore"), in: folder.file("b"), keeping: folder.file("b.before"))
    replacement.add(folder.file("loop/draft"), in: folder.file("a"), keeping: folder.file("a.before"))
    #expect(throws: BookError.self) { try replacement.carryOut(notedAt: folder.file("book.restoring")) }
    #expect(folder.bytes(of: "a") == Array("old".utf8))
    #expect(folder.bytes(of: "b") == Array("old".utf8))
    #expect(TemporaryFolder.names(in: folder.path) == ["a", "b", "loop"])
  }

  @Test("a restoration that gets no turn leaves no draft, and what another one has begun as it is")
  func noTurn() throws {
    let folder = TemporaryFolder()
    folder.write("old", to: "a")
    var replacement = Replacement()
    _ = try replacement.add([.init(path: folder.file("a"), bytes: Array("new".utf8))])
    // Another restoration has moved the same file aside, and not put its own in place yet.
    let aside = try #require(replacement.moves.first).aside
    #expect(rename(folder.file("a"), aside) == 0)
    // A folder in which nobody can take turns: it is a file.
    folder.write("", to: "folder")
    #expect(throws: BookError.self) {
      try replacement.carryOut(notedAt: folder.file("folder/book.restoring"))
    }
    #expect(TemporaryFolder.names(in: folder.path) == ["a.before-restore-1", "folder"])
  }

  @Test(
    "a restoration that was ended after any of its steps is finished by whoever opens the book next",
    arguments: 0...4)
  func killed(steps: Int) throws {
    let folder = TemporaryFolder()
    for name in ["a", "b"] {
      folder.write("new \(name)", to: ".\(name).restore")
      folder.write("old \(name)", to: name)
    }
    var replacement = Replacement()
    for name in ["a", "b"] {
      replacement.add(
        folder.file(".\(name).restore"), in: folder.file(name), keeping: folder.file("\(name).before"))
    }
    folder.write(
      try String(decoding: JSONEncoder().encode(replacement), as: UTF8.self), to: "book.restoring")
    // As far as the process came: each place is emptied, then filled.
    let renames = ["a", "b"].flatMap { [($0, "\($0).before"), (".\($0).restore", $0)] }
    for (from, to) in renames.prefix(steps) { #expect(rename(folder.file(from), folder.file(to)) == 0) }
    chmod(folder.file("book.restoring"), 0o600)
    try PrescriptionBook.finishRestoration(of: folder.file("book"))
    for name in ["a", "b"] {
      #expect(folder.bytes(of: name) == Array("new \(name)".utf8))
      #expect(folder.bytes(of: "\(name).before") == Array("old \(name)".utf8))
    }
    #expect(TemporaryFolder.names(in: folder.path) == ["a", "a.before", "b", "b.before"])
  }
}
