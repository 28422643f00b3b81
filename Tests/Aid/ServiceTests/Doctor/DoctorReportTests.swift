import Acoustics
import Base
import CommonTesting
import Control
import Engine
import Glibc
import Realtime
import Testing

@testable import AudioIO
@testable import Service

@Suite struct DoctorReportTests {
  private func machine() -> Machine { .usual() }

  @Test("a machine on which sound can flow is healthy, though nothing is fitted or calibrated")
  func healthy() throws {
    let report = DoctorReport(machine())
    #expect(report.isHealthy)
    #expect(try finding("prescription", machine()).verdict == .warning)
    #expect(try finding("calibration, microphone", machine()).found.contains("gain is held to 20 dB"))
    #expect(try finding("earphones' device", machine()).found == "hw:CARD=Aid,DEV=0, Aid, USB Audio")
    #expect(report.findings.filter { $0.verdict != .good }.allSatisfy { $0.remedy != nil })
  }

  @Test("no card is bad, and the remedy says that plugging one in suffices")
  func noCard() throws {
    var machine = machine()
    machine.devices = []
    let finding = try finding("microphone's device", machine)
    #expect(finding.verdict == .bad)
    #expect(finding.found == "this machine has no sound card that captures and plays")
    #expect(!DoctorReport(machine).isHealthy)
  }

  @Test("a device that is on no card is good once it was opened, and no card is then missed")
  func plugin() throws {
    var machine = machine()
    machine.devices = []
    machine.configuration = .success(try loaded("device.capture = \"net\"\ndevice.playback = \"net\""))
    #expect(try finding("earphones' device", machine).found == "net, named, not tried")
    #expect(try finding("sound cards", machine).verdict == .warning)
    machine.tried = [.capture, .playback]
    #expect(try finding("earphones' device", machine).found == "net, can be opened")
    #expect(try finding("sound cards", machine).verdict == .good)
    machine.refusals = [.playback: "the device net cannot be opened"]
    #expect(try finding("earphones' device", machine).verdict == .bad)
    #expect(try finding("sound cards", machine).verdict == .warning)
  }

