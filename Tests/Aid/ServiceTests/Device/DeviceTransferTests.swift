import Base
import CommonTesting
import Control
import Glibc
import Prescriptions
import Testing

@testable import Service

@Suite("Hand-over of a machine, step by step") struct DeviceTransferTests {
  private let folder = TemporaryFolder()
  private let daemon = Daemon()

  /// The system's daemon, as far as a hand-over needs it.
  private final class Daemon {
    /// The device's number that its book has.
    var followed: DeviceNumber?
    var refusal: Failure?
  }

  private var files: DeviceFiles {
    var files = DeviceFiles()
    files.mark = folder.path + "/etc/device.json"
    files.rule = folder.path + "/rules.d/72-auricle-clinic.rules"
    files.nodes = folder.path + "/snd"
    files.configuration = folder.path + "/etc/auricle.toml"
    (files.owner, files.top) = (geteuid(), folder.path)
    return files
  }

  private static let configuration = "# Kept.\n[device]\nperiod = 64\n"

  private func prepare() throws {
    for name in ["etc", "rules.d", "snd"] { mkdir("\(folder.path)/\(name)", 0o755) }
    try WholeFile.write(Array(Self.configuration.utf8), to: files.configuration, mode: 0o644)
    for name in ["controlC0", "pcmC0D0p"] {
      try WholeFile.write([], to: "\(files.nodes)/\(name)", mode: 0o666)
    }
  }

  private func transfer(
    udev: @escaping () throws(Failure) -> Void = { () throws(Failure) in }
  ) -> DeviceTransfer {
    DeviceTransfer(files, applyRules: udev) { [daemon, files] () throws(Failure) in
      if let refusal = daemon.refusal { throw refusal }
      daemon.followed = DeviceStanding(markedBy: files.mark, owner: files.owner).mark?.device
    }
  }

  private var mark: DeviceMark? { DeviceStanding(markedBy: files.mark, owner: files.owner).mark }
  private var owner: Configuration.Owner? {
    try? ConfigurationSearch(explicit: files.configuration, environment: [:]).load().get().configuration
      .control.owner
  }
  private var openNodes: [String] {
    SeatRule.nodes(in: files.nodes).filter { SeatRule.opening(of: $0, for: 900) != nil }
  }
  private func hasRule() throws -> Bool {
    guard access(files.rule, F_OK) == 0 else { return false }
    return try FileContent.bytes(of: files.rule, limit: 4096)
      == Array(SeatRule.text(for: 900).utf8)
  }

  /// Everything that the steps make, by the report that people are given: of a daemon that follows by its word alone.
  private func report(_ mark: DeviceMark) -> DeviceReport {
    let answer = DeviceAnswer(
      clinic: nil, key: nil, device: nil, isFollowed: daemon.followed == mark.device, isReturned: false,
      wearerIsOperator: daemon.followed != mark.device, configurationFile: files.configuration, pid: 7)
    return DeviceReport(
      DeviceFacts(
        standing: DeviceStanding(markedBy: files.mark, owner: files.owner),
        daemon: .success((answer: answer, user: mark.daemonUser)), files: files, players: [],
        accounts: DeviceAccounts(), unit: "0::/system.slice/auricled.service"))
  }

  /// Only root can give a node away, as the hand-over does.
  private static var isRoot: Bool { geteuid() == 0 }

  @Test("all steps together leave nothing undone, and a comment in the configuration", .enabled(if: isRoot))
  func whole() throws {
    try prepare()
    let mark = try DeviceMarkTests.mark()
    try transfer().handOver(mark)
    #expect(self.mark == mark && owner == .clinic && daemon.followed == mark.device)
    #expect(try hasRule() && openNodes.isEmpty)
    let report = report(mark)
    #expect(report.isWhole, "\(report.protections)")
    #expect(report.clinic == "City Hearing Clinic" && report.device == mark.device.text)
    let text = String(decoding: try FileContent.bytes(of: files.configuration, limit: 4096), as: UTF8.self)
    #expect(text.hasPrefix("# Kept.\n[device]\nperiod = 64\n"))
    var status = stat()
    stat(files.mark, &status)
    #expect(status.st_mode & 0o777 == 0o644)
  }

  @Test(
    "a calibration that others may change, or put another in place of, is an open way: less at full scale plays all louder",
    .enabled(if: isRoot),
    arguments: ["", "/calibrations", "/calibrations/ear.json"])
  func changeableCalibration(_ name: String) throws {
    try prepare()
    let mark = try DeviceMarkTests.mark()
    let calibrations = folder.path + "/own/calibrations"
    for made in [folder.path + "/own", calibrations] { mkdir(made, 0o755) }
    let text = """
      {"device": {"device": "m", "date": "2026-01-31", "status": "verified"}, "sensitivity": {"left": 110, "right": 110}}
      """
    try WholeFile.write(Array(text.utf8), to: calibrations + "/ear.json", mode: 0o644)
    let line = "[calibration.earphone]\nfile = \"\(calibrations)/ear.json\"\n"
    try WholeFile.write(Array(line.utf8), to: files.configuration, mode: 0o644)
    try transfer().handOver(mark)
    #expect(report(mark).isWhole, "\(report(mark).protections)")
    let path = folder.path + "/own" + name
    #expect(chmod(path, 0o777) == 0)
    let open = report(mark).protections.filter { !$0.holds }
    #expect(open.map(\.name) == ["configuration"])
    #expect(open.first?.found == "\(path) of user 0, mode 777")
  }

