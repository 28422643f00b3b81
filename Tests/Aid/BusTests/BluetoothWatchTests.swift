import CSystemd
import Testing

@testable import Bus

/// As org.bluez.Device(5), org.bluez.Battery(5) and the specification of ObjectManager have it.
@Suite("Bluetooth earphones") struct BluetoothWatchTests {
  private static let base = "-0000-1000-8000-00805f9b34fb"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let manager = "org.freedesktop.DBus.ObjectManager"

  typealias Objects = [String: [String: [String: BusValue]]]

  /// BlueZ, with objects that the test puts there.
  private final class BlueZ {
    var objects: Objects
    var asked = 0
    /// True: it answers with an error.
    var isFailing = false
    let bus: MessageBus
    private var object: BusSlot?

    init(_ bus: PrivateBus, _ objects: Objects, name: String = "org.bluez") throws {
      self.objects = objects
      self.bus = try bus.connect()
      let slot = BusSlot { [unowned self] in answer($0) }
      object = slot
      _ = slot.take { sd_bus_add_object(self.bus.bus, &$0, "/", BusSlot.receive, $1) }
      var isOwner = false
      self.bus.call(
        BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName"),
        [.string(name), .uint32(4)]
      ) { isOwner = (try? $0.get())?.first?.number == 1 }
      #expect(bus.run { isOwner })
    }

    /// `a{oa{sa{sv}}}`.
    private func answer(_ message: BusMessage) -> Int32 {
      guard message.method == "\(manager).GetManagedObjects" else { return 0 }
      asked += 1
      // sd-bus refuses what nobody answers.
      guard !isFailing else { return 0 }
      var made: OpaquePointer?
      sd_bus_message_new_method_return(message.message, &made)
      defer { sd_bus_message_unref(made) }
      let reply = BusMessage(made)
      func inside(_ type: UnicodeScalar, _ contents: String, _ body: () -> Void) {
        sd_bus_message_open_container(made, CChar(type.value), contents)
        body()
        sd_bus_message_close_container(made)
      }
      inside("a", "{oa{sa{sv}}}") {
        for (path, interfaces) in objects {
          inside("e", "oa{sa{sv}}") {
            _ = reply.append([.path(path)])
            inside("a", "{sa{sv}}") {
              for (interface, properties) in interfaces {
                inside("e", "sa{sv}") { _ = reply.append([.string(interface), .properties(properties)]) }
              }
            }
          }
        }
      }
      return max(0, sd_bus_send(bus.bus, made, nil)) + 1
    }

    /// Changes a property and tells it, as BlueZ does.
    func change(_ path: String, _ interface: String, _ property: String, _ value: BusValue) {
      objects[path]?[interface]?[property] = value
      bus.emit(
        path, properties, "PropertiesChanged",
        [.string(interface), .properties([property: value]), .strings([])])
    }
  }

  private static let path = "/org/bluez/hci0/dev_04_5D_4B_00_11_22"

  private static func device(
    _ services: [String] = ["110b"], icon: String? = "audio-headset", connected: Bool = true
  ) -> [String: BusValue] {
    var properties: [String: BusValue] = [
      "Address": .string("04:5D:4B:00:11:22"), "Alias": .string("Ada’s Buds"), "Name": .string("Buds"),
      "Modalias": .string("bluetooth:v004Cp200Ed0C20"), "Connected": .boolean(connected),
      "UUIDs": .strings(services.map { "0000\($0)\(base)" }),
    ]
    properties["Icon"] = icon.map { .string($0) }
    return properties
  }

  private static func objects(_ device: [String: BusValue], charge: UInt8? = 80) -> Objects {
    var interfaces = ["org.bluez.Device1": device, "org.freedesktop.DBus.Introspectable": [:]]
    if let charge { interfaces["org.bluez.Battery1"] = ["Percentage": .byte(charge)] }
    return ["/org/bluez": ["org.bluez.AgentManager1": [:]], path: interfaces]
  }

  private static let buds = BluetoothEarphones(
    address: "04:5D:4B:00:11:22", name: "Ada’s Buds", modalias: "bluetooth:v004Cp200Ed0C20", charge: 80)

