import CommonTesting
import Glibc
import Testing

@testable import Base

@Suite("Files written whole") struct WholeFileTests {
  private let folder = TemporaryFolder()
  private let old = Array("something older and longer".utf8)
  private let new = Array("new".utf8)

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  @Test("a file is replaced whole, has the mode asked for whatever the umask, and leaves nothing beside it")
  func replaces() throws {
    let path = folder.file("state.json")
    try WholeFile.write(old, to: path, mode: 0o600)
    try WholeFile.write(new, to: path, mode: 0o664)
    #expect(folder.bytes(of: "state.json") == new)
    #expect(folder.names == ["state.json"])
    #expect(try mode(path) == 0o664)
  }

  @Test("a file that must not be replaced stays")
  func exists() throws {
    let path = folder.file("backup")
    try WholeFile.write(old, to: path, mode: 0o600)
    #expect(throws: SystemError(code: EEXIST)) {
      try WholeFile.write(new, to: path, mode: 0o600, replacing: false)
    }
    #expect(folder.bytes(of: "backup") == old)
  }

  @Test("an output has the mode that the user's umask leaves, and replaces an older one")
  func output() throws {
    let path = folder.file("page.png")
    try WholeFile.output(old, to: path, mode: 0o666)
    try WholeFile.output(new, to: path, mode: 0o666)
    #expect(folder.bytes(of: "page.png") == new)
    let reference = open(folder.file("reference"), O_CREAT | O_WRONLY, 0o666)
    #expect(reference >= 0)
    close(reference)
    #expect(try mode(path) == mode(folder.file("reference")))
    #expect(folder.names == ["page.png", "reference"])
  }

  @Test(
    "a link stays a link where a person named it, and what it points to is replaced; elsewhere it is replaced"
  )
  func link() throws {
    try WholeFile.write(old, to: folder.file("real.png"), mode: 0o600)
    #expect(symlink("real.png", folder.file("link.png")) == 0)
    try WholeFile.output(new, to: folder.file("link.png"), mode: 0o666)
    #expect(folder.bytes(of: "real.png") == new)
    try WholeFile.write(old, to: folder.file("link.png"), mode: 0o600)
    #expect(folder.bytes(of: "real.png") == new)
    #expect(folder.bytes(of: "link.png") == old)
  }

  @Test("what stands in the way is told by the system's code")
  func wrongKind() throws {
    try WholeFile.output(new, to: folder.file("plain"), mode: 0o666)
    for (name, code) in [("missing/page.png", ENOENT), ("plain/page.png", ENOTDIR), ("new/", EISDIR)] {
      #expect(throws: SystemError(code: code)) {
        try WholeFile.output(new, to: folder.file(name), mode: 0o666)
      }
    }
    #expect(throws: SystemError(code: EISDIR)) { try WholeFile.output(new, to: folder.path, mode: 0o666) }
    #expect(folder.names == ["plain"])
  }

  @Test("a device that is full is a full disk")
  func fullDevice() {
    // Every write to this device fails with ENOSPC (full(4)).
    #expect(throws: SystemError(code: ENOSPC)) { try WholeFile.output(new, to: "/dev/full", mode: 0o666) }
  }

  @Test("short and interrupted writes are taken up where they stopped, and a failure is the first one's")
  func shortWrites() throws {
    var taken: [UInt8] = []
    var calls = 0
    try FileDraft.put(new) { bytes, count in
      calls += 1
      guard calls % 2 == 0, let bytes else {
        errno = EINTR
        return -1
      }
      taken.append(bytes.load(as: UInt8.self))
      return 1
    }
    #expect(taken == new && calls == 6)
    for code in [ENOSPC, EDQUOT, EIO] {
      #expect(throws: SystemError(code: code)) {
        try FileDraft.put(new) { _, count in
          guard count == 3 else {
            errno = code
            return -1
          }
          return 1
        }
      }
    }
    #expect(throws: SystemError(code: EIO)) { try FileDraft.put(new) { _, _ in 0 } }
  }
}
