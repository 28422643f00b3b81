import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("Program, volume and tone that cannot be written, on a timeline") struct ProgramTimelineTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("state/programs.json") }

  /// One that was told to hear music while a folder had the file's name.
  private func unremembered() -> Timeline {
    let disk = ServiceDisk(
      folder: folder.file("state"), store: PrescriptionStore(folder: folder.file("book"))
    ) { .success(.defaults) }
    let daemon = Timeline(ServiceState(.init(started: .at(100))), disk: disk)
    mkdir(path, 0o700)
    daemon.ask(ProgramMethods.Use("music"))
    #expect(isTold(daemon))
    return daemon
  }

  private func isTold(_ daemon: Timeline) -> Bool {
    daemon.state.report.program?.notes.contains { $0.contains("is not remembered") } == true
  }

  private var isRemembered: Bool { ProgramFile(path: path).read().memory.choice == .program(.music) }

  @Test("they are written within ten seconds after the disk takes them again, and are told once until then")
  func again() {
    let daemon = unremembered()
    for _ in 0..<30 { daemon.pass(1) }
    #expect(isTold(daemon) && daemon.log.count { $0.contains("is not remembered") } == 1)
    rmdir(path)
    for _ in 0..<10 { daemon.pass(1) }
    #expect(!isTold(daemon) && isRemembered)
  }

  @Test("nothing is tried again before ten seconds are over, and nothing at all without a state folder")
  func retries() {
    let daemon = unremembered()
    rmdir(path)
    for _ in 0..<9 { daemon.pass(1) }
    #expect(!isRemembered)
    daemon.pass(1)
    #expect(isRemembered)
    let disk = ServiceDisk(folder: nil, store: PrescriptionStore(folder: folder.file("book"))) {
      .success(.defaults)
    }
    let folderless = Timeline(ServiceState(.init(started: .at(100))), disk: disk)
    folderless.ask(ProgramMethods.Use("music"))
    #expect(folderless.state.programs.problem == ProgramFile.missing)
    var tries = 0
    for _ in 0..<30 {
      folderless.pass(1)
      tries += folderless.effects.count { if case .disk(.program, _) = $0 { true } else { false } }
    }
    #expect(tries == 0)
  }

  @Test("an orderly end writes them")
  func atTheEnd() {
    let daemon = unremembered()
    rmdir(path)
    daemon.happen(.signal(SIGTERM))
    #expect(daemon.state.ending != nil && isRemembered)
  }

  @Test("a file that could not be understood is not written anew before something is chosen")
  func damaged() {
    mkdir(folder.file("state"), 0o700)
    folder.write("nonsense", to: "state/programs.json")
    let disk = ServiceDisk(
      folder: folder.file("state"), store: PrescriptionStore(folder: folder.file("book"))
    ) { .success(.defaults) }
    let daemon = Timeline(
      ServiceState(.init(started: .at(100)), programs: disk.readKept().programs), disk: disk)
    for _ in 0..<20 { daemon.pass(1) }
    #expect(daemon.state.programs.problem?.contains("are forgotten") == true)
    #expect(access(path, F_OK) != 0)
  }
}