  @Test("those that are connected are told, and each change of charge and connection, once")
  func changes() throws {
    let bus = try PrivateBus()
    let bluez = try BlueZ(bus, Self.objects(Self.device()))
    var told: [[BluetoothEarphones]] = []
    let watch = BluetoothWatch(try bus.connect()) { told.append($0) }
    defer { withExtendedLifetime(watch) {} }
    #expect(bus.run { told.count == 1 })
    #expect(told[0] == [Self.buds])
    bluez.change(Self.path, "org.bluez.Battery1", "Percentage", .byte(20))
    #expect(bus.run { told.count == 2 })
    #expect(told[1].map(\.charge) == [20])
    bluez.change(Self.path, "org.bluez.Device1", "Connected", .boolean(false))
    #expect(bus.run { told.count == 3 })
    #expect(told[2].isEmpty)
    bluez.change(Self.path, "org.bluez.Device1", "Connected", .boolean(true))
    #expect(bus.run { told.count == 4 })
    bluez.objects = [:]
    bluez.bus.emit(
      "/", Self.manager, "InterfacesRemoved", [.path(Self.path), .strings(["org.bluez.Device1"])])
    #expect(bus.run { told.count == 5 })
    bus.settle()
    #expect(told.count == 5)
  }

  @Test("strengths of signals, which change all the time, are not asked after")
  func strengths() throws {
    let bus = try PrivateBus()
    let bluez = try BlueZ(bus, Self.objects(Self.device()))
    var told = 0
    let watch = BluetoothWatch(try bus.connect()) { _ in told += 1 }
    defer { withExtendedLifetime(watch) {} }
    #expect(bus.run { told == 1 })
    let asked = bluez.asked
    for strength in 0..<100 {
      bluez.change(Self.path, "org.bluez.Device1", "RSSI", .int16(Int16(-strength)))
    }
    bus.settle()
    bus.settle()
    #expect(bluez.asked == asked && told == 1)
  }

  @Test(
    "earphones are told from loudspeakers, cars, telephones and keyboards",
    arguments: [
      (["110b", "111e"], "audio-headset", true), (["110b"], "audio-headphones", true),
      (["1108"], nil, true),
      (["1850"], nil, true), (["1854"], nil, true), (["1854"], "phone", true),
      (["110b"], "audio-card", false),
      (["110b", "110a"], "computer", false), (["110a", "111f"], "phone", false),
      (["1124"], "input-keyboard", false),
      (["110a"], nil, false), ([], nil, false),
    ] as [([String], String?, Bool)])
  func kinds(services: [String], icon: String?, isTold: Bool) throws {
    let bus = try PrivateBus()
    let bluez = try BlueZ(bus, Self.objects(Self.device(services, icon: icon)))
    var told: [BluetoothEarphones] = []
    let watch = BluetoothWatch(try bus.connect()) { told = $0 }
    defer { withExtendedLifetime(watch) {} }
    #expect(bus.run { bluez.asked == 1 })
    bus.settle()
    #expect(told.isEmpty != isTold)
  }

  @Test("without a battery there is no charge, and one beyond 100 % is none")
  func charges() throws {
    for (charge, expected) in [(nil, nil), (0, 0), (100, 100), (101, nil), (255, nil)] as [(UInt8?, Int?)] {
      let bus = try PrivateBus()
      let bluez = try BlueZ(bus, Self.objects(Self.device(), charge: charge))
      var told: [BluetoothEarphones] = []
      let watch = BluetoothWatch(try bus.connect()) { told = $0 }
      defer { withExtendedLifetime((watch, bluez)) {} }
      #expect(bus.run { !told.isEmpty })
      #expect(told.map(\.charge) == [expected])
    }
  }

  @Test("a BlueZ that comes later is asked, and one that goes takes its earphones along")
  func late() throws {
    let bus = try PrivateBus()
    var told: [[BluetoothEarphones]] = []
    let watch = BluetoothWatch(try bus.connect()) { told.append($0) }
    defer { withExtendedLifetime(watch) {} }
    bus.settle()
    #expect(told.isEmpty)
    let bluez = try BlueZ(bus, Self.objects(Self.device()))
    #expect(bus.run { told.count == 1 })
    bluez.bus.call(
      BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReleaseName"),
      [.string("org.bluez")]
    ) { _ in }
    #expect(bus.run { told.count == 2 })
    #expect(told == [[Self.buds], []])
  }

