import CommonTesting
import Glibc
import Testing

@testable import Base

@Suite("Saved files") struct SavedFileTests {
  private let folder = TemporaryFolder()

  private func failure(_ path: String) -> Failure? {
    do throws(Failure) {
      try WholeFile.save([1], to: path)
      return nil
    } catch {
      return error
    }
  }

  @Test("a file is for its owner alone")
  func mode() throws {
    let path = folder.file("state.json")
    try WholeFile.save([1], to: path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("a missing folder and a folder in the file's place are told apart")
  func failures() throws {
    let path = folder.file("state.json")
    let deep = folder.file("no/state.json")
    #expect(
      failure(deep)?.message
        == "\(deep): There is no folder \(folder.path)/no. Make it first.")
    mkdir(path, 0o700)
    #expect(failure(path)?.message == "\(path): This is a folder, not a file.")
    #expect(failure(path)?.exitStatus == .cannotCreate)
    #expect(folder.names == ["state.json"])
  }

  @Test("a full disk is an error of input or output, and says that nothing was changed")
  func fullDisk() {
    let failure = Failure.writing("state.json", SystemError(code: ENOSPC))
    #expect(
      failure.message == "state.json: No space is left on its disk. "
        + "Nothing was changed; make room and try again.")
    #expect(failure.exitStatus == .inputOutput)
  }
}
