import Base
import CommonTesting
import Glibc
import Testing

@testable import AuricleCommands

/// A name that is taken is found before a card is signed, which uses up a serial.
@Suite("Names that are taken") struct OverwriteOptionTests {
  private let folder = TemporaryFolder()

  init() {
    folder.write("old", to: "file")
    symlink("file", folder.file("link"))
    symlink("nothing", folder.file("loose"))
    mkfifo(folder.file("pipe"), 0o600)
  }

  @Test(
    "a file, a link to one and a link that leads nowhere are refused without --overwrite",
    arguments: ["file", "link", "loose"])
  func taken(name: String) throws {
    let option = try OverwriteOption.parse([])
    let failure = try #require(throws: Failure.self) { try option.check(folder.file(name)) }
    #expect(failure.exitStatus == .cannotCreate && failure.message.contains("exists already"))
    try OverwriteOption.parse(["--overwrite"]).check(folder.file(name))
  }

  @Test("a name that nothing has, and a pipe, are written to", arguments: ["free", "pipe"])
  func free(name: String) throws {
    try OverwriteOption.parse([]).check(folder.file(name))
  }
}
