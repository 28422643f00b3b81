import CommonTesting
import Glibc
import Sealing
import Testing

@Suite("Files and folders of the owner alone") struct PrivateFileTests {
  let folder = TemporaryFolder()
  var file: String { folder.file("file") }

  func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test(
    "a file is written whole with mode 600 and read again; one that stands stays unless it may be replaced")
  func written() throws {
    #expect(try PrivateFile.bytes(of: file, limit: 10) == nil)
    try PrivateFile.write([1, 2], to: file, replacing: false)
    #expect(mode(file) == 0o600)
    #expect(throws: SealingError.fileExists(path: file)) {
      try PrivateFile.write([3], to: file, replacing: false)
    }
    #expect(try PrivateFile.bytes(of: file, limit: 2) == [1, 2])
    try PrivateFile.write([3], to: file, replacing: true)
    #expect(try PrivateFile.bytes(of: file, limit: 2) == [3])
    #expect(folder.names == ["file"])
  }

  @Test("a longer file than expected is not read, nor one that grows beyond that while it is read")
  func limit() throws {
    try PrivateFile.write([1, 2, 3], to: file, replacing: false)
    #expect(throws: SealingError.tooLarge(path: file, found: 3, most: 2)) {
      try PrivateFile.bytes(of: file, limit: 2)
    }
    // A file that has no bytes by its status, and some when it is read.
    let growing = "/proc/self/status"
    #expect(throws: SealingError.tooLarge(path: growing, found: nil, most: 2)) {
      try PrivateFile.bytes(of: growing, limit: 2, checked: false)
    }
  }

  @Test("a link is refused for what is the owner's alone, and followed to what is sealed")
  func linked() throws {
    try PrivateFile.write([1, 2], to: file, replacing: false)
    let link = folder.file("link")
    #expect(symlink("file", link) == 0)
    #expect(throws: SealingError.unsafeFile(path: link, found: "a symbolic link", expected: "a file")) {
      try PrivateFile.bytes(of: link, limit: 10)
    }
    #expect(try PrivateFile.bytes(of: link, limit: 10, checked: false) == [1, 2])
  }

  @Test("an empty file is made once, with mode 600; a link or one that others may use is not taken for it")
  func made() throws {
    try PrivateFile.make(file)
    #expect(mode(file) == 0o600 && folder.bytes(of: "file").isEmpty)
    try PrivateFile.write([1], to: file, replacing: true)
    try PrivateFile.make(file)
    #expect(folder.bytes(of: "file") == [1])
    chmod(file, 0o644)
    #expect(throws: SealingError.self) { try PrivateFile.make(file) }
    #expect(symlink("file", folder.file("link")) == 0)
    #expect(
      throws: SealingError.unsafeFile(
        path: folder.file("link"), found: "a symbolic link", expected: "a file")
    ) { try PrivateFile.make(folder.file("link")) }
  }

  @Test("a folder is made with those above it, for the owner alone; one that others may use is refused")
  func folders() throws {
    let path = folder.file("a/b/c")
    try PrivateFolder.make(path)
    try PrivateFolder.make(path)
    try PrivateFolder.check(path)
    #expect(mode(path) == 0o700 && mode(folder.file("a")) == 0o700)
    chmod(path, 0o750)
    #expect(
      throws: SealingError.unsafeFile(
        path: path, found: "that others may use it (mode 750)", expected: "mode 700")
    ) { try PrivateFolder.check(path) }
    folder.write("", to: "file")
    #expect(
      throws: SealingError.unsafeFile(
        path: file, found: "something that is not a folder", expected: "a folder")
    ) { try PrivateFolder.check(file) }
    #expect(throws: SealingError.self) { try PrivateFolder.make(folder.file("file/below")) }
  }

  @Test("drafts of a file that a killed process left are removed, others stay")
  func leftovers() {
    for name in [".file.abcdef", ".file.abcde", ".file.abcdefg", ".other.abcdef", "file.abcdef"] {
      folder.write("", to: name)
    }
    PrivateFile.removeLeftovers(of: file)
    #expect(folder.names == [".file.abcde", ".file.abcdefg", ".other.abcdef", "file.abcdef"])
  }

  @Test("a full disk is told as one", .enabled(if: SmallDisk.isPossible))
  func full() throws {
    let disk = try #require(SmallDisk(size: "16k"))
    #expect(throws: SealingError.diskFull(path: disk.path + "/file")) {
      try PrivateFile.write([UInt8](repeating: 1, count: 65_536), to: disk.path + "/file", replacing: false)
    }
    #expect(TemporaryFolder.names(in: disk.path).isEmpty)
  }

  @Test("a message has what was found and what to do, and nothing that was sealed")
  func messages() {
    let unsafe = SealingError.unsafeFile(path: "/k", found: "that others may use it", expected: "mode 600")
    #expect(
      "\(unsafe)"
        == "/k: found that others may use it, expected mode 600. Find out who made it so, then: chmod 600 /k"
    )
    #expect(
      "\(SealingError.tooLarge(path: "/k", found: 3, most: 2))" == "/k: found 3 bytes, expected at most 2.")
    #expect(
      "\(SealingError.tooLarge(path: "/k", found: nil, most: 2))"
        == "/k: found a file that grows, expected at most 2 bytes.")
    #expect(
      "\(SealingError.keySize(file: "/k", found: 3))"
        == "/k: found 3 bytes, expected a key of 32. Put the right one back, or restore a backup.")
  }
}
