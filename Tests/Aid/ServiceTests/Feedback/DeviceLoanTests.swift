import Base
import Control
import Engine
import Glibc
import Synchronization
import Testing

@testable import Service

/// Devices in the hands of a feedback test, and the sound that comes back after it, however it ends.
@Suite("Loan of devices") struct DeviceLoanTests {
  private static let test = Peer(processID: 71, userID: 0, groupID: 0, connection: 1)
  private static let other = Peer(processID: 72, userID: 0, groupID: 0, connection: 2)
  private let stage = Stage()

  private func daemon(_ options: DaemonOptions = DaemonOptions()) -> Daemon {
    Daemon(
      stage.aid(), options: options, configuration: .defaults,
      log: MessageLog(threshold: .error, environment: [:], descriptor: -1),
      desk: PrescriptionDesk(folder: "/nonexistent/book"), memoryLock: .onFault, wisdomPath: nil
    ) { .success(.defaults) }
  }

  private func steer(_ daemon: Daemon, until isSo: () -> Bool) -> Bool {
    eventually {
      daemon.pilot.steer()
      return isSo()
    }
  }

  /// One whose sound flows, and whose devices are then lent.
  private func lending(_ options: DaemonOptions = DaemonOptions()) throws -> Daemon {
    let daemon = daemon(options)
    daemon.pilot.requestSound()
    try #require(steer(daemon) { daemon.pilot.state == .running })
    _ = try daemon.lend(to: Self.test)
    try #require(steer(daemon) { daemon.pilot.isAtRest })
    #expect(
      try daemon.renewLoan(of: Self.test) == DeviceLoan(areDevicesFree: true, term: DeviceLender.term))
    return daemon
  }

  private func isRefused(_ method: some DaemonMethod, from peer: Peer, by daemon: Daemon) -> Bool {
    (try? method.answer(by: daemon, to: peer)) == nil
  }

  private func soundsAgain(_ daemon: Daemon) -> Bool {
    steer(daemon) { daemon.pilot.state == .running } && stage.begun.load(ordering: .relaxed) == 2
  }

  @Test("while they are lent the status says who has them, and to one only")
  func lent() throws {
    let daemon = try lending()
    let state = daemon.currentState()
    #expect(state.name == .waitingForDevice)
    #expect(try #require(state.reason).contains("a feedback test has the devices, process 71"))
    #expect(isRefused(FeedbackMethods.Borrow(), from: Self.other, by: daemon))
    #expect(isRefused(FeedbackMethods.Renew(), from: Self.other, by: daemon))
    _ = daemon.endLoan(of: Self.other)
    daemon.hasGone(Self.other)
    #expect(!isRefused(FeedbackMethods.Renew(), from: Self.test, by: daemon))
  }

  @Test("given back, what sounded before sounds again, a mute stays, and nothing is said of it")
  func givenBack() throws {
    let daemon = try lending()
    _ = daemon.endLoan(of: Self.test)
    #expect(soundsAgain(daemon))
    #expect(daemon.feedbackReport().notes.isEmpty)
    #expect(isRefused(FeedbackMethods.Renew(), from: Self.test, by: daemon))
  }

  @Test(
    "a connection that ends brings the sound back, and the status says why it was silent until the next test"
  )
  func gone() throws {
    let daemon = try lending()
    daemon.hasGone(Self.test)
    #expect(soundsAgain(daemon))
    let note = try #require(daemon.feedbackReport().notes.first)
    #expect(note.contains("The feedback test of process 71 broke off: it was ended from outside."))
    // It has gone once.
    daemon.hasGone(Self.test)
    _ = try daemon.lend(to: Self.other)
    #expect(daemon.feedbackReport().notes.isEmpty)
  }

  @Test("a test that hangs loses the devices with its term, and is told when it wakes")
  func hung() throws {
    let lender = DeviceLender()
    try lender.lend(to: Self.test, now: 100)
    try lender.renew(Self.test, now: 105)
    #expect(lender.takeBackOverdue(now: 105 + DeviceLender.term - 0.01) == nil)
    #expect(lender.takeBackOverdue(now: 105 + DeviceLender.term) == Self.test)
    #expect(lender.takeBackOverdue(now: 200) == nil)
    #expect(throws: Failure.self) { try lender.renew(Self.test, now: 200) }
    // In the daemon: nothing overdue, nothing taken.
    let daemon = try lending()
    daemon.lookAtLoan()
    #expect(daemon.currentState().name == .waitingForDevice)
  }

  @Test(
    "whoever wants silence has it, and the test is told",
    arguments: ["stop", "mute", "shutdown"])
  func ended(method: String) throws {
    let daemon = try lending(DaemonOptions(endsWhenStopped: true))
    switch method {
    case "stop": _ = daemon.stop()
    case "mute": _ = daemon.mute()
    default: _ = daemon.shutDown()
    }
    #expect(isRefused(FeedbackMethods.Renew(), from: Self.test, by: daemon))
    #expect(daemon.memory.withLock { $0.isEnding } == (method != "mute"))
    if method == "mute" {
      #expect(steer(daemon) { daemon.pilot.state == .muted })
    } else {
      #expect(daemon.pilot.isAtRest && daemon.currentState().name == .stopped)
    }
  }

  @Test("a daemon that ends with its sound stays for the test, and one that was silent stays silent")
  func silentBefore() throws {
    let own = try lending(DaemonOptions(endsWhenStopped: true))
    #expect(!own.memory.withLock { $0.isEnding })
    let daemon = daemon()
    _ = try daemon.lend(to: Self.test)
    #expect(daemon.currentState().name == .stopped)
    daemon.hasGone(Self.test)
    daemon.pilot.steer()
    #expect(daemon.pilot.isAtRest && daemon.currentState().name == .stopped)
  }
}