  @Test("who has the device is named")
  func busy() throws {
    var machine = machine()
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "pipewire")]
    let finding = try finding("earphones' device", machine)
    #expect(finding.verdict == .bad && finding.found.contains("in use by pipewire (process 812)"))
  }

  @Test("a card that a daemon has which is not the one that answers is another hearing aid's")
  func anotherAid() throws {
    var machine = machine()
    machine.devices[0].playback = nil
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "auricled")]
    let refused = try finding("earphones' device", machine)
    #expect(
      refused.verdict == .bad && refused.found.contains("in use by another hearing aid (process 812)"))
    machine.daemon = .success(.sample)
    machine.devices[0].holders[0].processID = try #require(machine.report).daemon.pid
    #expect(try finding("earphones' device", machine).verdict == .good)
    // One that does not answer may be it.
    machine.daemon = .failure(Failure("daemon", found: "no answer", exit: .temporary))
    machine.devices[0].holders[0].processID = 812
    #expect(try finding("earphones' device", machine).verdict == .good)
  }

  @Test(
    "hidden delay is a warning, also that of a radio link",
    arguments: ["default", "plughw:0", "dmix", "bluealsa"])
  func hiddenDelay(_ name: String) throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.playback = \"\(name)\""))
    let finding = try finding("earphones' device", machine)
    #expect(finding.verdict == .warning)
    #expect(finding.found.contains("adds"))
    #expect(finding.remedy != nil)
  }

  @Test(
    "the delay to expect of Bluetooth earphones is told; a Bluetooth microphone is bad, with the reason")
  func bluetooth() throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.playback = \"bluealsa:CODEC=aac\""))
    #expect(try finding("earphones' device", machine).found.contains("120 to 200 ms (AAC)"))
    #expect(DoctorReport(machine).isHealthy)
    let refusal = Result { () throws(ConfigurationFailures) in
      try Configuration.reading([UInt8]("device.capture = \"bluealsa\"".utf8), file: "a.toml")
    }
    machine.configuration = refusal
    let found = try finding("configuration", machine)
    #expect(found.verdict == .bad && found.remedy?.contains("telephone quality") == true)
  }

  @Test("the delay of Bluetooth earphones is told as measured where somebody has measured it")
  func measuredBluetooth() throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.playback = \"bluealsa:CODEC=aac\""))
    var delay = MeasuredFeedbackTests.delay
    (delay.playback, delay.delaySeconds) = ("bluealsa:CODEC=aac", 0.1683)
    machine.measured = FeedbackRecord(leftDelay: delay)
    let found = try finding("earphones' device", machine).found
    #expect(found.contains("168.30 ms, as measured") && !found.contains("120 to 200"))
    machine.configuration = .success(try loaded("device.playback = \"bluealsa:CODEC=aptx\""))
    #expect(try finding("earphones' device", machine).found.contains("70 to 120 ms (APTX)"))
  }

  private static func delay(
    _ delay: Double, told: Double?, spread: Double = 0
  ) -> StatusReport.Feedback.Delay {
    StatusReport.Feedback.Delay(
      measuredUnixSeconds: 0, isTheseDevices: true, capture: "a", playback: "b", rateHz: 48_000,
      periodFrames: 64, levelDBSPL: 55, delaySeconds: delay, spreadSeconds: spread, repetitions: 5,
      deviceDelaySeconds: told, presentSeconds: delay)
  }

  private static func feedback(
    right: StatusReport.Feedback.Delay?, left: StatusReport.Feedback.Delay?
  ) -> StatusReport.Feedback {
    StatusReport.Feedback(
      left: .init(path: nil, delay: left, howls: 0, lastHowlHz: nil, cancellerResets: 0),
      right: .init(path: nil, delay: right, howls: 0, lastHowlHz: nil, cancellerResets: 0),
      isCancelling: true, loopDelaySeconds: nil)
  }

  @Test(
    "a measured delay stands beside what the devices tell, with the difference and what it means",
    arguments: [
      (0.0046, "which agrees with it", nil, false),
      (0.0065, "2.50 ms less than sound takes", "0.9 m of air", false),
      (0.1683, "164.30 ms less than sound takes", "radio link", true),
      (0.0020, "2.00 ms more than sound takes", "counts more than its buffers hold", false),
    ] as [(Double, String, String?, Bool)])
  func loop(_ measured: Double, _ comparison: String, _ meaning: String?, isWarning: Bool) throws {
    let feedback = Self.feedback(
      right: Self.delay(measured, told: 0.004, spread: 0.00002), left: Self.delay(measured, told: 0.004))
    let report = DoctorReport(machine(), loop: .success(feedback))
    let finding = try #require(report.findings.first { $0.subject == "loop delay" })
    let words = NumberText.milliseconds(measured)
    #expect(
      finding.found.hasPrefix(
        "right \(words), left \(words), 5 repetitions each within 0.02 ms, at 55 dB SPL; the devices tell 4.00 ms, "
      ))
    #expect(finding.found.hasSuffix(comparison))
    #expect(meaning.map { finding.remedy?.contains($0) == true } ?? (finding.remedy == nil))
    #expect((finding.verdict == .warning) == isWarning && report.isHealthy)
    #expect((finding.remedy?.contains("reaches loops of 50 ms") == true) == (measured > 0.05))
    #expect(report.loop?.left?.delaySeconds == measured)
    #expect(try JSON.text(report).contains(#""loop":{"left":{"#))
  }

  @Test("devices that tell no delay are compared with nothing; one ear alone stands alone")
  func untoldLoop() throws {
    let feedback = Self.feedback(right: nil, left: Self.delay(0.02, told: nil))
    let report = DoctorReport(machine(), loop: .success(feedback))
    let finding = try #require(report.findings.first { $0.subject == "loop delay" })
    #expect(finding.found == "left 20.00 ms, 5 repetitions each within 0.00 ms, at 55 dB SPL")
    #expect(finding.verdict == .good && finding.remedy == nil && report.loop?.right == nil)
  }

  @Test("a refusal is told with what to do, and no number")
  func refusedLoop() throws {
    let refusal = Failure(FeedbackFault.nothingHeard(.right, level: 75, noise: 30), of: "test")
    let report = DoctorReport(machine(), loop: .failure(refusal))
    let finding = try #require(report.findings.first { $0.subject == "loop delay" })
    #expect(finding.verdict == .warning && report.loop == nil)
    #expect(
      finding.found.hasPrefix(
        "not measured: nothing of 75 dB SPL comes back clearly at the right microphone, expected "))
    #expect(finding.remedy?.contains("cable") == true)
    #expect(!DoctorReport(machine()).findings.contains { $0.subject == "loop delay" })
  }

  @Test("a device without the rate that is asked for is bad, with the rates that it has")
  func rate() throws {
    var machine = machine()
    machine.devices[0].playback = .usual(rates: [32_000, 44_100])
    #expect(try finding("earphones' device", machine).verdict == .good)
    machine.configuration = .success(try loaded("device.rate = 48000"))
    let finding = try finding("earphones' device", machine)
    #expect(finding.verdict == .bad)
    #expect(finding.found == "hw:CARD=Aid,DEV=0 does not run at 48000 Hz: it offers 32000 and 44100 Hz")
  }

  @Test("a sound server that holds the card is told from another program")
  func server() throws {
    var machine = machine()
    machine.devices[0].holders = [DeviceHolder(processID: 812, command: "wireplumber")]
    #expect(try finding("earphones' device", machine).remedy?.contains("sound server") == true)
    machine.devices[0].holders = [DeviceHolder(processID: 813, command: "arecord")]
    #expect(try finding("earphones' device", machine).remedy == "Stop it, or choose another device.")
  }

  @Test("cards that this user may not use are bad, with the file and the command that gives the right")
  func permission() throws {
    var machine = machine()
    machine.devices[0].refusedFile = "/dev/snd/controlC0"
    let finding = try finding("sound cards", machine)
    #expect(finding.verdict == .bad)
    #expect(finding.found == "hw:CARD=Aid,DEV=0 may not be opened (/dev/snd/controlC0)")
    #expect(finding.remedy?.hasPrefix("It needs the group audio: sudo usermod -aG audio") == true)
    #expect(finding.repair == .none(.administrator))
  }

  @Test(
    "two clocks far apart are a warning, at the end of matching another one; usual ones are good",
    arguments: [
      (-12.3, .good, "two, −12.3 ppm apart, matched"),
      (730, .warning, "two, 730.0 ppm apart, more than crystals differ"),
      // 0.5 % is the greatest correction of the rate matcher; 4500 is nine tenths of it.
      (
        -4600, .warning,
        "two, −4600.0 ppm apart, and matching ends at 5000: sound breaks off again and again"
      ),
      (nil, .good, "two, matched; their difference is not known yet"),
    ] as [(Double?, DoctorReport.Finding.Verdict, String)])
  func clocks(_ drift: Double?, _ verdict: DoctorReport.Finding.Verdict, _ words: String) throws {
    var machine = machine()
    machine.daemon = .success(.sample(drift: drift))
    let finding = try finding("clocks", machine)
    #expect(finding.verdict == verdict)
    #expect(finding.found == words)
    #expect((finding.remedy == nil) == (verdict == .good))
  }

  @Test(
    "drop-outs are told with their cause, and with a longer period where real time is not what is missing")
  func dropOuts() throws {
    var machine = machine()
    machine.daemon = .success(.sample)
    let finding = try finding("drop-outs", machine)
    #expect(finding.found == "2 since the start, 4.10 ms of sound lost, the last by playback underrun")
    #expect(finding.remedy?.contains("auricle config set device.period=128 or device.periods=4") == true)
  }

  @Test("what stands in the way of real time is told with its remedy")
  func priority() throws {
    var machine = machine()
    machine.scheduling = .ordinary(reason: .notPermitted(wanted: 70, limit: 0), nice: 0)
    machine.memory = .refused(limit: 8 << 20, error: SystemError(call: "mlockall", code: 12))
    machine.governor = "powersave"
    machine.kernel = "Linux version 4"
    #expect(try finding("real time", machine).remedy?.contains("rtprio 80") == true)
    #expect(try finding("memory", machine).remedy?.contains("memlock unlimited") == true)
    #expect(try finding("processor speed", machine).remedy?.contains("performance") == true)
    #expect(try finding("kernel", machine).verdict == .warning)
    // All of it makes sound worse, none of it makes it impossible.
    #expect(DoctorReport(machine).isHealthy)
  }

  @Test("every finding that is not good has its remedy, whatever is wrong")
  func remedies() throws {
    var machine = machine()
    machine.devices[0].refusedFile = "/dev/snd/controlC0"
    machine.daemon = .success(.sample(drift: 4900))
    machine.memory = .refused(limit: 8 << 20, error: SystemError(call: "mlockall", code: 12))
    machine.governor = "powersave"
    machine.kernel = "Linux version 4"
    machine.book = .newer
    machine.files = [.leftSocket("/r/s"), .unwritable("/s")]
    for configuration in ["", "device.playback = \"bluealsa\"", "device.playback = \"default\""] {
      machine.configuration = .success(try loaded(configuration))
      for finding in DoctorReport(machine).findings where finding.verdict != .good {
        #expect(finding.remedy != nil, "\(finding.subject): \(finding.found)")
      }
    }
  }

  @Test("a broken configuration is bad, once for each mistake")
  func configuration() {
    var machine = machine()
    let failures = [1, 2].map { Failure("f:\($0)", found: "x", expected: "y", exit: .configuration) }
    machine.configuration = .failure(ConfigurationFailures(failures: failures))
    let found = DoctorReport(machine).findings.filter { $0.subject == "configuration" }
    #expect(found.map(\.found) == ["f:1: x, expected y", "f:2: x, expected y"])
    #expect(found.allSatisfy { $0.verdict == .bad })
  }

  @Test("without a card the configuration's audiogram is in force where the daemon amplifies by it")
  func configurationInForce() throws {
    var machine = machine()
    let repository = try #require(#filePath.firstRange(of: "/Tests/").map { #filePath[..<$0.lowerBound] })
    machine.configuration = .success(
      try loaded("hearing.audiogram = \"\(repository)/Prescriptions/N3.json\""))
    var aid = AidSnapshot(state: StatusReport.State(.running, since: 0), memory: .onFault)
    func report() -> StatusReport {
      var report = StatusReport(
        aid, daemon: StatusReport.Daemon(version: "1", pid: 9, startedUnixSeconds: 0, nowUnixSeconds: 1))
      report.prescription = StatusReport.Prescription(serial: nil, clinic: nil, environment: nil, notes: [])
      return report
    }
    machine.daemon = .success(report())
    #expect(try finding("prescription", machine).found == "none in force, so nothing is amplified")
    aid.hearing.audiograms = Binaural(both: StandardAudiogram.n3.audiogram)
    machine.daemon = .success(report())
    #expect(try finding("prescription", machine).found == "NAL-RP-compressive, both ears")
  }

  @Test("cautions about the configuration's audiogram are counted, and nothing of it is told")
  func audiogramCautions() throws {
    let folder = TemporaryFolder()
    // 45 dB between the ears and within an octave: asymmetry by average and by neighbours, unmasked, steep.
    folder.write(
      """
      ear,500,1000,2000,4000
      left,25,25,25,25
      right,25,70,70,70
      """, to: "mine.csv")
    var machine = machine()
    machine.configuration = .success(try loaded("hearing.audiogram = \"\(folder.file("mine.csv"))\""))
    let found = try finding("prescription", machine)
    #expect(found.verdict == .warning)
    #expect(found.found == "NAL-RP-compressive, both ears; 4 cautions about the audiogram")
    #expect(found.remedy == "auricle check says which. Let a physician or an audiologist look at them.")
  }

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

