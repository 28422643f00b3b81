import CommonTesting
import Foundation
import Glibc
import Testing

@testable import Drawing

@Suite("Atomic file") struct AtomicFileTests {
  let bytes = Array("new".utf8)

  @Test("a new file appears alone, with the mode of the user's umask")
  func creates() throws {
    let folder = TemporaryFolder()
    try AtomicFile(path: folder.file("page.png")).replace(with: bytes)
    #expect(folder.names == ["page.png"])
    #expect(folder.bytes(of: "page.png") == bytes)
    let reference = open(folder.file("reference"), O_CREAT | O_WRONLY, 0o666)
    #expect(reference >= 0)
    close(reference)
    #expect(try mode(folder.file("page.png")) == mode(folder.file("reference")))
  }

  @Test("a private file is its owner's alone, also where it replaces an open one")
  func privacy() throws {
    let folder = TemporaryFolder()
    try AtomicFile(path: folder.file("page.png")).replace(with: bytes)
    try Picture(width: 10, height: 10, title: "").write(to: folder.file("page.png"), isPrivate: true)
    #expect(try mode(folder.file("page.png")) & 0o777 == 0o600)
  }

  @Test("an older file is replaced")
  func replaces() throws {
    let folder = TemporaryFolder()
    try Data("something older and longer".utf8).write(to: URL(fileURLWithPath: folder.file("page.png")))
    try AtomicFile(path: folder.file("page.png")).replace(with: bytes)
    #expect(folder.names == ["page.png"])
    #expect(folder.bytes(of: "page.png") == bytes)
  }

  @Test("a link stays a link, and what it points to is replaced")
  func link() throws {
    let folder = TemporaryFolder()
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.file("real.png")))
    #expect(symlink("real.png", folder.file("link.png")) == 0)
    try AtomicFile(path: folder.file("link.png")).replace(with: bytes)
    #expect(folder.bytes(of: "real.png") == bytes)
    #expect(folder.names == ["link.png", "real.png"])
  }

  @Test("a folder that does not exist is reported by the system's code")
  func noFolder() throws {
    let folder = TemporaryFolder()
    let path = folder.file("missing/page.png")
    #expect(throws: PictureError.cannotWrite(path: path, code: ENOENT)) {
      try AtomicFile(path: path).replace(with: bytes)
    }
    #expect(folder.names == [])
  }

  @Test("a file in place of a folder, and a folder in place of a file, are reported")
  func wrongKind() throws {
    let folder = TemporaryFolder()
    try AtomicFile(path: folder.file("plain")).replace(with: bytes)
    let below = folder.file("plain/page.png")
    #expect(throws: PictureError.cannotWrite(path: below, code: ENOTDIR)) {
      try AtomicFile(path: below).replace(with: bytes)
    }
    #expect(throws: PictureError.cannotWrite(path: folder.path, code: EISDIR)) {
      try AtomicFile(path: folder.path).replace(with: bytes)
    }
    #expect(throws: PictureError.cannotWrite(path: folder.file("new/"), code: EISDIR)) {
      try AtomicFile(path: folder.file("new/")).replace(with: bytes)
    }
    #expect(folder.names == ["plain"])
  }

  @Test("a device that is full is a full disk")
  func fullDevice() {
    // Linux's /dev/full answers every write with ENOSPC.
    #expect(throws: PictureError.diskFull(path: "/dev/full")) {
      try AtomicFile(path: "/dev/full").replace(with: bytes)
    }
  }

  @Test(
    "a write that fails half way leaves the older file as it was and nothing beside it",
    arguments: [ENOSPC, EDQUOT, EIO])
  func failsHalfWay(code: Int32) throws {
    let folder = TemporaryFolder()
    let path = folder.file("page.png")
    try AtomicFile(path: path).replace(with: Array("old".utf8))
    var file = AtomicFile(path: path)
    // The first byte is taken, the second is not.
    file.write = { descriptor, data, count in
      guard count == 3 else {
        errno = code
        return -1
      }
      return write(descriptor, data, 1)
    }
    let error: PictureError = code == EIO ? .cannotWrite(path: path, code: EIO) : .diskFull(path: path)
    #expect(throws: error) { try file.replace(with: bytes) }
    #expect(folder.names == ["page.png"])
    #expect(folder.bytes(of: "page.png") == Array("old".utf8))
  }

  @Test("short and interrupted writes are taken up where they stopped")
  func shortWrites() throws {
    let folder = TemporaryFolder()
    var file = AtomicFile(path: folder.file("page.png"))
    var calls = 0
    file.write = { descriptor, data, _ in
      calls += 1
      guard calls % 2 == 0 else {
        errno = EINTR
        return -1
      }
      return write(descriptor, data, 1)
    }
    try file.replace(with: bytes)
    #expect(folder.bytes(of: "page.png") == bytes)
    #expect(calls == 6)
  }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode
  }
}