  @Test(
    "killed after any step it is told as not whole, and called again it is", .enabled(if: isRoot),
    arguments: 0..<DeviceTransfer.Step.allCases.count)
  func killed(after count: Int) throws {
    try prepare()
    let mark = try DeviceMarkTests.mark()
    for step in DeviceTransfer.Step.allCases.prefix(count) { try transfer().carryOut(step, mark) }
    if count > 0 {
      let report = report(mark)
      #expect(report.clinic == "City Hearing Clinic" && !report.isWhole)
      #expect(report.protections.filter { !$0.holds }.allSatisfy { $0.remedy != nil })
    }
    try transfer().handOver(mark)
    #expect(report(mark).isWhole && self.mark == mark)
  }

  @Test("a step that fails leaves everything as it was", .enabled(if: isRoot))
  func failing() throws {
    try prepare()
    daemon.refusal = Failure("book", found: "no space", exit: .inputOutput)
    let mark = try DeviceMarkTests.mark()
    #expect(throws: Failure.self) { try transfer().handOver(mark) }
    #expect(self.mark == nil && owner == .wearer && access(files.rule, F_OK) != 0)
    daemon.refusal = nil
    let failing = transfer { () throws(Failure) in
      throw Failure("udevadm", found: "that it failed", exit: .system)
    }
    let failure = try #require(throws: Failure.self) { try failing.handOver(mark) }
    #expect(self.mark == nil && owner == .wearer && access(files.rule, F_OK) != 0)
    #expect(failure.message.contains("could not be taken back"))
    // A configuration that is wrong already is not touched.
    try WholeFile.write(Array("nonsense".utf8), to: files.configuration, mode: 0o644)
    let mistake = try #require(throws: Failure.self) { try transfer().handOver(mark) }
    #expect(self.mark == nil && access(files.rule, F_OK) != 0)
    #expect(mistake.message.contains("auricle.toml"))
  }

