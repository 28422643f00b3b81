import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("What the state folder has of earlier runs") struct ServiceDiskTests {
  private func disk(_ folder: String) -> ServiceDisk {
    ServiceDisk(folder: folder, store: PrescriptionStore(folder: "/nonexistent/book")) {
      .success(.defaults)
    }
  }

  @Test("one in which others could put files is not read, and that is said")
  func changeable() throws {
    let folder = TemporaryFolder()
    #expect(
      ProgramFile(path: folder.file("programs.json")).write(ProgramMemory(choice: .program(.music))) == nil)
    #expect(disk(folder.path).readKept().programs.memory.choice == .program(.music))
    chmod(folder.path, 0o777)
    let changeable = disk(folder.path)
    let state = changeable.readKept()
    #expect(state.programs.memory.choice != .program(.music) && changeable.wisdomPath == nil)
    #expect(state.problems.count == 1)
    #expect(
      state.problems[0].hasPrefix("nothing is kept between runs: \(folder.path): Others may"))
  }

  @Test("one that cannot be made keeps nothing")
  func missing() {
    let folder = TemporaryFolder()
    folder.write("a file", to: "file")
    let disk = disk(folder.file("file/state"))
    #expect(disk.wisdomPath == nil)
    #expect(
      disk.readKept().problems == [
        "nothing is kept between runs: \(folder.file("file/state")) cannot be made: not a directory"
      ])
  }
}
