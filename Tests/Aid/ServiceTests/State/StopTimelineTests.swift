import Base
import Control
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

  @Test("an end that was asked for keeps nothing")
  func ended() {
    let timeline = Timeline.running()
    timeline.ask(SoundMethods.Stop())
    timeline.engine(.stopped)
    timeline.ask(SoundMethods.Shutdown())
    timeline.pass(1)
    #expect(timeline.effects.contains { if case .forgetKept = $0 { true } else { false } })
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
