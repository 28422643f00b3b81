import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("What the state folder has of earlier runs") struct StateMemoryTests {
  @Test("one in which others could put files is not read, and that is said")
  func changeable() throws {
    let folder = TemporaryFolder()
    try ProgramFile(path: folder.file("programs.json")).write(ProgramMemory(choice: .program(.music)))
    #expect(StateMemory(folder.path).dial.memory.choice == .program(.music))
    chmod(folder.path, 0o777)
    let state = StateMemory(folder.path)
    #expect(state.dial.memory.choice != .program(.music) && state.wisdomPath == nil)
    #expect(state.problems.count == 1)
    #expect(
      state.problems[0].hasPrefix("nothing is kept between runs: \(folder.path): Others may"))
  }

  @Test("one that cannot be made keeps nothing")
  func missing() {
    let folder = TemporaryFolder()
    folder.write("a file", to: "file")
    let state = StateMemory(folder.file("file/state"))
    #expect(state.wisdomPath == nil)
    #expect(
      state.problems == [
        "nothing is kept between runs: \(folder.file("file/state")) cannot be made: not a directory"
      ])
  }
}
