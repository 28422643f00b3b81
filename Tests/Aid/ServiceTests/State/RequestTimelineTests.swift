import Base
import CommonTesting
import Control
import Engine
import Glibc
import Testing

@testable import Service

@Suite("Requests on a timeline") struct RequestTimelineTests: RequestSuite {
  let text = Shared("")

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
        "The request is carried out when it answers"))
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

  @Test(
    "sound that stood still at one look and goes on feeds the watchdog a tenth of a second later, not half its time"
  )
  func standstill() {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 4)))
    func fed(after time: Double, blocks: Int) -> Bool {
      daemon.engine(.running) { $0.reading.counters.blocks = blocks }
      daemon.pass(time)
      return daemon.notices.contains(.watchdog)
    }
    #expect(fed(after: 2.01, blocks: 100))
    #expect(!fed(after: 2.01, blocks: 100))
    #expect(fed(after: 0.11, blocks: 101))
  }

  @Test(
    "a device that does not open, also one that was waited for, is told after 5 s, and feeds the watchdog for 10 s",
    arguments: [AidState.starting, .waitingForDevice(reason: "it was unplugged")])
  func doesNotOpen(_ audio: AidState) {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 2)))
    daemon.engine(.waitingForDevice(reason: "it was unplugged"))
    // Waited for, it feeds the watchdog for ever.
    for _ in 0..<20 {
      daemon.pass(1)
      #expect(daemon.notices.contains(.watchdog))
    }
    let since = daemon.now
    daemon.engine(audio) { $0.openingSince = since }
    for second in 1...20 {
      daemon.pass(1)
      #expect(daemon.notices.contains(.watchdog) == (second < 10), "\(second) s")
      let isTold = daemon.state.told.reason?.contains("does not open") == true
      #expect(isTold == (second >= 5), "\(second) s")
    }
  }

  @Test(
    "a device that was lost and does not close is told after 2 s, and feeds the watchdog for 10 s, until it has closed"
  )
  func doesNotClose() {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 2)))
    let lost = AidState.waitingForDevice(reason: "the sound device stopped working (no sound moves)")
    let since = daemon.now
    daemon.engine(lost) { $0.closingSince = since }
    for second in 1...20 {
      daemon.pass(1)
      #expect(daemon.notices.contains(.watchdog) == (second < 10), "\(second) s")
      let isTold = daemon.state.told.reason?.contains("does not close") == true
      #expect(isTold == (second >= 2), "\(second) s")
    }
    daemon.engine(lost) { $0.closingSince = nil }
    daemon.pass(1)
    #expect(daemon.notices.contains(.watchdog))
    #expect(daemon.state.told.reason == "the sound device stopped working (no sound moves)")
  }

  @Test(
    "sound that stands still is told after 3 s and feeds the watchdog no more, whether a stop and a start come meanwhile or not",
    arguments: [false, true])
  func standsStill(isRestarted: Bool) {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 2)))
    let begin = daemon.now
    daemon.engine(.running) { ($0.lastBlock, $0.reading.counters.blocks) = (begin, 100) }
    var fed = 0.0
    for half in 1...60 {
      daemon.pass(0.5)
      if daemon.notices.contains(.watchdog) { fed = daemon.now - begin }
      if half == 2, isRestarted {
        daemon.ask(SoundMethods.Stop())
        daemon.ask(SoundMethods.Start())
        #expect(daemon.state.told.name == .starting)
      }
      // By then the former device's closing is waited for.
      let reason = isRestarted ? "does not close" : "stands still"
      if half >= 6 { #expect(daemon.state.told.reason?.contains(reason) == true, "\(half)") }
    }
    // Once by blocks that had advanced, and while other devices seemed to be opened.
    #expect(fed >= 1 && fed <= (isRestarted ? 3.5 : 1.5), "\(fed)")
  }

  @Test("a thread that does not end before other devices feeds the watchdog for 10 s")
  func doesNotEnd() {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), watchdogInterval: 2)))
    daemon.ask(SoundMethods.Stop())
    daemon.ask(SoundMethods.Start())
    for second in 1...20 {
      daemon.pass(1)
      #expect(daemon.notices.contains(.watchdog) == (second < 10), "\(second) s")
    }
    #expect(daemon.state.told.reason?.contains("does not close") == true)
  }

  @Test(
    "devices that break off within a second of sound, again and again, are told once, and as running once there was a second of it"
  )
  func breaksOff() {
    let daemon = Timeline.running()
    daemon.engine(.running) { $0.isUnproven = true }
    let lines = daemon.log.count
    for _ in 0..<20 {
      daemon.engine(.waitingForDevice(reason: "it drops out")) { $0.breakingOff = "it drops out" }
      daemon.pass(0.2)
      daemon.engine(.running) { $0.isUnproven = true }
      #expect(daemon.state.told.reason == "it drops out")
      daemon.pass(0.01)
    }
    #expect(daemon.log.count == lines + 1)
    daemon.engine(.running) { ($0.isUnproven, $0.breakingOff) = (false, nil) }
    #expect(daemon.state.told.name == .running)
  }

  @Test("so are devices that break off and cannot be opened at once; once they are missing that is told")
  func breaksOffAndIsAway() {
    // Its disk answers: one that has not for 5 s is a line too.
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    let lines = daemon.log.count
    for _ in 0..<20 {
      daemon.engine(.running) { $0.isUnproven = true }
      daemon.engine(.waitingForDevice(reason: "it is gone")) { $0.breakingOff = "it is gone" }
      for state in [AidState.waitingForDevice(reason: "no such device"), .starting, .running] {
        daemon.engine(state)
        #expect(daemon.state.told.reason == "it is gone")
        daemon.pass(0.1)
      }
    }
    #expect(daemon.log.count == lines + 1)
    daemon.engine(.waitingForDevice(reason: "no such device")) { $0.breakingOff = nil }
    #expect(daemon.state.told.reason == "no such device")
    daemon.engine(.faulted(reason: "no such rate")) { $0.breakingOff = "it is gone" }
    #expect(daemon.state.told.name == .faulted)
  }

  @Test("devices that break off and sound are not closed by a start, or for a test")
  func soundsWhileBreakingOff() {
    let daemon = Timeline.running()
    daemon.engine(.waitingForDevice(reason: "it drops out")) { $0.breakingOff = "it drops out" }
    daemon.engine(.running) { $0.isUnproven = true }
    #expect(daemon.state.told.name == .waitingForDevice)
    daemon.ask(SoundMethods.Start())
    #expect(daemon.orders == [])
    daemon.ask(FeedbackMethods.Measure())
    #expect(daemon.orders == [] && daemon.state.test?.phase == .measuring)
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

  @Test("at the end a request for the disk is refused by the name of that end, and not as by a late disk")
  func refusedAtEnd() throws {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    daemon.isDiskStalled = true
    daemon.ask(PrescriptionMethods.List())
    daemon.ask(PrescriptionMethods.List())
    daemon.happen(.signal(SIGTERM))
    daemon.engine(.stopped)
    #expect(daemon.state.ending?.isClosing == true && !daemon.isAnswered)
    // Behind the book's end nothing is done any more.
    daemon.ask(PrescriptionMethods.List())
    let late = try failure(daemon.answer(to: PrescriptionMethods.List.self))
    daemon.pass(0.5)
    #expect(daemon.end != nil)
    let begun = try failure(daemon.answer(to: PrescriptionMethods.List.self, before: 2))
    let waiting = try failure(daemon.answer(to: PrescriptionMethods.List.self, before: 1))
    for refusal in [late, waiting] {
      #expect(
        refusal.message
          == "auricled: The daemon is ending. Nothing was changed; ask again when it runs.")
    }
    #expect(
      begun.message == "auricled: The daemon is ending before the disk has done what was asked. "
        + "It may still be done: look when the daemon runs again.")
    #expect([late, waiting, begun].allSatisfy { $0.exitStatus == .temporary })
    // Nor is what waited begun by a disk that answers after all.
    daemon.releaseDisk()
    #expect(!daemon.effects.contains { if case .disk = $0 { true } else { false } })
  }

  @Test("whoever asks in the last moment is answered: nothing is waited for after the end")
  func lastMoment() {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    daemon.happen(.signal(SIGTERM))
    daemon.engine(.stopped)
    daemon.happen(.time)
    #expect(daemon.state.ending?.hasEnded == true)
    for method in [
      SoundMethods.Start(), SoundMethods.Reload(), PrescriptionMethods.List(), ProgramMethods.Use("music"),
    ] as [any ControlMethod] {
      ask(daemon, method)
      #expect(daemon.isAnswered, "\(type(of: method).name)")
    }
  }

  @Test("a program that is chosen when the disk is closed is heard, and told as not remembered")
  func lastChoice() throws {
    let daemon = timeline()
    daemon.happen(.begin)
    daemon.engine(.running)
    let earlier = try #require(daemon.ask(ProgramMethods.Use("music"))).get().message
    #expect(!earlier.contains("not remembered"))
    daemon.isDiskStalled = true
    daemon.happen(.signal(SIGTERM))
    daemon.engine(.stopped)
    daemon.happen(.time)
    #expect(daemon.state.disk.isClosed && daemon.state.ending?.hasEnded == false)
    let message = try #require(daemon.ask(ProgramMethods.Use("automatic"))).get().message
    #expect(message.hasPrefix("Automatic"))
    #expect(message.hasSuffix(" The daemon is ending: this is not remembered."))
  }

  private func ask(_ daemon: Timeline, _ method: some ControlMethod) { daemon.ask(method) }

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
    var effects = daemon.effects
    daemon.happen(.time)
    effects += daemon.effects
    // Kept marks stay for the next one, and are no sign of a crash.
    #expect(effects.contains { if case .noteEnd = $0 { true } else { false } })
    #expect(!effects.contains { if case .forgetKept = $0 { true } else { false } })
    #expect(daemon.state.ending?.status == .temporary && daemon.state.ending?.hasEnded == true)
  }
}
