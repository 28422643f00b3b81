import Base
import CommonTesting
import Control
import Engine
import Glibc
import Realtime
import Testing

@testable import AudioIO
@testable import Service

@Suite("Findings on the daemon") struct DoctorDaemonTests {
  private func machine() -> Machine { .usual() }

  @Test("where no daemon runs, the aid that has the prescription is the one to be started")
  func notRunning() throws {
    var machine = machine()
    #expect(try finding("daemon", machine).remedy == "Start it: auricle start")
    machine.start = StartAdvice(isSystems: true)
    let command = "sudo systemctl start auricled"
    #expect(try finding("daemon", machine).remedy == "Start the system's aid: \(command)")
  }

  @Test(
    "a left socket, mute or configuration is of the aid in whose folder it lies",
    arguments: [("/run/auricle", true), ("/run/user/1000/auricle", false)])
  func leftBy(_ folder: String, _ isSystems: Bool) {
    var machine = machine()
    machine.start = StartAdvice(isSystems: true)
    let socket = folder + "/control.sock"
    machine.files = [
      .leftSocket(socket), .kept(socket + ".muted", .mute), .kept(socket + ".stopped", .stop),
      .kept(socket + ".configuration", .configuration),
    ]
    func remedies() -> [String] {
      DoctorReport(machine).findings.filter { $0.subject == "left behind" }.compactMap(\.remedy)
    }
    #expect(remedies().count == 4)
    #expect(remedies().allSatisfy { $0.contains("sudo systemctl start auricled") == isSystems })
    #expect(remedies().allSatisfy { $0.contains("auricle start") != isSystems })
    // Where no service is set up, root's aid is in that folder, too.
    machine.start = StartAdvice(isSystems: false)
    #expect(remedies().allSatisfy { $0.contains("auricle start") })
  }

  @Test("an aid that was told to end while it was stopped has not crashed")
  func stoppedAtItsEnd() throws {
    var machine = machine()
    machine.files = [.kept("/r/control.sock.stopped", .stop)]
    let found = try finding("left behind", machine).found
    #expect(found == "/r/control.sock.stopped: the aid was stopped when it ended, and starts stopped")
  }

  @Test("a daemon that runs and does not answer is told from none, with its process and the way to it")
  func unanswered() throws {
    let folder = TemporaryFolder()
    let path = folder.file("control.sock")
    func examined() throws -> DoctorReport.Finding {
      var machine = machine()
      machine.daemon = Result { () throws(Failure) in try Machine.report(of: path, within: 0.05) }
      return try finding("daemon", machine)
    }
    #expect(try examined().found == "not running")
    // It listens, and nobody takes what comes.
    let socket = try ListeningSocket(path: path, rule: .person)
    defer { socket.close() }
    let found = try examined()
    #expect(found.verdict == .bad)
    #expect(found.found == "process \(getpid()) runs and does not answer within 0.05 s")
    #expect(found.remedy?.contains("journalctl -u auricled") == true)
    #expect(found.remedy?.contains("systemctl restart auricled") == true)
  }

  @Test("a running daemon tells its state and delay; ten milliseconds are the limit of good")
  func daemon() throws {
    var machine = machine()
    var aid = AidSnapshot(state: StatusReport.State(.running, since: 0), memory: .onFault)
    machine.daemon = .success(
      StatusReport(
        aid, daemon: StatusReport.Daemon(version: "1", pid: 9, startedUnixSeconds: 0, nowUnixSeconds: 1)))
    #expect(try finding("daemon", machine).found == "process 9, running")
    aid.state = StatusReport.State(.faulted, reason: "no such rate", since: 0)
    machine.daemon = .success(
      StatusReport(
        aid, daemon: StatusReport.Daemon(version: "1", pid: 9, startedUnixSeconds: 0, nowUnixSeconds: 1)))
    #expect(try finding("daemon", machine).verdict == .bad)
  }
}
