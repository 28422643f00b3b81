import Base
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

  @Test("the device that a calibration names is this daemon's where the configuration names none")
  func claim() throws {
    let read = try loaded(
      """
      [calibration.earphone]
      full-scale-level = 111
      device = "hw:7 (HDA 200)"
      source = "data sheet"
      status = "provisional"
      """)
    let folder = TemporaryFolder()
    let disk = ServiceDisk(
      folder: nil, store: PrescriptionStore(folder: "/nonexistent/book"), claimFolder: folder.path
    ) {
      .success(read)
    }
    let claim = try disk.read().get().claim
    #expect(claim != nil)
    #expect(throws: Failure.self) { try PlaybackClaim("hw:7", in: folder.path) }
    withExtendedLifetime(claim) {}
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
