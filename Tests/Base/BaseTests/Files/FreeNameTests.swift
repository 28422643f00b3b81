import CommonTesting
import Glibc
import Testing

@testable import Base

/// Every way alone, and all of them where the first ones are unknown, as on FAT, exFAT and NFS.
@Suite("Free names") struct FreeNameTests {
  /// As link(2) on FAT.
  private static func unknown(_ hidden: String, _ path: String) -> Int32 { EPERM }
  private static var all: [[FreeName.Way]] {
    [
      [FreeName.renaming], [FreeName.linking], [FreeName.claiming],
      // NFS knows links, FAT renaming alone, and some file systems in user space neither.
      [{ _, _ in EINVAL }, FreeName.linking, FreeName.claiming],
      [FreeName.renaming, Self.unknown, Self.unknown],
      [{ _, _ in ENOSYS }, Self.unknown, FreeName.claiming],
    ]
  }

  private let folder = TemporaryFolder()
  private var path: String { folder.file("card.png") }
  private var hidden: String { folder.file(".card.png.a1b2c3") }

  private func take(_ ways: [FreeName.Way]) throws(SystemError) {
    folder.write("new", to: ".card.png.a1b2c3")
    defer { unlink(hidden) }
    try FreeName.take(path, for: hidden, by: ways)
  }

  @Test("a name that is free is taken, with all of the content", arguments: 0..<6)
  func free(index: Int) throws {
    try take(Self.all[index])
    #expect(folder.names == ["card.png"])
    #expect(folder.bytes(of: "card.png") == [UInt8]("new".utf8))
  }

  @Test(
    "a name that a file, a link that leads nowhere or a folder has stays with it, and is told",
    arguments: 0..<6)
  func taken(index: Int) {
    folder.write("old", to: "card.png")
    #expect(throws: SystemError(code: EEXIST)) { try take(Self.all[index]) }
    #expect(folder.bytes(of: "card.png") == [UInt8]("old".utf8))
    unlink(path)
    #expect(symlink("nothing", path) == 0)
    #expect(throws: SystemError(code: EEXIST)) { try take(Self.all[index]) }
    unlink(path)
    #expect(mkdir(path, 0o700) == 0)
    #expect(throws: SystemError(code: EEXIST)) { try take(Self.all[index]) }
    #expect(folder.names == ["card.png"])
  }

  @Test("where no way is known the last one's error is told, and no name is taken")
  func noWay() {
    #expect(throws: SystemError(code: EPERM)) { try take([Self.unknown, Self.unknown, Self.unknown]) }
    #expect(folder.names == [])
  }

  @Test("an error that another way would have too ends it")
  func error() {
    #expect(throws: SystemError(code: ENOSPC)) {
      try take([{ _, _ in ENOSPC }, FreeName.linking, FreeName.claiming])
    }
    #expect(folder.names == [])
  }

  @Test("a claim whose renaming fails leaves no empty file")
  func claim() {
    #expect(throws: SystemError(code: ENOENT)) {
      try FreeName.take(path, for: folder.file("none"), by: [FreeName.claiming])
    }
    #expect(folder.names == [])
  }
}
