import AudioIO
import Base
import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("Repairs") struct RepairTests {
  let folder = TemporaryFolder()

  private func write(_ name: String, _ text: String = "x", mode: UInt32 = 0o600, age: Int = 601) -> String {
    let path = folder.file(name)
    folder.write(text, to: name)
    #expect(chmod(path, mode) == 0)
    let moment = timespec(tv_sec: time(nil) - age, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, path, [moment, moment], 0) == 0)
    return path
  }

  private func mode(_ path: String) -> UInt32 {
    var status = stat()
    #expect(lstat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private func refusal(_ step: Repair.Step) -> Failure? {
    do throws(Failure) { _ = try step.carryOut() } catch { return error }
    return nil
  }

  // MARK: - Socket and locks

  @Test("a socket that a killed daemon left goes with its lock; a second time there is nothing to do")
  func socket() throws {
    let path = folder.file("control.sock")
    try leaveSocket(path)
    _ = write("control.sock.lock", "\(try goneProcess())\n")
    #expect(try Repair.Step.removeSocket(path).carryOut() == "removed \(path)")
    #expect(folder.names == [])
    #expect(try Repair.Step.removeSocket(path).carryOut() == "removed \(path)")
  }

  @Test("a socket with a daemon stays, as does one whose lock is held, and what is no socket")
  func servedSocket() throws {
    let path = folder.file("control.sock")
    let listening = try ListeningSocket(path: path, rule: .person)
    #expect(refusal(.removeSocket(path))?.exitStatus == .temporary)
    #expect(isThere(path))
    listening.close()
    try leaveSocket(path)
    let lock = try SocketLock(path: path + ".lock") { _ in Failure("", found: "", exit: .temporary) }
    #expect(refusal(.removeSocket(path))?.message.contains("A daemon is there now") == true)
    #expect(isThere(path))
    lock.release()
    let file = write("letter")
    #expect(refusal(.removeSocket(file))?.exitStatus == .configuration)
    #expect(isThere(file))
  }

  @Test("a lock that nobody holds goes, one that is held stays")
  func lock() throws {
    let path = folder.file("playback-aid.lock")
    let held = try SocketLock(path: path) { _ in Failure("", found: "", exit: .temporary) }
    #expect(refusal(.removeLock(path))?.exitStatus == .temporary)
    #expect(isThere(path))
    held.release()
    let left = write("playback-aid.lock", "\(try goneProcess())\n")
    #expect(try Repair.Step.removeLock(left).carryOut() == "removed \(left)")
    #expect(!isThere(left))
  }

  // MARK: - Files

  @Test("an old draft goes; a young one, a link and a folder stay")
  func draft() throws {
    let old = write(".programs.json.a1b2c3")
    #expect(try Repair.Step.removeDraft(old).carryOut() == "removed \(old)")
    #expect(!isThere(old))
    let young = write(".programs.json.d4e5f6", age: 1)
    #expect(refusal(.removeDraft(young))?.exitStatus == .temporary)
    #expect(isThere(young))
    let target = write("programs.json")
    let link = folder.file(".programs.json.aaaaaa")
    #expect(symlink(target, link) == 0)
    #expect(refusal(.removeDraft(link)) != nil)
    #expect(isThere(target) && folder.names.contains(".programs.json.aaaaaa"))
    #expect(refusal(.removeDraft(folder.path)) != nil)
    #expect(refusal(.removeDraft(folder.file("gone")))?.exitStatus == .noPermission)
  }

  @Test(
    "permissions lose what is in excess and nothing more",
    arguments: [(0o644, 0o077, 0o600), (0o750, 0o077, 0o700), (0o646, 0o007, 0o640), (0o600, 0o077, 0o600)])
  func tighten(_ before: UInt32, _ excess: UInt32, _ after: UInt32) throws {
    let path = write("programs.json", mode: before)
    #expect(
      try Repair.Step.tighten(path, excess: excess).carryOut()
        == "set mode \(String(after, radix: 8)) on \(path)")
    #expect(mode(path) == after)
  }

  @Test("neither a link's target nor a file of two names changes its permissions")
  func otherNames() {
    let target = write("shared", mode: 0o644)
    let link = folder.file("programs.json")
    #expect(symlink(target, link) == 0)
    #expect(refusal(.tighten(link, excess: 0o077)) != nil)
    #expect(Glibc.link(target, folder.file("second")) == 0)
    #expect(refusal(.tighten(target, excess: 0o077))?.message.contains("other names") == true)
    #expect(mode(target) == 0o644)
  }

  @Test("a file of another user stays as it is", .enabled(if: geteuid() == 0, "only root can make one"))
  func foreign() {
    let path = write("programs.json", mode: 0o644)
    #expect(chown(path, 12_345, 12_345) == 0)
    #expect(refusal(.tighten(path, excess: 0o077))?.message.contains("belongs to user 12345") == true)
    #expect(refusal(.removeDraft(path))?.exitStatus == .noPermission)
    #expect(mode(path) == 0o644 && isThere(path))
  }

  // MARK: - Configuration

  @Test("a key is set, and the comments stay; a file that is wrong already stays whole")
  func configuration() throws {
    let text = "# mine\n[device]\ncapture = \"plughw:CARD=Aid\" # old\n"
    let path = write("auricle.toml", text)
    let step = Repair.Step.set(key: "device.capture", value: "hw:CARD=Aid,DEV=0", file: path)
    #expect(try step.carryOut().contains("auricle reload"))
    let changed = String(decoding: folder.bytes(of: "auricle.toml"), as: UTF8.self)
    #expect(changed.contains("# mine") && changed.contains("capture = \"hw:CARD=Aid,DEV=0\""))
    _ = write("auricle.toml", "[device]\nperiods = 99\n")
    #expect(refusal(step)?.exitStatus == .configuration)
    #expect(folder.bytes(of: "auricle.toml") == [UInt8]("[device]\nperiods = 99\n".utf8))
  }

  /// A machine whose earphones are behind a converting plugin.
  private func machine(_ name: String, _ offer: DeviceOffer?, rate: Int = 44_100) throws -> Machine {
    var machine = Machine.usual()
    machine.devices[0].playback = offer
    machine.configuration = .success(try loaded("device.playback = \"\(name)\"\ndevice.rate = \(rate)"))
    return machine
  }

  @Test(
    "a converting plugin gives way to the card where that can do what is asked",
    arguments: ["plughw:CARD=Aid,DEV=0", "plughw:CARD=Aid", "plug:'hw:CARD=Aid,DEV=0'"])
  func hardware(_ name: String) throws {
    let finding = try finding("earphones' device", machine(name, .usual()))
    let step = Repair.Step.set(
      key: "device.playback", value: "hw:CARD=Aid,DEV=0", file: "/nowhere/auricle.toml")
    #expect(finding.repair == .step(step))
    #expect(
      finding.remedy
        == "The card itself can do what is asked: auricle config set device.playback=hw:CARD=Aid,DEV=0")
  }

  @Test("where the card cannot, is in use or unknown, or where a mixer is meant, the name stays")
  func noHardware() throws {
    for (name, offer, rate) in [
      ("plughw:CARD=Aid", DeviceOffer.usual(rates: [48_000]), 44_100), ("plughw:CARD=Aid", nil, 44_100),
      ("plughw:CARD=Other", .usual(), 44_100), ("dmix:CARD=Aid", .usual(), 44_100),
      ("default", .usual(), 44_100),
      ("sysdefault:CARD=Aid", .usual(), 44_100), ("front:CARD=Aid", .usual(), 44_100),
      ("plughw:CARD=Aid", .usual(), 96_000),
    ] as [(String, DeviceOffer?, Int)] {
      let finding = try finding("earphones' device", machine(name, offer, rate: rate))
      if case .step = finding.repair { Issue.record("\(name) at \(rate) Hz would be changed") }
    }
  }

  // MARK: - The report

  @Test("each finding that is not good says what was repaired, what failed, or why it was left")
  func report() throws {
    var machine = Machine.usual()
    machine.files = [
      .leftSocket("/r/control.sock"), .draft("/s/.a.b1b2b3"),
      .changeable("/s/a", FileRights(owner: geteuid(), mode: 0o666)),
    ]
    var report = DoctorReport(machine)
    #expect(report.findings.allSatisfy { $0.fix == nil })
    report.repair { (step) throws(Failure) in
      if case .removeDraft = step {
        throw Failure("/s", inWords: "It cannot be written", exit: .noPermission)
      }
      return "removed it"
    }
    #expect(report.findings.allSatisfy { ($0.fix == nil) == ($0.verdict == .good) })
    #expect(
      report.findings.suffix(3).map(\.fix) == [
        .init(outcome: .repaired, words: "removed it"),
        .init(outcome: .failed, words: "/s: It cannot be written"),
        .init(outcome: .left, words: "others could have changed it, so look at it first"),
      ])
    #expect(report.count(.repaired) == 1 && report.count(.failed) == 1)
    // What is not repaired stays bad.
    #expect(!report.isHealthy)
    let read = try JSON.value(DoctorReport.self, from: [UInt8](try JSON.text(report).utf8))
    #expect(read.findings.map(\.fix) == report.findings.map(\.fix))
  }

  @Test(
    "nothing that is heard is ever repaired: no prescription, calibration, mute or configuration of sound")
  func hearing() throws {
    var machine = Machine.usual()
    machine.files = [
      .kept("/r/c.muted", .mute), .kept("/r/c.stopped", .stop),
      .kept("/r/c.configuration", .configuration),
    ]
    machine.book = .newer
    let subjects: Set = [
      "prescription", "calibration, microphone", "calibration, earphones", "book", "left behind",
    ]
    for finding in DoctorReport(machine).findings where subjects.contains(finding.subject) {
      if case .step(let step) = finding.repair { Issue.record("\(finding.subject): \(step)") }
    }
    // Of the configuration, only the names of devices can be set.
    let keys = ["plughw:CARD=Aid"].flatMap { name -> [String] in
      guard let machine = try? self.machine(name, .usual()) else { return [] }
      return DoctorReport(machine).findings.compactMap {
        if case .step(.set(let key, _, _)) = $0.repair { key } else { nil }
      }
    }
    #expect(keys == ["device.playback"])
  }
}
