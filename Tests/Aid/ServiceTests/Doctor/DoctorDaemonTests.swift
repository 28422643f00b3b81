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
      machine.daemon = Result { () throws(Failure) in
        try Machine.report(of: try ControlClient(path: path, timeout: 0.05))
      }
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

  @Test(
    "memory and priority are those of the daemon that runs; what this command is granted counts for its own that has no thread"
  )
  func ownMemoryAndPriority() throws {
    var machine = machine()
    var aid = AidSnapshot(state: StatusReport.State(.stopped, since: 0), memory: .onFault)
    func report() -> StatusReport {
      StatusReport(
        aid, daemon: StatusReport.Daemon(version: "1", pid: 9, startedUnixSeconds: 0, nowUnixSeconds: 1))
    }
    let refused = MemoryLock.refused(limit: 8 << 20, error: SystemError(call: "mlockall", code: 12))
    machine.memory = refused
    machine.scheduling = .ordinary(reason: .notPermitted(wanted: 70, limit: 0), nice: 0)
    machine.daemon = .success(report())
    #expect(try finding("memory", machine).found == "the daemon's is locked")
    #expect(try finding("memory", machine).verdict == .good)
    // Stopped, a daemon of this user has no thread, and will have what this command is granted.
    let trial = try finding("real time", machine)
    #expect(trial.verdict == .warning && trial.remedy?.contains("rtprio") == true)
    // The system's has limits of its own.
    machine.isAnothers = true
    let unknown = try finding("real time", machine)
    #expect(unknown.verdict == .good)
    #expect(unknown.found == "not known of the daemon: there is no audio thread now")
    // A thread that waits for its devices has its priority, or not.
    machine.memory = .onFault
    machine.scheduling = .realtime(priority: 70)
    aid.memory = refused
    aid.scheduling = .ordinary(reason: .notPermitted(wanted: 70, limit: 0), nice: 0)
    machine.daemon = .success(report())
    let memory = try finding("memory", machine)
    #expect(memory.verdict == .warning && memory.found.hasPrefix("the daemon's is not locked: "))
    #expect(memory.remedy?.contains("memlock unlimited") == true)
    let priority = try finding("real time", machine)
    #expect(priority.verdict == .warning && priority.found.hasPrefix("the daemon has none: "))
  }
}
