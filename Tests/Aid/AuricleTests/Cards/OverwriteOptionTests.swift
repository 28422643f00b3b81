import AudioIO
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

  /// A later part of a work that fails.
  private struct Fault: Error {}

  @Test("of work that fails later what it has newly made is removed, and what was there stays")
  func failing() throws {
    let option = try OverwriteOption.parse(["--overwrite"])
    let names = ["file", "loose", "new", "never"]
    #expect(throws: Fault.self) {
      try option.removing(names.map { folder.file($0) }) { made in
        folder.write("half", to: "new")
        made(folder.file("new"))
        folder.write("replaced", to: "file")
        made(folder.file("file"))
        throw Fault()
      }
    }
    #expect(folder.names == ["file", "link", "loose", "pipe"])
    try option.removing([folder.file("new")]) { made in
      folder.write("whole", to: "new")
      made(folder.file("new"))
    }
    #expect(folder.names == ["file", "link", "loose", "new", "pipe"])
  }

  @Test("what another program has put under a name before or after the work's own file stays")
  func othersFiles() throws {
    let option = try OverwriteOption.parse([])
    #expect(throws: Fault.self) {
      try option.removing([folder.file("early"), folder.file("late")]) { made in
        folder.write("theirs", to: "early")
        folder.write("ours", to: "late")
        made(folder.file("late"))
        folder.write("theirs", to: "draft")
        #expect(rename(folder.file("draft"), folder.file("late")) == 0)
        throw Fault()
      }
    }
    for name in ["early", "late"] { #expect(folder.bytes(of: name) == [UInt8]("theirs".utf8)) }
  }

  @Test("a sound whose name was taken meanwhile is refused as any output is")
  func takenSound() {
    let failure = RenderingFailures.sound(.unwritable(path: "out.wav", errno: EEXIST))
    #expect(failure.exitStatus == .cannotCreate && failure.message.contains("--overwrite"))
  }

  @Test("a name that nothing has, and a pipe, are written to", arguments: ["free", "pipe"])
  func free(name: String) throws {
    try OverwriteOption.parse([]).check(folder.file(name))
  }
}
