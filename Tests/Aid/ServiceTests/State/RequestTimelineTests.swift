import Base
import CommonTesting
import Control
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
}