extension Machine {
  /// A machine with nothing wrong but what nobody has set.
  static func usual() -> Machine {
    var card = DeviceDescription(name: "hw:CARD=Aid,DEV=0", title: "Aid, USB Audio")
    card.card = "Aid"
    card.directions = [.capture, .playback]
    let absence = Failure("socket", found: "no daemon there", exit: .unavailable)
    return Machine(
      configuration: .success(.defaults), devices: [card], scheduling: .realtime(priority: 70),
      memory: .onFault, daemon: .failure(absence), governor: "performance",
      kernel: "Linux version 6.1 #1 SMP PREEMPT_DYNAMIC Debian", isRealtimeKernel: false)
  }
}

extension DeviceOffer {
  static func usual(rates: [Int] = [44_100, 48_000]) -> DeviceOffer {
    DeviceOffer(
      rates: rates, formats: [.signed16, .signed32], channels: 2...2, period: 16...1024, buffer: 32...4096)
  }
}

extension StatusReport {
  /// ``sample`` with another difference of the clocks.
  static func sample(drift: Double?) -> StatusReport {
    let sample = StatusReport.sample
    return StatusReport(
      daemon: sample.daemon, state: sample.state, devices: sample.devices, fitting: sample.fitting,
      calibration: sample.calibration, meters: sample.meters, latency: sample.latency,
      realtime: sample.realtime, memory: sample.memory, clock: Clock(isShared: false, driftPPM: drift),
      configurationFile: nil)
  }
}

/// The first finding on a subject.
func finding(_ subject: String, _ machine: Machine) throws -> DoctorReport.Finding {
  try #require(DoctorReport(machine).findings.first { $0.subject == subject })
}
