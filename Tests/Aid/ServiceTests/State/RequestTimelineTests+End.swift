import Control
import Glibc
import Testing

@testable import Service

/// The end of the daemon, and requests at that time.
extension RequestTimelineTests {
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
