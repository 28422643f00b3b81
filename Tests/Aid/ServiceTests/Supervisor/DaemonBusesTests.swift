import Bus
import CommonTesting
import Testing

@testable import Service

@Suite("Message buses of the daemon") struct DaemonBusesTests {
  /// A device on a card that is not there: nobody has to be asked for it.
  private static let absent = "hw:CARD=Nowhere"

  private func isAnswered(_ events: [Event]) -> Bool {
    events.contains { if case .reserved = $0 { true } else { false } }
  }

  @Test("both buses are connected to before anybody is asked, and again ten seconds later at the earliest")
  func connects() {
    let asked = Shared<[MessageBus.Address]>([])
    let buses = DaemonBuses(hasSession: true) { address in
      asked.value += [address]
      return nil
    }
    buses.connectMissing(now: 100)
    #expect(asked.value == [.system, .session])
    buses.connectMissing(now: 109.9)
    #expect(asked.value.count == 2)
    buses.connectMissing(now: 110)
    #expect(asked.value.count == 4)
  }

  @Test("without a bus a request for cards is answered at once, and made as soon as there is one")
  func late() throws {
    let folder = TemporaryFolder()
    let path = folder.file("bus")
    // Somebody who listens and never answers.
    let server = try ListeningSocket(path: path, rule: .person)
    let isThere = Shared(false)
    let buses = DaemonBuses(hasSession: true) { address in
      guard address == .session, isThere.value else { return nil }
      return try? MessageBus(.other("unix:path=\(path)"))
    }
    buses.connectMissing(now: 100)
    let devices = RouteReport.Names(capture: Self.absent, playback: Self.absent)
    #expect(isAnswered(buses.reserve([devices])))
    isThere.value = true
    #expect(!isAnswered(buses.serve(now: 105)))
    #expect(isAnswered(buses.serve(now: 110)))
    // A connection to nobody is closed without a wait.
    server.close()
    #expect(!isAnswered(buses.serve(now: 111)))
  }
}
