import Base
import CommonTesting
import Control
import Engine
import Glibc
import Synchronization
import Testing

@testable import Service

@Suite("Requests on a timeline") struct RequestTimelineTests {
  private let text = Shared("")

  /// One whose configuration is the text at the time of a reload.
  private func timeline(_ facts: ServiceState.Facts = .init(started: .at(100))) -> Timeline {
    let disk = ServiceDisk(folder: nil, store: PrescriptionStore(folder: "/nonexistent/book")) { [text] in
      do {
        return .success(try loaded(text.value))
      } catch let error as ConfigurationFailures {
        return .failure(error)
      } catch {
        return .failure(ConfigurationFailures(failures: []))
      }
    }
    return Timeline(ServiceState(facts), disk: disk)
  }

  private func failure<Reply>(_ answer: Result<Reply, Failure>?) throws -> Failure {
    guard case .failure(let failure) = answer else {
      throw Failure("test", found: "success", exit: .software)
    }
    return failure
  }

  private func name(_ answer: Result<StateAnswer, Failure>?) -> StatusReport.State.Name? {
    try? answer?.get().state.name
  }

  /// Without the fitting, which says what the settings say.
  private func report(_ answer: Result<ReloadReport, Failure>?) -> ReloadReport? {
    var report = try? answer?.get()
    report?.fitting = nil
    return report
  }

  // MARK: - The configuration

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

  @Test(
    "a reload by signal is logged, by what it changed or by what is wrong, which status says too until it is right"
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

  // MARK: - Waiting

  @Test("a start that the engine does not carry out is answered after 0.3 s all the same")
  func patience() {
    let daemon = timeline()
    #expect(daemon.ask(SoundMethods.Start()) == nil)
    daemon.pass(0.29)
    #expect(!daemon.isAnswered)
    daemon.pass(0.02)
    #expect(name(daemon.answer(to: SoundMethods.Start.self)) == .starting)
  }

  @Test("a start is answered when sound flows, a stop when it has ended")
  func answeredInTime() {
    let daemon = timeline()
    daemon.ask(SoundMethods.Start())
    daemon.engine(.running)
    #expect(name(daemon.answer(to: SoundMethods.Start.self)) == .running)
    #expect(daemon.ask(SoundMethods.Stop()) == nil)
    daemon.engine(.stopped)
    #expect(name(daemon.answer(to: SoundMethods.Stop.self)) == .stopped)
  }

  @Test(
    "while the disk does not answer, status, mute and volume are answered, and what needs it is refused undone"
  )
  func stalledDisk() throws {
    let daemon = timeline()
    daemon.isDiskStalled = true
    daemon.happen(.signal(SIGHUP))
    text.value = "hearing.link = 0.5"
    func isRefused<Method: ControlMethod>(_ method: Method, within patience: Double) throws {
      #expect(daemon.ask(method) == nil)
      daemon.pass(patience)
      let failure = try self.failure(daemon.answer(to: Method.self))
      #expect(failure.exitStatus == .temporary && failure.message.contains("Nothing was changed"))
    }
    try isRefused(SoundMethods.Reload(), within: 2)
    try isRefused(PrescriptionMethods.List(), within: 2)
    try isRefused(FeedbackMethods.Clear(), within: 2)
    try isRefused(ReportMethods.Devices(), within: 4.5)
    func isAnswered(_ method: some ControlMethod) { daemon.ask(method); #expect(daemon.isAnswered) }
    isAnswered(ReportMethods.Status())
    isAnswered(SoundMethods.Mute())
    isAnswered(SoundMethods.Stop())
    func isHeardFirst<Method: ControlMethod>(_ method: Method) throws {
      #expect(daemon.ask(method) == nil && daemon.applied != nil)
      daemon.pass(0.3)
      _ = try #require(daemon.answer(to: Method.self)).get()
    }
    try isHeardFirst(ProgramMethods.Volume(.by(-3)))
    try isHeardFirst(ProgramMethods.Use("music"))
    #expect(daemon.state.heard.program == .music && daemon.state.state.isMuted)
    text.value = ""
    daemon.releaseDisk()
    #expect(daemon.state.disk.isIdle)
    #expect(daemon.state.heard.dynamics.binauralLink == 0, "a refused reload is not done later")
  }

  @Test("a request whose work was begun in time is told that it will be done, and it is")
  func lateDisk() throws {
    let daemon = timeline()
    daemon.isDiskStalled = true
    text.value = "hearing.link = 0.5"
    daemon.ask(SoundMethods.Reload())
    daemon.pass(2)
    #expect(
      try failure(daemon.answer(to: SoundMethods.Reload.self)).message.contains(
        "What was asked is done when it does"))
    daemon.releaseDisk()
    #expect(daemon.state.heard.dynamics.binauralLink == 0.5)
  }

  @Test(
    "a disk that is silent for 5 s is logged and reported until it answers, and the watchdog is fed meanwhile"
  )
  func reportedDisk() {
    let daemon = timeline(.init(started: .at(100), watchdogInterval: 2))
    daemon.isDiskStalled = true
    daemon.happen(.signal(SIGHUP))
    var beats = 0
    for _ in 0..<20 {
      daemon.pass(1)
      beats += daemon.notices.count { $0 == .watchdog }
    }
    #expect(beats == 20)
    #expect(daemon.log.count { $0.hasPrefix("error: The disk has not answered for 5 s") } == 1)
    #expect(daemon.state.report.program?.notes.contains { $0.contains("not answered for 20 s") } == true)
    daemon.releaseDisk()
    #expect(daemon.log.contains("notice: the disk answers again"))
  }

  // MARK: - Time

  @Test("a wall clock that is set back changes neither up-time nor how long a state has lasted")
  func clockSetBack() {
    var state = ServiceState(
      ServiceState.Facts(started: Moment(monotonic: 0, running: 50, wall: 1_000_000)))
    _ = state.handle(.begin, at: Moment(monotonic: 10, running: 60, wall: 1_000_010))
    let waits = Event.audio(AudioNotice(state: .waitingForDevice(reason: "r")))
    _ = state.handle(waits, at: Moment(monotonic: 10, running: 60, wall: 1_000_010))
    _ = state.handle(waits, at: Moment(monotonic: 30, running: 80, wall: 400_000))
    let report = state.report
    #expect(report.daemon.nowUnixSeconds == 400_000)
    #expect(report.daemon.startedUnixSeconds == 400_000 - 30)
    #expect(report.state.sinceUnixSeconds == 400_000 - 20)
    #expect(StatusText(report).text.contains("up 30 s"))
  }

  // MARK: - Mute

  @Test("a mute is remembered and told while no sound flows, until it is taken back")
  func rememberedMute() {
    let daemon = timeline()
    func state(_ answer: Result<StateAnswer, Failure>?) -> StatusReport.State? { try? answer?.get().state }
    let muted = state(daemon.ask(SoundMethods.Mute()))
    #expect(muted?.name == .stopped && muted?.isMuted == true)
    #expect(daemon.effects.contains { if case .mute(true) = $0 { true } else { false } })
    let stopped = state(daemon.ask(SoundMethods.Stop()))
    #expect(stopped?.name == .stopped && stopped?.isMuted == true)
    #expect(state(daemon.ask(SoundMethods.Unmute()))?.isMuted == false)
  }

  @Test("muting is told at once")
  func mute() {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    #expect(name(daemon.ask(SoundMethods.Mute())) == .muted)
    #expect(name(daemon.ask(SoundMethods.Unmute())) == .running)
  }

  // MARK: - The end

  @Test("a daemon of somebody's own ends with the sound, a service stays")
  func endsWhenStopped() {
    let own = timeline(.init(started: .at(100), endsWhenStopped: true))
    own.ask(SoundMethods.Stop())
    #expect(own.state.ending != nil)
    let service = timeline()
    service.ask(SoundMethods.Stop())
    #expect(service.state.ending == nil)
    service.ask(SoundMethods.Shutdown())
    #expect(service.state.ending != nil)
  }

  @Test("the end waits for the sound, then for the book, and answers whoever waits")
  func orderlyEnd() {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    daemon.happen(.signal(SIGTERM))
    #expect(daemon.orders == [.requestStop] && daemon.notices.contains(.stopping) && daemon.end == nil)
    daemon.engine(.stopped)
    daemon.happen(.time)
    #expect(daemon.state.ending?.hasEnded == true)
  }

  @Test("a device that does not close and a disk that does not answer hold up the end for 1.4 s in all")
  func hurriedEnd() throws {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    daemon.isDiskStalled = true
    daemon.ask(PrescriptionMethods.List())
    daemon.happen(.signal(SIGTERM))
    daemon.pass(0.89)
    #expect(daemon.state.ending?.isClosing == false)
    daemon.pass(0.02)
    #expect(daemon.state.ending?.isClosing == true && daemon.end == nil)
    daemon.pass(0.5)
    let end = try #require(daemon.end)
    #expect(end.status == .done && !end.isOrderly)
    #expect(try failure(daemon.answer(to: PrescriptionMethods.List.self)).exitStatus == .temporary)
  }

  @Test("a second interruption ends at once")
  func interruptedTwice() throws {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    daemon.happen(.signal(SIGINT))
    #expect(daemon.end == nil)
    daemon.happen(.signal(SIGINT))
    #expect(daemon.end?.status == .interrupted)
  }

  @Test("a daemon whose socket was taken away ends so that it is started again")
  func unreachable() throws {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    daemon.happen(.socketLost)
    #expect(daemon.log.contains { $0.hasPrefix("error: ending: the control socket") })
    daemon.engine(.stopped)
    daemon.happen(.time)
    #expect(daemon.state.ending?.status == .temporary && daemon.state.ending?.hasEnded == true)
  }
}

@Suite("Another version of the program, in time") struct ReplacedProgramTests {
  private static func looks(_ timeline: Timeline) -> Bool {
    timeline.effects.contains { if case .checkProgram = $0 { true } else { false } }
  }

