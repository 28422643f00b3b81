import Base
import CommonTesting
import Control
import Engine
import Glibc
import Testing

@testable import Service

@Suite("A reload on a timeline") struct ReloadTimelineTests: RequestSuite {
  let text = Shared("")

  @Test("a configuration with mistakes changes nothing, and every mistake is told")
  func brokenReload() throws {
    let daemon = timeline()
    text.value = "[device]\nperiod = 8\nrate = 1\n[hearing]\nlink = 0.5"
    let failure = try self.failure(daemon.ask(SoundMethods.Reload()))
    #expect(failure.exitStatus == .configuration)
    #expect(failure.message.contains("auricle.toml:2: found device.period = 8 frames"))
    #expect(failure.message.contains("auricle.toml:3: found"))
    #expect(daemon.state.heard.dynamics.binauralLink == 0)
    #expect(daemon.state.configuration == .defaults)
  }

  @Test("a configuration whose files are missing changes nothing")
  func missingFile() throws {
    let daemon = timeline()
    text.value = "[hearing]\naudiogram = \"gone.json\"\nlink = 0.5"
    #expect(try failure(daemon.ask(SoundMethods.Reload())).exitStatus == .noInput)
    #expect(daemon.state.heard.dynamics.binauralLink == 0)
  }

  @Test("a good configuration is in force, and the answer says what it takes")
  func goodReload() {
    let daemon = timeline()
    text.value = "hearing.link = 0.5\ndevice.periods = 2\ncontrol.socket = \"/s\""
    let report = ReloadReport(
      applied: ["hearing.link"], reopened: ["device.periods"], restartNeeded: ["control.socket"])
    // At rest nothing has to be reopened and nothing is waited for in vain.
    #expect(self.report(daemon.ask(SoundMethods.Reload())) == report)
    #expect(daemon.state.heard.dynamics.binauralLink == 0.5)
    #expect(daemon.state.configuration.configuration.device.periods == 2)
  }

