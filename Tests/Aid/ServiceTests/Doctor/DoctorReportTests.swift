import Acoustics
import Base
import Book
import CommonTesting
import Control
import Engine
import Fitting
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

  @Test(
    "a daemon in every state without sound is told with the way to sound, and to the end of a mute",
    arguments: StatusReport.State.Name.allCases, [false, true])
  func daemonStates(_ name: StatusReport.State.Name, isMuted: Bool) throws {
    var machine = machine()
    var aid = AidSnapshot(state: StatusReport.State(.running, since: 0), memory: .onFault)
    aid.state = StatusReport.State(name, isMuted: isMuted || name == .muted, since: 0)
    machine.daemon = .success(
      StatusReport(
        aid, daemon: StatusReport.Daemon(version: "1", pid: 9, startedUnixSeconds: 0, nowUnixSeconds: 1)))
    let daemon = try finding("daemon", machine)
    #expect((daemon.remedy == nil) == (daemon.verdict == .good))
    guard name != .running else { return #expect(daemon.verdict == .good) }
    let remedy = try #require(daemon.remedy)
    #expect(remedy.contains("auricle unmute") == (isMuted || name == .muted))
    if name == .stopped { #expect(remedy.hasPrefix("Sound again: auricle start")) }
    // Left alone: what is heard is the person's.
    if name == .muted || name == .stopped { #expect(daemon.repair == .none(.hearing)) }
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

  @Test(
    "a limit that a clinic's card sets is told by doctor with the clinic as the remedy, and one of the configuration with the key"
  )
  func cardLimit() throws {
    var machine = machine()
    machine.configuration = .success(.defaults)
    #expect(!DoctorReport(machine).findings.contains { $0.subject == "greatest output" })
    var aid = AidSnapshot(state: StatusReport.State(.running, since: 0), memory: .onFault)
    aid.hearing.audiograms = Binaural(both: StandardAudiogram.n3.audiogram)
    aid.hearing.plan = try FittingPlan(target: .rule(.nalRP), outputCeiling: SoundPressureLevel(65))
    let report = StatusReport(
      aid, daemon: StatusReport.Daemon(version: "1", pid: 9, startedUnixSeconds: 0, nowUnixSeconds: 1))
    machine.daemon = .success(report)
    // The configuration's limit is 111 dB SPL.
    let found = try finding("greatest output", machine)
    #expect(found.verdict == .warning && found.found.hasPrefix("65 dB SPL."))
    #expect(found.remedy == "Your clinic's card sets it: ask the clinic for another card.")
    #expect(report.withoutHearing.fitting.isMaximumOutputPrescribed == true)
    machine.daemon = .failure(Failure("socket", found: "no daemon there", exit: .unavailable))
    machine.configuration = .success(try loaded("safety.maximum-output = 80"))
    #expect(try finding("greatest output", machine).remedy?.contains("safety.maximum-output") == true)
  }

  @Test("a prescription that is withheld from whoever has no role is not told as none")
  func withheld() throws {
    var machine = machine()
    machine.daemon = .success(StatusReport.sample(drift: 0).withoutHearing)
    let found = try finding("prescription", machine)
    #expect(found.verdict == .good && found.found.hasPrefix("one is in force"))
    let aid = AidSnapshot(state: StatusReport.State(.running, since: 0), memory: .onFault)
    let report = StatusReport(
      aid, daemon: StatusReport.Daemon(version: "1", pid: 9, startedUnixSeconds: 0, nowUnixSeconds: 1))
    machine.daemon = .success(report.withoutHearing)
    let none = try finding("prescription", machine)
    #expect(none.verdict == .warning && none.found == "none in force, so nothing is amplified")
    #expect(none.remedy?.hasSuffix("auricle doctor --as audiologist") == true)
  }

  @Test(
    "where the daemon has another configuration, that is said, and its prescription and calibration are told"
  )
  func otherConfiguration() throws {
    var machine = machine()
    machine.configuration = .success(try loaded(""))
    machine.daemon = .success(.sample)
    func files() -> [String] {
      DoctorReport(machine).findings.filter { $0.subject == "configuration" }.map(\.found)
    }
    #expect(files() == ["/nowhere/auricle.toml", "the daemon has another one, /etc/auricle/auricle.toml"])
    #expect(try finding("prescription", machine).found == "NAL-RP-compressive, both ears")
    #expect(try finding("calibration, microphone", machine).found == "provisional, device not named")
    #expect(
      try finding("calibration, earphones", machine).found == "verified, hw:CARD=PCH, 2026-01-31")
    machine.daemon = .success(.sample(drift: 0, file: "/srv/my aid/auricle.toml"))
    let other = DoctorReport(machine).findings.last { $0.subject == "configuration" }
    #expect(other?.remedy?.hasSuffix("auricle doctor --config '/srv/my aid/auricle.toml'") == true)
    machine.daemon = .success(.sample(drift: 0))
    #expect(files().last == "the daemon has none, all its values are defaults")
    // With the same one it is this file's that count.
    machine.configuration = .success(.defaults)
    #expect(files() == ["no file, all values are defaults"])
    #expect(try finding("prescription", machine).found == "no audiogram, so nothing is amplified")
  }

  @Test(
    "without a daemon a missing audiogram is bad where the book took no card, a warning where that is unknown",
    arguments: [(false, .bad), (nil, .warning), (true, .good)] as [(Bool?, DoctorReport.Finding.Verdict)])
  func bookWithoutCards(hasCards: Bool?, verdict: DoctorReport.Finding.Verdict) throws {
    var machine = machine()
    machine.configuration = .success(try loaded("hearing.audiogram = \"gone.json\""))
    machine.book = .current
    machine.hasCards = hasCards
    let report = DoctorReport(machine)
    let found = report.findings.filter { $0.subject == "prescription" }
    #expect(found.map(\.verdict) == [verdict])
    #expect(report.isHealthy == (hasCards != false))
    #expect(found.first?.found.contains("gone.json") == (hasCards == false))
    let warnings = report.findings.filter { $0.subject == "audiogram" }
    #expect(warnings.map(\.verdict) == (hasCards == false ? [] : [.warning]))
    #expect(warnings.allSatisfy { $0.found.contains("unknown") == (hasCards == nil) })
  }

  @Test("a missing audiogram is a warning while a daemon that does not answer has the book open")
  func unansweredBook() throws {
    var machine = machine()
    machine.configuration = .success(try loaded("hearing.audiogram = \"gone.json\""))
    machine.daemon = .failure(Failure("socket", found: "no answer", exit: .temporary))
    machine.book = .inUse
    machine.hasCards = nil
    let audiogram = try finding("audiogram", machine)
    #expect(audiogram.verdict == .warning)
    #expect(audiogram.found.contains("gone.json") && audiogram.found.contains("unknown"))
    #expect(audiogram.remedy?.contains("auricle rx show") == true)
    #expect(try finding("prescription", machine).verdict == .warning)
    // Without a book it is what is heard.
    machine.book = .absent
    machine.hasCards = false
    #expect(try finding("prescription", machine).verdict == .bad)
  }

  @Test(
    "no prescription is called good of a book that cannot be read, or of which nobody knows whether it has a card",
    arguments: [.unreadable("it is damaged."), .newer, .current, .older, .inUse] as [BookForm])
  func unknownBook(form: BookForm) throws {
    var machine = machine()
    let repository = try #require(#filePath.firstRange(of: "/Tests/").map { #filePath[..<$0.lowerBound] })
    machine.configuration = .success(
      try loaded("hearing.audiogram = \"\(repository)/Prescriptions/N3.json\""))
    machine.book = form
    machine.hasCards = nil
    let found = DoctorReport(machine).findings.filter { $0.subject == "prescription" }
    #expect(found.map(\.verdict) == [.warning])
    #expect(found.allSatisfy { $0.remedy != nil })
    // A book that never took a card leaves the configuration's in force, where it can be read at all.
    machine.hasCards = false
    let isReadable = form == .current || form == .older || form == .inUse
    #expect((try finding("prescription", machine).verdict == .good) == isReadable)
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
}
