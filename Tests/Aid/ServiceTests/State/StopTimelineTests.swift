import Base
import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("A stop, and a crash after it") struct StopTimelineTests {
  private static func marks(_ timeline: Timeline) -> [Bool] {
    timeline.effects.compactMap { if case .keepStop(let isKept) = $0 { isKept } else { nil } }
  }

  @Test("the stop of a daemon that stays is kept until a start; one that ends with its sound keeps nothing")
  func kept() {
    let service = Timeline.running()
    service.ask(SoundMethods.Stop())
    #expect(Self.marks(service) == [true])
    service.engine(.stopped)
    service.ask(SoundMethods.Start())
    #expect(Self.marks(service) == [false] && service.orders == [.start])
    let own = Timeline.running(ServiceState(.init(started: .at(100), endsWhenStopped: true)))
    own.ask(SoundMethods.Stop())
    #expect(Self.marks(own).isEmpty && own.state.ending != nil)
  }

  @Test("an orderly end forgets what is kept by its last work, also where a reload was under way")
  func forgotten() throws {
    let folder = TemporaryFolder()
    let socket = folder.file("control.sock")
    let (mute, stop) = (KeptSilence(.mute, besideSocket: socket), KeptSilence(.stop, besideSocket: socket))
    let configuration = KeptConfiguration(besideSocket: socket)
    folder.write("hearing.link = 0.5", to: "auricle.toml")
    let search = ConfigurationSearch(explicit: folder.file("auricle.toml"), environment: [:])
    let disk = ServiceDisk(
      folder: nil, store: PrescriptionStore(folder: "/nonexistent/book"), keptConfiguration: configuration,
      keptSilences: [mute, stop]
    ) { search.load() }
    let read = try search.load().get()
    let timeline = Timeline(ServiceState(.init(started: .at(100)), configuration: read), disk: disk)
    timeline.happen(.begin)
    try mute.keep()
    try stop.keep()
    timeline.ask(SoundMethods.Stop())
    timeline.engine(.stopped)
    #expect(configuration.isKept && mute.isKept && stop.isKept)
    timeline.isDiskStalled = true
    timeline.happen(.signal(SIGHUP))
    folder.write("hearing.link = 0.25", to: "auricle.toml")
    timeline.happen(.signal(SIGTERM))
    #expect(timeline.state.ending?.isClosing == true && timeline.end == nil)
    timeline.releaseDisk()
    #expect(timeline.state.heard.dynamics.binauralLink == 0.25, "the reload was under way")
    #expect(timeline.state.ending?.hasEnded == true && timeline.state.disk.isIdle)
    #expect(!configuration.isKept && !mute.isKept && !stop.isKept)
    #expect(!timeline.effects.contains { if case .forgetKept = $0 { true } else { false } })
  }

  @Test("an end that was asked for keeps nothing")
  func ended() {
    let timeline = Timeline.running()
    timeline.ask(SoundMethods.Stop())
    timeline.engine(.stopped)
    timeline.ask(SoundMethods.Shutdown())
    timeline.pass(1)
    #expect(timeline.effects.contains { if case .forgetKept = $0 { true } else { false } })
  }

  private static func isMuteKept(_ timeline: Timeline) -> Bool {
    timeline.effects.contains { if case .keepMute(true) = $0 { true } else { false } }
  }

  private static func isMuted(_ timeline: Timeline) -> Bool {
    timeline.effects.contains { if case .mute(true) = $0 { true } else { false } }
  }

  @Test("a mute and a stop that come once the end was decided keep nothing, also in its last moment")
  func duringEnd() {
    let timeline = Timeline.running()
    timeline.ask(SoundMethods.Mute())
    #expect(Self.isMuteKept(timeline))
    timeline.happen(.signal(SIGTERM))
    func repeats() {
      timeline.ask(SoundMethods.Mute())
      #expect(Self.isMuted(timeline) && !Self.isMuteKept(timeline) && timeline.isAnswered)
      timeline.ask(SoundMethods.Stop())
      #expect(Self.marks(timeline).isEmpty)
    }
    repeats()
    timeline.engine(.stopped)
    repeats()
    timeline.pass(1)
    #expect(timeline.state.ending?.hasEnded == true)
    repeats()
    #expect(timeline.isAnswered)
  }

  @Test("a start on the way to the end is refused at once; one that a stop follows is answered as stopped")
  func startBesideStop() throws {
    let timeline = Timeline(ServiceState(.init(started: .at(100), endsWhenStopped: true)))
    timeline.happen(.begin)
    // It waits for a device that is slow to open.
    #expect(timeline.ask(SoundMethods.Start()) == nil)
    timeline.ask(SoundMethods.Stop())
    timeline.pass(0.4)
    let followed = try #require(timeline.answer(to: SoundMethods.Start.self, before: 1)).get()
    #expect(followed.state.name == .stopped)
    let late = try #require(timeline.ask(SoundMethods.Start()))
    guard case .failure(let refusal) = late else {
      Issue.record("expected a refusal")
      return
    }
    #expect(refusal.exitStatus == .unavailable)
    #expect(refusal.message == "auricled: The daemon is ending. When it has ended: auricle start")
    #expect(timeline.orders.isEmpty)
  }

  @Test("an end after which the daemon is started again keeps a mute, for it goes on as it was")
  func duringFailure() {
    let timeline = Timeline.running()
    timeline.happen(.socketLost)
    timeline.ask(SoundMethods.Mute())
    #expect(Self.isMuteKept(timeline))
  }

  @Test("after a crash the sound stays off, the daemon is ready, and status and log say why, until a start")
  func crashed() {
    let timeline = Timeline(ServiceState(.init(started: .at(100)), isStopped: true))
    timeline.happen(.begin)
    #expect(timeline.orders == [] && timeline.state.state.name == .stopped)
    let reason = "it was stopped before the daemon crashed, and stays so"
    #expect(timeline.state.state.reason == reason)
    #expect(timeline.log.contains("notice: stopped: \(reason)"))
    #expect(timeline.notices.contains(.ready(status: "stopped: \(reason)")))
    timeline.pass(60)
    #expect(timeline.orders == [])
    timeline.ask(SoundMethods.Start())
    #expect(timeline.orders == [.start])
    timeline.engine(.running)
    #expect(timeline.state.state.name == .running)
    timeline.ask(SoundMethods.Stop())
    timeline.engine(.stopped)
    #expect(timeline.state.state.name == .stopped && timeline.state.state.reason == nil)
  }
}
