import Base
import Control
import Engine
import Testing

@testable import Service

/// Devices in the hands of a feedback test, and the sound that comes back after it, however it ends.
@Suite("Loan of devices") struct DeviceLoanTests {
  private static let test = Peer(processID: 71, userID: 0, groupID: 0, connection: 1)
  private static let other = Peer(processID: 72, userID: 0, groupID: 0, connection: 2)

  /// One whose sound flowed, and whose devices are then lent.
  private func lending(endsWhenStopped: Bool = false) -> Timeline {
    let daemon = Timeline.running(
      ServiceState(ServiceState.Facts(started: .at(100), endsWhenStopped: endsWhenStopped)))
    #expect(daemon.ask(FeedbackMethods.Borrow(), from: Self.test) == nil)
    #expect(daemon.orders == [.requestStop])
    daemon.engine(.stopped)
    #expect(
      daemon.answer(to: FeedbackMethods.Borrow.self)
        == .success(DeviceLoan(areDevicesFree: true, term: DeviceLoanState.term)))
    return daemon
  }

  private func isRefused(_ method: some DaemonMethod, from peer: Peer, by daemon: Timeline) -> Bool {
    if case .failure = daemon.ask(method, from: peer) { true } else { false }
  }

  private func soundsAgain(_ daemon: Timeline) -> Bool {
    guard daemon.orders == [.start] else { return false }
    daemon.engine(.running)
    return daemon.state.state.name == .running
  }

  @Test("while they are lent the status says who has them, and to one only")
  func lent() throws {
    let daemon = lending()
    let state = daemon.state.state
    #expect(state.name == .waitingForDevice)
    #expect(try #require(state.reason).contains("a feedback test has the devices, process 71"))
    #expect(isRefused(FeedbackMethods.Borrow(), from: Self.other, by: daemon))
    #expect(isRefused(FeedbackMethods.Renew(), from: Self.other, by: daemon))
    daemon.ask(FeedbackMethods.Return(), from: Self.other)
    daemon.happen(.gone(Self.other))
    #expect(!isRefused(FeedbackMethods.Renew(), from: Self.test, by: daemon))
  }

  @Test("given back, what sounded before sounds again, and nothing is said of it")
  func givenBack() throws {
    let daemon = lending()
    daemon.ask(FeedbackMethods.Return(), from: Self.test)
    #expect(soundsAgain(daemon))
    #expect(daemon.state.feedbackReport.notes.isEmpty)
    #expect(isRefused(FeedbackMethods.Renew(), from: Self.test, by: daemon))
  }

  @Test(
    "a connection that ends brings the sound back, and the status says why it was silent until the next test"
  )
  func gone() throws {
    let daemon = lending()
    daemon.happen(.gone(Self.test))
    #expect(soundsAgain(daemon))
    let note = try #require(daemon.state.feedbackReport.notes.first)
    #expect(note.contains("The feedback test of process 71 broke off: it was ended from outside."))
    // It has gone once.
    daemon.happen(.gone(Self.test))
    daemon.ask(FeedbackMethods.Borrow(), from: Self.other)
    #expect(daemon.state.feedbackReport.notes.isEmpty)
  }

  @Test("a test that hangs loses the devices with its term, and is told when it wakes")
  func hung() throws {
    let daemon = lending()
    daemon.pass(5)
    #expect(!isRefused(FeedbackMethods.Renew(), from: Self.test, by: daemon))
    daemon.pass(DeviceLoanState.term - 0.01)
    #expect(daemon.state.state.name == .waitingForDevice)
    daemon.pass(0.02)
    #expect(soundsAgain(daemon))
    #expect(daemon.state.feedbackReport.notes.first?.contains("it said nothing for 10 s") == true)
    #expect(isRefused(FeedbackMethods.Renew(), from: Self.test, by: daemon))
  }

  @Test(
    "whoever wants silence has it, and the test is told", arguments: ["stop", "mute", "shutdown"])
  func ended(method: String) throws {
    let daemon = lending(endsWhenStopped: true)
    switch method {
    case "stop": daemon.ask(SoundMethods.Stop(), from: Self.other)
    case "mute": daemon.ask(SoundMethods.Mute(), from: Self.other)
    default: daemon.ask(SoundMethods.Shutdown(), from: Self.other)
    }
    #expect(daemon.log.contains { $0.contains("process 71 is ended: its devices are taken back") })
    #expect((daemon.state.ending != nil) == (method != "mute"))
    if method == "mute" {
      #expect(daemon.orders == [.start])
      daemon.engine(.muted)
      #expect(daemon.state.state.name == .muted)
    } else {
      #expect(!daemon.state.sound.hasThread && daemon.state.state.name == .stopped)
    }
    #expect(isRefused(FeedbackMethods.Renew(), from: Self.test, by: daemon))
  }

  @Test("a daemon that ends with its sound stays for the test, and one that was silent stays silent")
  func silentBefore() throws {
    #expect(lending(endsWhenStopped: true).state.ending == nil)
    let daemon = Timeline()
    daemon.ask(FeedbackMethods.Borrow(), from: Self.test)
    #expect(daemon.state.state.name == .stopped)
    daemon.happen(.gone(Self.test))
    #expect(!daemon.state.sound.hasThread && daemon.state.state.name == .stopped)
  }
}
