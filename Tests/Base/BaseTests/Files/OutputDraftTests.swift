import CommonTesting
import Glibc
import Testing

@testable import Base

@Suite("Output drafts") struct OutputDraftTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("pipe") }

  private func write(_ bytes: [UInt8]) throws(SystemError) {
    try OutputDraft(bytes, to: path, mode: 0o600).publish()
  }

  // open(2): without a reader a pipe that is opened for writing and must not wait gives ENXIO.
  @Test("a pipe that nobody reads is refused at once, and stays a pipe")
  func pipeWithoutReader() {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: SystemError(code: ENXIO)) { try write([1]) }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(folder.names == ["pipe"])
  }

  @Test("a pipe that somebody reads gets the bytes when they are published, not before")
  func pipe() throws {
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    var buffer = [UInt8](repeating: 0, count: 16)
    do {
      let draft = try OutputDraft([1, 2, 3], to: path, mode: 0o600)
      #expect(read(reader, &buffer, 16) <= 0)
      try draft.publish()
    }
    #expect(read(reader, &buffer, 16) == 3 && buffer.prefix(3) == [1, 2, 3])
  }

  @Test("a folder of that name is refused")
  func folderOfThatName() {
    mkdir(path, 0o700)
    #expect(throws: SystemError(code: EISDIR)) { try write([1]) }
  }

  @Test(
    "with the permissions of the file that it replaces it has its owner and group",
    .enabled(if: geteuid() == 0))
  func owner() throws {
    folder.write("old", to: "pipe")
    // Users and groups that root is not.
    try #require(chown(path, 65534, 65533) == 0)
    try OutputDraft([1], to: path, mode: 0o640, exactly: true).publish()
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
    #expect(status.st_uid == 65534 && status.st_gid == 65533)
    try OutputDraft([1], to: path, mode: 0o640).publish()
    #expect(stat(path, &status) == 0 && status.st_uid == 0)
  }

  @Test("the target of a link is replaced, and the link stays")
  func link() throws {
    folder.write("old", to: "real")
    #expect(symlink("real", path) == 0)
    try write([UInt8]("new".utf8))
    #expect(folder.bytes(of: "real") == [UInt8]("new".utf8))
    #expect(readlink(path) == folder.file("real") || readlink(path) == "real")
  }

  private func readlink(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = Glibc.readlink(path, &bytes, bytes.count)
    return count > 0
      ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}
