import CommonTesting
import Files
import Glibc
import Testing

@testable import Control

@Suite("Atomic file") struct AtomicFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = TemporaryFolder()
    path = folder.file("state.json")
  }

  private func content() throws -> String {
    String(decoding: try FileContent.bytes(of: path, limit: 100), as: UTF8.self)
  }

  private func failure(_ path: String) -> Failure? {
    do throws(Failure) {
      try AtomicFile.write([1], to: path)
      return nil
    } catch {
      return error
    }
  }

  @Test("a file is replaced whole, is for its owner alone, and leaves nothing beside it")
  func replaces() throws {
    try AtomicFile.write([UInt8]("old".utf8), to: path)
    try AtomicFile.write([UInt8]("new".utf8), to: path)
    #expect(try content() == "new")
    #expect(folder.names == ["state.json"])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("until it is committed the old content stands, and without a commit it stays")
  func uncommitted() throws {
    try AtomicFile.write([UInt8]("old".utf8), to: path)
    do {
      let file = try AtomicFile(replacing: path)
      try file.write([UInt8]("half".utf8))
      #expect(try content() == "old")
    }
    #expect(try content() == "old")
    #expect(folder.names == ["state.json"])
  }

  @Test("its mode is the one asked for, whatever the umask")
  func mode() throws {
    // No umask of any user takes the owner's right to read; it may well take the group's.
    try AtomicFile.write([1], to: path, mode: 0o664)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o664)
  }

  @Test("a missing folder, a folder in the file's place, and no name are told apart")
  func failures() throws {
    let deep = folder.file("no/state.json")
    #expect(
      failure(deep)?.message
        == "\(deep): found no folder \(folder.path)/no/, expected an existing folder. Make it first.")
    mkdir(path, 0o700)
    #expect(failure(path)?.message == "\(path): found a folder of that name, expected a file.")
    #expect(failure(path)?.exitStatus == .cannotCreate)
    #expect(folder.names == ["state.json"])
    #expect(
      failure(folder.path + "/")?.message
        == "\(folder.path)/: found no file name, expected the name of a file.")
  }

  @Test("a full disk leaves the old content and nothing half-written")
  func fullDisk() throws {
    try AtomicFile.write([UInt8]("old".utf8), to: path)
    do throws(Failure) {
      // Every write to this device fails with ENOSPC (full(4)).
      let full = AtomicFile(FileDraft(of: path, descriptor: open("/dev/full", O_WRONLY)))
      try full.write([1])
      Issue.record("written")
    } catch {
      #expect(
        error.message == "\(path): found no space left on its disk, expected room for the file. "
          + "Nothing was changed; make room and try again.")
      #expect(error.exitStatus == .inputOutput)
    }
    #expect(try content() == "old")
    #expect(folder.names == ["state.json"])
  }
}