  @Test("it is looked for each second; once found, log and status say so and the sound goes on")
  func replaced() {
    let timeline = Timeline.running()
    timeline.pass(1)
    #expect(Self.looks(timeline) && timeline.state.report.daemon.replacedUnixSeconds == nil)
    timeline.happen(.programReplaced)
    let found = timeline.now
    #expect(timeline.orders == [] && timeline.end == nil)
    timeline.pass(1)
    #expect(!Self.looks(timeline))
    timeline.happen(.programReplaced)
    #expect(timeline.state.report.daemon.replacedUnixSeconds == found)
    #expect(timeline.state.report.state.name == .running)
    #expect(
      timeline.log.filter { $0.hasPrefix("notice: another version of the program was installed") }.count
        == 1)
  }

  @Test(
    "the kernel's word for a file that has lost its name is what counts; a file that is there and a missing /proc are no other version"
  )
  func link() {
    let folder = TemporaryFolder()
    for (number, (text, isReplaced)) in [("/usr/bin/auricle (deleted)", true), ("/usr/bin/auricle", false)]
      .enumerated()
    {
      let path = folder.file("\(number)")
      symlink(text, path)
      #expect(RunningProgram(link: path).isReplaced == isReplaced)
    }
    #expect(!RunningProgram(link: folder.file("none")).isReplaced)
    #expect(!RunningProgram().isReplaced)
  }
}

/// A value that tests and closures share.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}
