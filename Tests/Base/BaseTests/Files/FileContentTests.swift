import CommonTesting
import Glibc
import Testing

@testable import Base

@Suite("Files read whole") struct FileContentTests {
  private let folder = TemporaryFolder()

  private func refusal(_ path: String) -> Base.ExitStatus? {
    do throws(Failure) {
      try FileContent.check(path)
      return nil
    } catch { return error.exitStatus }
  }

  @Test(
    "a file that can be read is not refused beforehand, and what is missing or no file is, each as itself")
  func check() {
    folder.write("text", to: "there")
    #expect(refusal(folder.file("there")) == nil)
    #expect(refusal(folder.file("none")) == .noInput)
    #expect(refusal(folder.file("there/below")) == .noInput)
    #expect(refusal(folder.path) == .badData)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(refusal(folder.file("pipe")) == .badData)
  }

  @Test(
    "a file that is shut, and one in a shut folder, is refused beforehand as that",
    .enabled(if: geteuid() != 0, "root may read everything"))
  func shut() {
    folder.write("text", to: "there")
    chmod(folder.file("there"), 0)
    #expect(refusal(folder.file("there")) == .noPermission)
    #expect(mkdir(folder.file("shut"), 0) == 0)
    #expect(refusal(folder.file("shut/file")) == .noPermission)
  }
}