  @Test("earphones stay as they were where BlueZ answers with an error, and it is asked again after 10 s")
  func failing() throws {
    let bus = try PrivateBus()
    let bluez = try BlueZ(bus, Self.objects(Self.device()))
    var told: [[BluetoothEarphones]] = []
    let watch = BluetoothWatch(try bus.connect()) { told.append($0) }
    #expect(bus.run { told.count == 1 })
    #expect(watch.deadline == .infinity)
    bluez.isFailing = true
    bluez.change(Self.path, "org.bluez.Battery1", "Percentage", .byte(20))
    #expect(bus.run { watch.deadline == 0 })
    #expect(told == [[Self.buds]] && bluez.asked == 2)
    bluez.isFailing = false
    watch.serve(now: 100)
    #expect(watch.deadline == 110)
    watch.serve(now: 109.9)
    bus.settle()
    bus.settle()
    #expect(bluez.asked == 2)
    watch.serve(now: 110)
    #expect(bus.run { told.count == 2 })
    #expect(told[1].map(\.charge) == [20])
    #expect(watch.deadline == .infinity)
  }

  @Test("a change after an answer with an error is looked at as any, and then nothing is owed")
  func failingOnce() throws {
    let bus = try PrivateBus()
    let bluez = try BlueZ(bus, Self.objects(Self.device()))
    bluez.isFailing = true
    var told: [[BluetoothEarphones]] = []
    let watch = BluetoothWatch(try bus.connect()) { told.append($0) }
    #expect(bus.run { watch.deadline == 0 })
    #expect(watch.isAnswered && told.isEmpty)
    bluez.isFailing = false
    bluez.change(Self.path, "org.bluez.Battery1", "Percentage", .byte(20))
    #expect(bus.run { told.count == 1 })
    #expect(watch.deadline == .infinity)
  }

  @Test("it is known that there are none where BlueZ says so, or is not there")
  func none() throws {
    let bus = try PrivateBus()
    var told = 0
    let first = BluetoothWatch(try bus.connect()) { _ in told += 1 }
    #expect(!first.isAnswered)
    #expect(bus.run { first.isAnswered })
    let bluez = try BlueZ(bus, [:])
    let second = BluetoothWatch(try bus.connect()) { _ in told += 1 }
    #expect(bus.run { second.isAnswered })
    #expect(told == 0 && bluez.asked > 0)
  }

  @Test("answers and signals of another form are nothing")
  func malformed() throws {
    let values: [BusValue] = [
      .int32(1), .string("a"), .list([.int32(1)]), .list([.list([.string("a")])]),
      .properties(["a": .int32(1)]),
      .list([]), .properties(["a": .properties(["org.bluez.Device1": .int32(1)])]),
    ]
    for value in values { #expect(BluetoothWatch.earphones(in: value).isEmpty) }
    #expect(BluetoothWatch.earphones(in: nil).isEmpty)
    let bus = try PrivateBus()
    let service = try bus.service("org.bluez", "/") { _, _ in [.int32(3)] }
    var told = 0
    let watch = BluetoothWatch(try bus.connect()) { _ in told += 1 }
    defer { withExtendedLifetime(watch) {} }
    for arguments: [BusValue] in [
      [], [.int32(1)], [.string("org.bluez.Battery1")], [.string("org.bluez.Device1"), .int32(1)],
      [.string("org.bluez.Device1"), .properties(["Connected": .string("yes")])],
    ] { service.bus.emit("/x", Self.properties, "PropertiesChanged", arguments) }
    bus.settle()
    bus.settle()
    #expect(told == 0)
  }

  @Test(
    "a command that asks waits no longer than it says, without a bus and without an answer, and for no BlueZ that is not there"
  )
  func once() throws {
    #expect(BluetoothEarphones.connected(on: .other("unix:path=/nowhere/bus")) == [])
    let bus = try PrivateBus()
    // The bus itself says that there is none.
    let watch = BluetoothWatch(try bus.connect()) { _ in }
    #expect(bus.run { watch.isAnswered })
    #expect(BluetoothEarphones.connected(on: .other(bus.address), within: 600) == [])
    // Nobody serves it meanwhile, as of a BlueZ that hangs.
    let bluez = try BlueZ(bus, Self.objects(Self.device()))
    defer { withExtendedLifetime(bluez) {} }
    #expect(BluetoothEarphones.connected(on: .other(bus.address), within: 0.05) == [])
  }

  @Test("the same signals of somebody else are not heard")
  func forged() throws {
    let bus = try PrivateBus()
    let bluez = try BlueZ(bus, Self.objects(Self.device()))
    let other = try BlueZ(bus, Self.objects(Self.device(), charge: 1), name: "org.example")
    var told = 0
    let watch = BluetoothWatch(try bus.connect()) { _ in told += 1 }
    defer { withExtendedLifetime(watch) {} }
    #expect(bus.run { told == 1 })
    other.change(Self.path, "org.bluez.Battery1", "Percentage", .byte(2))
    bus.settle()
    bus.settle()
    #expect(told == 1 && bluez.asked == 1)
  }
}