  @Test("a key that waits for the next start is told at every reload, until the file has what is in force")
  func waitingKeys() {
    let daemon = timeline()
    func waiting(_ toml: String) -> [String]? {
      text.value = toml
      return report(daemon.ask(SoundMethods.Reload()))?.restartNeeded
    }
    let both = "[control]\nsocket = \"/s\"\nowner = \"clinic\""
    let answers = (1...3).map { _ in waiting(both) }
    #expect(answers.allSatisfy { $0 == ["control.socket", "control.owner"] })
    daemon.happen(.signal(SIGHUP))
    #expect(
      daemon.log.last
        == "notice: configuration read again: needs a restart for control.socket, control.owner")
    let one = waiting("control.owner = \"clinic\"")
    #expect(one == ["control.owner"])
    let none = waiting("")
    #expect(none == [])
    // The daemon goes by it since the device was handed over.
    daemon.state.facts.configuredOwner = .clinic
    let handedOver = waiting("control.owner = \"clinic\"")
    #expect(handedOver == [])
    let back = waiting("")
    #expect(back == ["control.owner"])
  }

  @Test("while sound flows other devices are opened, and the answer waits until they are")
  func reopening() {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    text.value = "device.periods = 2"
    #expect(daemon.ask(SoundMethods.Reload()) == nil)
    #expect(daemon.orders == [.requestStop])
    daemon.engine(.stopped)
    #expect(daemon.orders == [.join, .start] && !daemon.isAnswered)
    daemon.engine(.running)
    #expect(
      report(daemon.answer(to: SoundMethods.Reload.self))
        == ReloadReport(applied: [], reopened: ["device.periods"], restartNeeded: []))
  }

  @Test(
    "where the new devices cannot be used sound goes on on the former ones, and the answer says why",
    arguments: [AidState.faulted(reason: "no such rate"), .waitingForDevice(reason: "there is none")])
  func refusedDevices(_ found: AidState) throws {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    text.value = "[device]\nplayback = \"hw:9\"\nperiod = 128\n[hearing]\nlink = 0.5"
    #expect(daemon.ask(SoundMethods.Reload()) == nil)
    daemon.engine(.stopped)
    #expect(daemon.orders == [.join, .start])
    daemon.engine(found)
    if case .waitingForDevice = found {
      // A card that has just been closed may need a moment.
      daemon.pass(1.9)
      #expect(daemon.orders == [] && !daemon.isAnswered)
      daemon.pass(0.2)
    }
    #expect(daemon.orders == [.requestStop])
    #expect(daemon.state.configuration.configuration.device == Configuration.Device())
    daemon.engine(.stopped)
    #expect(daemon.orders == [.join, .start])
    daemon.engine(.running)
    let report = try #require(self.report(daemon.answer(to: SoundMethods.Reload.self)))
    #expect(
      report.notes.count == 1 && report.notes[0].contains("cannot be used, so the former ones still are"))
    // The rest of the configuration is in force.
    #expect(daemon.state.heard.dynamics.binauralLink == 0.5)
    let notes = daemon.state.report.program?.notes ?? []
    #expect(notes.contains { $0.hasSuffix("Correct [device] in the file, then: auricle reload.") })
    // Once more: the file's devices are tried again, and are there now.
    #expect(daemon.ask(SoundMethods.Reload()) == nil)
    daemon.engine(.stopped)
    daemon.engine(.running)
    #expect(self.report(daemon.answer(to: SoundMethods.Reload.self))?.notes == [])
    #expect(daemon.state.configuration.configuration.device.playback == "hw:9")
    daemon.pass(10)
    #expect(daemon.orders == [])
  }

  @Test(
    "new devices are told as found with their first sound, and make way for the former ones where they break off within a second of it"
  )
  func breaksOff() throws {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    text.value = "device.playback = \"hw:9\""
    #expect(daemon.ask(SoundMethods.Reload()) == nil)
    daemon.engine(.stopped)
    daemon.engine(.running) { $0.isUnproven = true }
    #expect(report(daemon.answer(to: SoundMethods.Reload.self))?.reopened == ["device.playback"])
    for _ in 0..<5 {
      daemon.engine(.waitingForDevice(reason: "it drops out")) { $0.breakingOff = "it drops out" }
      daemon.pass(0.2)
      daemon.engine(.running) { $0.isUnproven = true }
    }
    #expect(daemon.orders == [] && daemon.state.configuration.configuration.device.playback == "hw:9")
    daemon.pass(1.2)
    #expect(daemon.orders == [.requestStop])
    #expect(daemon.state.configuration.configuration.device == Configuration.Device())
    #expect(daemon.state.refusedDevices?.contains("it drops out") == true)
  }

  @Test("new devices that have sounded for a second stay, whatever becomes of them later")
  func proven() {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    text.value = "device.playback = \"hw:9\""
    #expect(daemon.ask(SoundMethods.Reload()) == nil)
    daemon.engine(.stopped)
    daemon.engine(.running) { $0.isUnproven = true }
    daemon.engine(.running) { $0.isUnproven = false }
    daemon.engine(.waitingForDevice(reason: "it was unplugged"))
    daemon.pass(10)
    #expect(daemon.orders == [] && daemon.state.configuration.configuration.device.playback == "hw:9")
  }

  @Test(
    "new devices on which a procedure begins at once stay as well once they have sounded for a second, under it or before",
    arguments: [false, true])
  func provenUnderProcedure(isUnder: Bool) {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    text.value = "device.playback = \"hw:9\""
    #expect(daemon.ask(SoundMethods.Reload()) == nil)
    daemon.engine(.stopped)
    daemon.engine(.running) { $0.isUnproven = true }
    if !isUnder { daemon.engine(.running) { $0.isUnproven = false } }
    daemon.ask(FeedbackMethods.Measure())
    #expect(daemon.state.test != nil && (daemon.state.formerDevices == nil) == !isUnder)
    if isUnder { daemon.engine(.running) { $0.isUnproven = false } }
    #expect(daemon.state.formerDevices == nil)
    daemon.pass(60)
    daemon.engine(.waitingForDevice(reason: "it was unplugged"))
    daemon.happen(.test(2, .ended(.failure(.device("it was unplugged")))))
    #expect(daemon.state.test == nil && daemon.orders == [])
    daemon.pass(10)
    #expect(daemon.orders == [] && daemon.state.configuration.configuration.device.playback == "hw:9")
    #expect(daemon.state.refusedDevices == nil)
  }

  @Test(
    "devices that sound for less than a second at a time are what there is, also in between: others that a reload asks for and that refuse make way for them",
    arguments: [AidState.running, .starting, .waitingForDevice(reason: "it drops out")])
  func fromBreakingOff(_ audio: AidState) {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.waitingForDevice(reason: "it drops out")) { $0.breakingOff = "it drops out" }
    daemon.engine(audio) { $0.isUnproven = true }
    #expect(daemon.state.told.reason == "it drops out")
    text.value = "device.playback = \"hw:9\""
    #expect(daemon.ask(SoundMethods.Reload()) == nil)
    daemon.engine(.stopped) { $0.breakingOff = nil }
    daemon.engine(.faulted(reason: "no such rate"))
    #expect(daemon.orders == [.requestStop])
    #expect(daemon.state.configuration.configuration.device == Configuration.Device())
    #expect(daemon.state.refusedDevices?.contains("no such rate") == true)
  }

  @Test("a start after a crash has the devices that were in use where those of the file were refused")
  func refusedBeforeCrash() throws {
    let folder = TemporaryFolder()
    let kept = KeptConfiguration(besideSocket: folder.file("control.sock"))
    let search = ConfigurationSearch(explicit: folder.file("auricle.toml"), environment: [:])
    let disk = ServiceDisk(
      folder: nil, store: PrescriptionStore(folder: "/nonexistent/book"), keptConfiguration: kept
    ) { search.load() }
    folder.write("device.playback = \"hw:1\"", to: "auricle.toml")
    let read = try search.load().get()
    let daemon = Timeline(ServiceState(.init(started: .at(100)), configuration: read), disk: disk)
    daemon.happen(.begin)
    daemon.engine(.running)
    folder.write("device.playback = \"hw:9\"\nhearing.link = 0.5", to: "auricle.toml")
    daemon.ask(SoundMethods.Reload())
    daemon.engine(.stopped)
    daemon.engine(.faulted(reason: "no such rate"))
    let found = try kept.settings(search)
    #expect(found.settings.playbackName == "hw:1" && found.settings.hearing.dynamics.binauralLink == 0.5)
    #expect(found.refused.isEmpty && found.loaded.askedDevice.playback == "hw:9")
    let again = Timeline(
      ServiceState(
        .init(started: .at(100)), configuration: found.loaded, configured: found.settings.hearing,
        refusedDevices: found.refusedDevices), disk: disk)
    again.happen(.begin)
    let notes = again.state.report.program?.notes ?? []
    #expect(
      notes.contains {
        $0.hasSuffix(
          "so the former ones still are: no such rate. Correct [device] in the file, then: auricle reload.")
      })
    #expect(try kept.settings(search).refusedDevices == found.refusedDevices)
  }

  @Test("an aid that is stopped, or was silent before, keeps the new devices and waits for them")
  func silentBefore() {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.waitingForDevice(reason: "none"))
    text.value = "device.playback = \"hw:9\""
    _ = daemon.ask(SoundMethods.Reload())
    daemon.engine(.stopped)
    daemon.engine(.waitingForDevice(reason: "no hw:9"))
    daemon.pass(10)
    #expect(daemon.state.configuration.configuration.device.playback == "hw:9")
    #expect(daemon.state.refusedDevices == nil)
  }

  @Test("an audiogram that changed under the same name is told, once; the same one again is not")
  func changedAudiogram() throws {
    let folder = TemporaryFolder()
    func write(_ level: Int) throws {
      let ear = "{\"air\": {\"500\": 10, \"1000\": \(level), \"2000\": 40}}"
      folder.write(
        "{\"format\": \"auricle-audiogram\", \"version\": 1, \"name\": \"a\", \"left\": \(ear), \"right\": \(ear)}",
        to: "a.json")
    }
    let daemon = timeline()
    text.value = "hearing.audiogram = \"\(folder.file("a.json"))\""
    func applied(_ daemon: Timeline) -> [String]? {
      report(daemon.ask(SoundMethods.Reload()))?.applied
    }
    try write(20)
    #expect(applied(daemon) == ["hearing.audiogram"])
    #expect(applied(daemon) == [])
    try write(25)
    #expect(applied(daemon) == ["hearing.audiogram"])
    #expect(daemon.state.heard.audiograms?.left.threshold(at: 1000)?.decibels == 25)
    #expect(applied(daemon) == [])
  }

  @Test("a calibration's number is told by its key alone")
  func changedCalibration() {
    let daemon = timeline()
    text.value = "calibration.earphone.full-scale-level = 111"
    let report = self.report(daemon.ask(SoundMethods.Reload()))
    #expect(report?.applied == ["calibration.earphone.full-scale-level"])
    // Full scale was taken for 120 dB SPL: the limit of 111 dB SPL now is full scale itself.
    #expect(report?.notes.count == 1 && report?.notes.first?.contains("9 dB louder than before") == true)
    text.value = "calibration.earphone.full-scale-level = 111\nsafety.maximum-output = 100"
    #expect(self.report(daemon.ask(SoundMethods.Reload()))?.notes == [])
  }

  @Test(
    "a configuration whose file is gone stays in force: defaults do not have the limit that somebody confirmed"
  )
  func vanishedFile() throws {
    let isThere = Shared(true)
    let disk = ServiceDisk(folder: nil, store: PrescriptionStore(folder: "/nonexistent/book")) {
      guard isThere.value else { return .success(.defaults) }
      return Result { try loaded("safety.maximum-output = 80") }.mapError { _ in
        ConfigurationFailures(failures: [])
      }
    }
    let daemon = Timeline(ServiceState(.init(started: .at(100))), disk: disk)
    #expect(daemon.ask(SoundMethods.Reload()) != nil)
    #expect(daemon.state.heard.outputCeiling.decibels == 80)
    isThere.value = false
    let failure = try self.failure(daemon.ask(SoundMethods.Reload()))
    #expect(failure.exitStatus == .noInput && failure.message.contains("has no file any more"))
    #expect(daemon.state.heard.outputCeiling.decibels == 80)
  }

  @Test("a file that is gone does not make way for another place's, and is asked to be put back")
  func otherFile() throws {
    let folder = TemporaryFolder()
    let environment = ["HOME": folder.path]
    let search = ConfigurationSearch(
      explicit: nil, environment: environment,
      paths: StandardPaths(environment: environment, userID: 1000))
    let own = folder.file(".config/auricle/auricle.toml")
    let place = Shared(own)
    let disk = ServiceDisk(
      folder: nil, store: PrescriptionStore(folder: "/nonexistent/book"), search: search
    ) {
      let limit = place.value == own ? 80 : 100
      return Result { () throws(ConfigurationFailures) in
        try Configuration.reading([UInt8]("safety.maximum-output = \(limit)".utf8), file: place.value)
      }
    }
    let daemon = Timeline(ServiceState(.init(started: .at(100))), disk: disk)
    #expect(daemon.ask(SoundMethods.Reload()) != nil)
    place.value = "/etc/auricle/auricle.toml"
    let failure = try self.failure(daemon.ask(SoundMethods.Reload()))
    #expect(
      failure.exitStatus == .noInput && failure.message.contains("Put it back, then: auricle reload."))
    #expect(daemon.state.heard.outputCeiling.decibels == 80)
    daemon.happen(.signal(SIGHUP))
    let notes = daemon.state.report.program?.notes ?? []
    #expect(notes.contains { $0.hasPrefix("The configuration file is gone") })
    #expect(daemon.state.heard.outputCeiling.decibels == 80)
  }

  @Test(
    "a reload by signal is logged, by what it changed or by what is wrong, which status says too until it is read again and right"
  )
  func reloadBySignal() {
    let daemon = timeline()
    text.value = "hearing.link = 0.5"
    daemon.happen(.signal(SIGHUP))
    #expect(daemon.log.last == "notice: configuration read again: applied hearing.link")
    text.value = "hearing.link = 2"
    daemon.happen(.signal(SIGHUP))
    #expect(daemon.log.last == "error: configuration not changed, the former one stays in force")
    #expect(daemon.state.heard.dynamics.binauralLink == 0.5)
    #expect(daemon.state.report.program?.notes.contains { $0.contains("a start would be refused") } == true)
    text.value = "hearing.link = 0.25"
    daemon.happen(.signal(SIGHUP))
    #expect(
      daemon.state.report.program?.notes.contains { $0.contains("a start would be refused") } == false)
  }

  @Test("a limit that a reload by signal raises is a warning in the log, once; one that it lowers is not")
  func raisedLimit() {
    let daemon = timeline()
    func warnings(_ limit: Int) -> [String] {
      text.value = "safety.maximum-output = \(limit)"
      daemon.happen(.signal(SIGHUP))
      return daemon.effects.compactMap {
        if case .log(let line) = $0, line.level == .warning { line.message } else { nil }
      }
    }
    let (lowered, raised, same) = (warnings(80), warnings(110), warnings(110))
    #expect(lowered == [] && same == [])
    #expect(raised.count == 1)
    #expect(raised.first?.hasPrefix("The loudest sound can be 30 dB louder than before") == true)
  }

  @Test("the report that a signal writes names no installed version: the daemon knows its own alone")
  func reportAfterReplacement() {
    let daemon = timeline()
    daemon.happen(.programReplaced)
    daemon.happen(.signal(SIGUSR1))
    let words = "Another version or build is installed; it plays after the next start of the daemon"
    #expect(daemon.log.contains { $0.hasPrefix("notice: ") && $0.hasSuffix(words) })
  }
}
