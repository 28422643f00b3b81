import Testing

@testable import Bus

/// The other side as sound servers have it, by the text of the agreement (reserve.txt).
@Suite("Reservation of a sound card") struct DeviceReservationTests {
  private static let interface = "org.freedesktop.ReserveDevice1"
  private static let path = "/org/freedesktop/ReserveDevice1/Audio2"
  private static let name = "org.freedesktop.ReserveDevice1.Audio2"

  /// Somebody who has the card, and gives it back or not.
  private func owner(
    _ bus: PrivateBus, gives: Bool, asked: @escaping (Int?) -> Void = { _ in }
  ) throws -> FakeService {
    let connection = try bus.connect()
    let object = connection.serve(Self.path) { method, arguments in
      switch method {
      case "\(Self.interface).RequestRelease":
        asked(arguments.first?.number)
        return [.boolean(gives)]
      case "org.freedesktop.DBus.Properties.Get" where arguments.last == .string("ApplicationName"):
        return [.variant(.string("PipeWire"))]
      default: return nil
      }
    }
    var isOwner = false
    // 1: may be replaced, as the agreement wants it of all but the highest priority.
    connection.call(Self.bus("RequestName"), [.string(Self.name), .uint32(1 | 4)]) {
      isOwner = (try? $0.get())?.first?.number == 1
    }
    #expect(bus.run { isOwner })
    return FakeService(bus: connection, path: Self.path, object: object)
  }

  private static func bus(_ method: String) -> BusMethod {
    BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method)
  }

  /// The name's owner, as the bus tells it; nil: nobody.
  private func currentOwner(_ bus: PrivateBus, _ client: MessageBus) -> String? {
    var answer: Result<[BusValue], BusError>?
    client.call(Self.bus("GetNameOwner"), [.string(Self.name)]) { answer = $0 }
    #expect(bus.run { answer != nil })
    return (try? answer?.get())?.first?.text
  }

  @Test("a card that nobody has is held, told to who asks, and free again afterwards")
  func free() throws {
    let bus = try PrivateBus()
    let client = try bus.connect()
    var outcomes: [DeviceReservation.Outcome] = []
    var reservation: DeviceReservation? = DeviceReservation(
      2, device: "hw:CARD=Buds", on: try bus.connect()
    ) {
      outcomes.append($0)
    }
    #expect(bus.run { outcomes == [.held] })
    let properties = BusMethod(Self.name, Self.path, "org.freedesktop.DBus.Properties", "GetAll")
    var answer: Result<[BusValue], BusError>?
    client.call(properties, [.string(Self.interface)]) { answer = $0 }
    #expect(bus.run { answer != nil })
    let values = try #require(try answer?.get().first)
    #expect(values["ApplicationName"] == .string("Auricle"))
    #expect(values["ApplicationDeviceName"] == .string("hw:CARD=Buds"))
    #expect(values["Priority"] == .int32(.max))
    // Nobody's priority is high enough.
    answer = nil
    client.call(BusMethod(Self.name, Self.path, Self.interface, "RequestRelease"), [.int32(.max)]) {
      answer = $0
    }
    #expect(bus.run { answer != nil })
    #expect(answer == .success([.boolean(false)]))
    #expect(currentOwner(bus, client) != nil)
    withExtendedLifetime(reservation) {}
    reservation = nil
    bus.settle()
    #expect(currentOwner(bus, client) == nil)
  }

  @Test("a sound server that has the card is asked for it, and gives it")
  func given() throws {
    let bus = try PrivateBus()
    var priority: Int?
    let server = try owner(bus, gives: true) { priority = $0 }
    var outcomes: [DeviceReservation.Outcome] = []
    let reservation = DeviceReservation(2, device: "hw:2", on: try bus.connect()) { outcomes.append($0) }
    #expect(bus.run { !outcomes.isEmpty })
    #expect(outcomes == [.held])
    #expect(priority == Int(Int32.max))
    withExtendedLifetime((server, reservation)) {}
  }

  @Test("one that keeps it is named")
  func kept() throws {
    let bus = try PrivateBus()
    let server = try owner(bus, gives: false)
    var outcomes: [DeviceReservation.Outcome] = []
    let reservation = DeviceReservation(2, device: "hw:2", on: try bus.connect()) { outcomes.append($0) }
    #expect(bus.run { !outcomes.isEmpty })
    #expect(outcomes == [.refused(by: "PipeWire")])
    withExtendedLifetime((server, reservation)) {}
  }

  @Test("another card's reservation does not matter")
  func otherCard() throws {
    let bus = try PrivateBus()
    let server = try owner(bus, gives: false)
    var outcomes: [DeviceReservation.Outcome] = []
    let reservation = DeviceReservation(0, device: "hw:0", on: try bus.connect()) { outcomes.append($0) }
    #expect(bus.run { outcomes == [.held] })
    withExtendedLifetime((server, reservation)) {}
  }

  @Test("one that is given back before the bus has answered keeps no card")
  func early() throws {
    let bus = try PrivateBus()
    let (client, other) = (try bus.connect(), try bus.connect())
    var outcomes: [DeviceReservation.Outcome] = []
    _ = DeviceReservation(2, device: "hw:2", on: client) { outcomes.append($0) }
    bus.settle()
    bus.settle()
    #expect(currentOwner(bus, other) == nil)
    #expect(outcomes == [])
  }

  @Test("one that begins while a former one of the same card waits for its answer keeps the card")
  func renewed() throws {
    let bus = try PrivateBus()
    let (client, other) = (try bus.connect(), try bus.connect())
    var outcomes: [DeviceReservation.Outcome] = []
    _ = DeviceReservation(2, device: "hw:2", on: client) { _ in Issue.record("it was given back") }
    let next = DeviceReservation(2, device: "hw:2", on: client) { outcomes.append($0) }
    #expect(bus.run { !outcomes.isEmpty })
    bus.settle()
    bus.settle()
    #expect(outcomes == [.held])
    #expect(currentOwner(bus, other) == client.uniqueName)
    withExtendedLifetime(next) {}
  }
}
