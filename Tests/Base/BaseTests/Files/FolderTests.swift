import CommonTesting
import Glibc
import Testing

@testable import Base

@Suite("Folders") struct FolderTests {
  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test("a folder is made with those above it for its owner alone, and one that is there stays as it is")
  func ownersAlone() throws {
    let folder = TemporaryFolder()
    mkdir(folder.file("open"), 0o700)
    chmod(folder.file("open"), 0o751)
    try Folder.make(folder.file("open/a/b"))
    #expect(Self.mode(folder.file("open")) == 0o751)
    #expect(Self.mode(folder.file("open/a")) == 0o700 && Self.mode(folder.file("open/a/b")) == 0o700)
  }

  @Test("one for everybody is that under any mask")
  func everybodys() async {
    // A process of its own: the mask is the process's, and other tests make files meanwhile.
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      umask(0o077)
      try Folder.make(folder.file("a/b"), mode: 0o755)
      for name in ["a", "a/b"] {
        #expect(Self.mode(folder.file(name)) == 0o755)
      }
    }
  }
}