  private func text(_ path: String) -> String? {
    (try? FileContent.bytes(of: path, limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "a step that fails leaves a rule and a clinic's configuration that were there before, and makes no new ones",
    .enabled(if: isRoot), arguments: [DeviceTransfer.Step.cards, .daemon])
  func failingBesideFormerFiles(_ step: DeviceTransfer.Step) throws {
    try prepare()
    let (configuration, rule) = ("# Mine.\ncontrol.owner = \"clinic\"  # So it was.\n", "# Mine.\n")
    try WholeFile.write(Array(configuration.utf8), to: files.configuration, mode: 0o640)
    try WholeFile.write(Array(rule.utf8), to: files.rule, mode: 0o600)
    if step == .daemon { daemon.refusal = Failure("book", found: "no space", exit: .inputOutput) }
    let failing = transfer { () throws(Failure) in
      if step == .cards { throw Failure("udevadm", found: "that it failed", exit: .system) }
    }
    let mark = try DeviceMarkTests.mark()
    #expect(throws: Failure.self) { try failing.handOver(mark) }
    #expect(self.mark == nil && text(files.configuration) == configuration && text(files.rule) == rule)
    for (path, mode) in [(files.configuration, 0o640 as mode_t), (files.rule, 0o600)] {
      var status = stat()
      stat(path, &status)
      #expect(status.st_mode & 0o777 == mode)
      unlink(path)
    }
    #expect(throws: Failure.self) { try failing.handOver(mark) }
    #expect(self.mark == nil && text(files.configuration) == nil && text(files.rule) == nil)
  }

  @Test("the cards are taken back once their rule is gone", .enabled(if: isRoot))
  func cardsBehindRule() throws {
    try prepare()
    daemon.refusal = Failure("book", found: "no space", exit: .inputOutput)
    var hasRule: [Bool] = []
    let rule = files.rule
    let failing = transfer { () throws(Failure) in hasRule.append(access(rule, F_OK) == 0) }
    let mark = try DeviceMarkTests.mark()
    #expect(throws: Failure.self) { try failing.handOver(mark) }
    #expect(hasRule == [true, false])
  }

  @Test("one that goes on after a kill and fails takes nothing back", .enabled(if: isRoot))
  func failingAgain() throws {
    try prepare()
    let mark = try DeviceMarkTests.mark()
    try transfer().carryOut(.mark, mark)
    daemon.refusal = Failure("book", found: "no space", exit: .inputOutput)
    #expect(throws: Failure.self) { try transfer().handOver(mark) }
    #expect(self.mark == mark && owner == .clinic)
  }

  /// A machine that was handed over, and whose next hand-over fails at its last step.
  private func handedOver() throws -> DeviceMark {
    try prepare()
    let mark = try DeviceMarkTests.mark()
    try transfer().handOver(mark)
    daemon.refusal = Failure("book", found: "no space", exit: .inputOutput)
    return mark
  }

  @Test(
    "one for another number of the daemon's user that fails takes nothing back, and opens no card",
    .enabled(if: isRoot))
  func failingForOtherUser() throws {
    let mark = try handedOver()
    let other = DeviceMark(
      clinic: mark.clinic, device: mark.device, since: mark.since, by: mark.by, daemonUser: 901)
    #expect(throws: Failure.self) { try transfer().handOver(other) }
    #expect(self.mark == other && owner == .clinic)
    let nodes = SeatRule.nodes(in: files.nodes)
    #expect(nodes.count == 2 && nodes.allSatisfy { SeatRule.opening(of: $0, for: 901) == nil })
  }

  @Test(
    "one over a mark that is damaged that fails leaves the files as they were, and the cards closed",
    .enabled(if: isRoot))
  func failingOverDamagedMark() throws {
    let mark = try handedOver()
    try WholeFile.write(Array("{".utf8), to: files.mark, mode: 0o644)
    let failing = transfer { () throws(Failure) in
      throw Failure("udevadm", found: "that it failed", exit: .system)
    }
    let failure = try #require(throws: Failure.self) { try failing.handOver(mark) }
    #expect(failure.message.contains("the sound cards, which stay closed"))
    #expect(text(files.mark) == "{" && owner == .clinic)
    #expect(try hasRule() && openNodes.isEmpty)
  }

  @Test(
    "a return takes everything away, also one that was killed after any step", .enabled(if: isRoot),
    arguments: 0..<5)
  func returned(after count: Int) throws {
    try prepare()
    let mark = try DeviceMarkTests.mark()
    try transfer().handOver(mark)
    for step in [DeviceTransfer.Step.configuration, .rule, .cards, .mark, .daemon].prefix(count) {
      try transfer().undo(step)
    }
    // Until all else is done the machine is a clinic's.
    #expect((self.mark == nil) == (count > 3))
    try transfer().giveBack()
    #expect(self.mark == nil && owner == .wearer && access(files.rule, F_OK) != 0)
    #expect(daemon.followed == nil)
  }

  @Test("a machine without folders for rules and configuration gets them", .enabled(if: isRoot))
  func bare() async {
    // A process of its own: the mask is the process's, and other tests make files meanwhile.
    await #expect(processExitsWith: .success) {
      let machine = DeviceTransferTests()
      mkdir(machine.folder.path + "/snd", 0o755)
      umask(0o077)
      let mark = try DeviceMarkTests.mark()
      try machine.transfer().handOver(mark)
      #expect(machine.report(mark).isWhole)
      var status = stat()
      for path in [machine.files.mark, machine.files.rule, machine.files.configuration] {
        stat(path, &status)
        #expect(status.st_mode & 0o777 == 0o644)
        stat(FilePath.folder(of: path), &status)
        #expect(status.st_mode & 0o777 == 0o755)
      }
    }
  }

  @Test(
    "the rule takes the seat's tag from sound cards alone, between those that give it and those that use it"
  )
  func rule() {
    // 70-uaccess.rules gives it, 73-seat-late.rules uses it.
    let name = FilePath.name(of: SeatRule.path)
    #expect("70-uaccess.rules" < name && "71-seat.rules" < name && name < "73-seat-late.rules")
    let lines = SeatRule.text(for: 64000).split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.first == #"SUBSYSTEM!="sound", GOTO="auricle_clinic_end""#)
    #expect(lines.contains(#"TAG-="uaccess", OWNER:="64000", GROUP:="root", MODE:="0600""#))
    #expect(lines.last == #"LABEL="auricle_clinic_end""#)
  }
}

@Suite("Accounts of a clinic's device") struct DeviceAccountsTests {
  private func faults(_ wearers: Set<String>, _ members: [String: Set<String>]) -> [String] {
    var accounts = DeviceAccounts()
    (accounts.wearers, accounts.members, accounts.daemon) = (wearers, members, "auricle")
    return accounts.faults
  }

  @Test("the daemon alone may be in audio; a wearer in no group that proves a role or makes root")
  func judged() {
    #expect(
      faults(["wes"], ["audio": ["auricle"], "sudo": ["ada"], "auricle-audiologist": ["ada"]]).isEmpty)
    #expect(faults(["wes"], ["audio": ["auricle", "ned"]]) == ["ned in the group audio"])
    #expect(
      faults(["wes"], ["sudo": ["wes", "ada"], "auricle-audiologist": ["wes"]])
        == ["wes in the group auricle-audiologist", "wes in the group sudo"])
  }
}
