import Testing

@testable import Bus

@Suite("Request for the sound cards of two devices") struct CardRequestTests {
  private static let interface = "org.freedesktop.ReserveDevice1"

  private static func name(_ card: Int) -> String { "\(interface).Audio\(card)" }

  private static func bus(_ method: String) -> BusMethod {
    BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method)
  }

  /// Another program that has a card and keeps it, as the agreement has it (reserve.txt).
  private func keeper(_ bus: PrivateBus, of card: Int, named name: String) throws -> FakeService {
    let path = "/org/freedesktop/ReserveDevice1/Audio\(card)"
    return try bus.service(Self.name(card), path) { method, arguments in
      switch method {
      case "\(Self.interface).RequestRelease": [.boolean(false)]
      case "org.freedesktop.DBus.Properties.Get" where arguments.last == .string("ApplicationName"):
        [.variant(.string(name))]
      default: nil
      }
    }
  }

  /// The owner of a card's name, as the bus tells it; nil: nobody.
  private func owner(of card: Int, _ bus: PrivateBus, _ client: MessageBus) -> String? {
    var answer: Result<[BusValue], BusError>?
    client.call(Self.bus("GetNameOwner"), [.string(Self.name(card))]) { answer = $0 }
    #expect(bus.run { answer != nil })
    return (try? answer?.get())?.first?.text
  }

  @Test("the outcomes of all cards are told together, by card, and who keeps one is named")
  func together() throws {
    let bus = try PrivateBus()
    let server = try keeper(bus, of: 3, named: "WirePlumber")
    let connection = try bus.connect()
    var told: [[CardReservation]] = []
    let request = CardRequest { told.append($0) }
    request.ask(for: [3: "hw:3", 1: "hw:1"], on: connection)
    #expect(bus.run { !told.isEmpty })
    let expected = [
      CardReservation(card: 1, outcome: .held),
      CardReservation(card: 3, outcome: .refused(by: "WirePlumber")),
    ]
    #expect(told == [expected])
    withExtendedLifetime((server, request)) {}
  }

  @Test("where no card is asked for, that is answered at once")
  func none() throws {
    let bus = try PrivateBus()
    var told: [[CardReservation]] = []
    CardRequest { told.append($0) }.ask(for: [:], on: try bus.connect())
    #expect(told == [[]])
  }

  @Test("a card that is held stays held when it is asked for again, and one that is not wanted goes back")
  func again() throws {
    let bus = try PrivateBus()
    let (connection, client) = (try bus.connect(), try bus.connect())
    var told: [[CardReservation]] = []
    let request = CardRequest { told.append($0) }
    request.ask(for: [1: "hw:1", 2: "hw:2"], on: connection)
    #expect(bus.run { told.count == 1 })
    request.ask(for: [2: "hw:2"], on: connection)
    #expect(bus.run { told.count == 2 })
    bus.settle()
    #expect(told.last == [CardReservation(card: 2, outcome: .held)])
    #expect(owner(of: 1, bus, client) == nil)
    #expect(owner(of: 2, bus, client) == connection.uniqueName)
    withExtendedLifetime(request) {}
  }

  @Test("all cards go back when they are released")
  func released() throws {
    let bus = try PrivateBus()
    let (connection, client) = (try bus.connect(), try bus.connect())
    var told: [[CardReservation]] = []
    let request = CardRequest { told.append($0) }
    request.ask(for: [1: "hw:1", 2: "hw:2"], on: connection)
    #expect(bus.run { told.count == 1 })
    request.release()
    bus.settle()
    #expect(owner(of: 1, bus, client) == nil && owner(of: 2, bus, client) == nil)
    withExtendedLifetime(request) {}
  }

  @Test("a request whose bus has gone is answered with what was known, and nothing waits for it")
  func lost() throws {
    let bus = try PrivateBus()
    var told: [[CardReservation]] = []
    let request = CardRequest { told.append($0) }
    request.ask(for: [1: "hw:1"], on: try bus.connect())
    #expect(told.isEmpty)
    request.loseBus()
    #expect(told == [[]])
    withExtendedLifetime(request) {}
  }
}
