import AuricleClient
import Base
import CSystemd
import CommonTesting
import Glibc
import Testing

@testable import Bus

@Suite("Message bus") struct MessageBusTests {
  private static let echo = BusMethod("org.example.Echo", "/echo", "org.example.Echo", "Echo")

  @Test("a call brings the answer, with values of every kind as they were sent")
  func values() throws {
    let bus = try PrivateBus()
    var received: [BusValue] = []
    let service = try bus.service("org.example.Echo", "/echo") { method, arguments in
      received = arguments
      return method.hasSuffix("Echo") ? arguments : []
    }
    defer { withExtendedLifetime(service) {} }
    let client = try bus.connect()
    let sent: [BusValue] = [
      .boolean(true), .byte(255), .int16(-2), .uint16(65_535), .int32(.min), .uint32(.max), .int64(.min),
      .uint64(.max),
      .double(-0.5), .string("Grüße"), .path("/a/b"), .list([.int32(1), .int32(2)]),
    ]
    var answer: Result<[BusValue], BusError>?
    client.call(Self.echo, sent) { answer = $0 }
    #expect(bus.run { answer != nil })
    #expect(answer == .success(sent))
    // What has a form of its own when it is sent arrives as lists and values.
    answer = nil
    client.call(
      BusMethod("org.example.Echo", "/echo", "org.example.Echo", "Take"),
      [.strings(["a", "b"]), .properties(["x": .int32(1), "y": .string("2")]), .variant(.string("v"))]
    ) { answer = $0 }
    #expect(bus.run { answer != nil })
    #expect(answer == .success([]))
    #expect(
      received == [
        .list([.string("a"), .string("b")]),
        .list([.list([.string("x"), .int32(1)]), .list([.string("y"), .string("2")])]), .string("v"),
      ])
    #expect(received[1]["y"] == .string("2") && received[1]["z"] == nil)
  }

  @Test("an open file goes over as another descriptor of the same file, open while it is handled")
  func descriptor() throws {
    let bus = try PrivateBus()
    let service = try bus.service("org.example.Echo", "/echo") { _, arguments in arguments }
    defer { withExtendedLifetime(service) {} }
    let client = try bus.connect()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    var received: Int32 = -1
    client.call(Self.echo, [.descriptor(ends[1])]) { answer in
      if case .success(let values) = answer, case .descriptor(let file)? = values.first {
        received = fcntl(file, F_DUPFD_CLOEXEC, 3)
      }
    }
    #expect(bus.run { received >= 0 })
    #expect(received != ends[1])
    var byte: UInt8 = 7
    #expect(write(received, &byte, 1) == 1)
    byte = 0
    #expect(read(ends[0], &byte, 1) == 1 && byte == 7)
    for file in ends + [received] { close(file) }
  }

  @Test("signals and calls of more than 65 536 values and bytes are dropped, and the next are taken")
  func bounded() throws {
    let bus = try PrivateBus()
    var calls = 0
    let service = try bus.service("org.example.Echo", "/echo") { _, _ in
      calls += 1
      return []
    }
    let client = try bus.connect()
    var told: [[BusValue]] = []
    let watch = client.watch(BusMethod("org.example.Echo", "/echo", "org.example.Echo", "Told")) {
      told.append($0)
    }
    defer { withExtendedLifetime((service, watch)) {} }
    bus.settle()
    let long = String(repeating: "a", count: 70_000)
    for values: [BusValue] in [
      [.list(Array(repeating: .int32(1), count: 70_000))], [.string(long)],
      [.properties(["a": .string(long)])], [.int32(1)],
    ] { service.tell("org.example.Echo", "Told", values) }
    #expect(bus.run { !told.isEmpty })
    #expect(told == [[.int32(1)]])
    for (text, count) in [(long, 0), ("a", 1)] {
      var answer: Result<[BusValue], BusError>?
      client.call(Self.echo, [.string(text)]) { answer = $0 }
      #expect(bus.run { answer != nil })
      #expect(calls == count)
    }
  }

  @Test("a service, an object or a method that there is not is an error with its name")
  func missing() throws {
    let bus = try PrivateBus()
    let service = try bus.service("org.example.Echo", "/echo") { method, _ in
      method.hasSuffix("Echo") ? [] : nil
    }
    defer { withExtendedLifetime(service) {} }
    let client = try bus.connect()
    for (method, name) in [
      (BusMethod("org.example.Nobody", "/echo", "org.example.Echo", "Echo"), "ServiceUnknown"),
      (BusMethod("org.example.Echo", "/other", "org.example.Echo", "Echo"), "UnknownObject"),
      (BusMethod("org.example.Echo", "/echo", "org.example.Echo", "Other"), "UnknownMethod"),
    ] {
      var answer: Result<[BusValue], BusError>?
      client.call(method) { answer = $0 }
      #expect(bus.run { answer != nil })
      guard case .failure(let error)? = answer else {
        Issue.record("\(name): \(String(describing: answer))")
        continue
      }
      #expect(error.name == "org.freedesktop.DBus.Error.\(name)")
    }
  }

  @Test("whoever watches a service hears nothing of other connections that come and go")
  func otherConnections() throws {
    let bus = try PrivateBus()
    let client = try bus.connect()
    var owners: [String?] = []
    let watch = client.watchOwner(of: "org.example.Echo") { owners.append($1) }
    defer { withExtendedLifetime(watch) {} }
    bus.settle()
    for _ in 1...3 { try bus.comeAndGo() }
    var (hasAnswered, members) = (false, [String]())
    client.call(.ofBus("GetId")) { _ in hasAnswered = true }
    // This connection alone is served, message by message; what nobody has asked for is handed out.
    while !hasAnswered {
      var message: OpaquePointer?
      try #require(sd_bus_process(client.bus, &message) >= 0)
      if let member = sd_bus_message_get_member(message) { members.append(String(cString: member)) }
      sd_bus_message_unref(message)
      if message == nil { sd_bus_wait(client.bus, 1_000_000) }
    }
    #expect(!members.contains("NameOwnerChanged"))
    let service = try bus.service("org.example.Echo", "/echo") { _, _ in nil }
    #expect(bus.run { owners == [service.bus.uniqueName] })
  }

  @Test("a bus that ends is told, and calls that wait are answered with an error")
  func ended() throws {
    let bus = try PrivateBus()
    let client = try bus.connect()
    bus.settle()
    var answer: Result<[BusValue], BusError>?
    bus.end()
    client.call(Self.echo) { answer = $0 }
    var isOpen = true
    #expect(
      bus.run {
        isOpen = client.process() && isOpen
        return !isOpen
      })
    #expect(bus.run { answer != nil })
    if case .success? = answer { Issue.record("it has an answer") }
  }

  /// More than a socket holds unread: sd-bus asks for 8 MiB, which the kernel doubles (socket(7), SO_SNDBUF).
  private static let unread = String(repeating: "a", count: 1 << 25)

  @Test("a bus that takes connections and answers none is left at once, with what was to be sent")
  func silent() throws {
    let folder = TemporaryFolder()
    let path = folder.file("bus")
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listening) }
    let address = try #require(UnixAddress(path))
    try #require(address.withPointer { bind(listening, $0, $1) } == 0 && listen(listening, 1) == 0)
    // Longer than a test may take.
    var client: MessageBus? = try MessageBus(.other("unix:path=\(path)"), closingPatience: 600)
    client?.call(Self.echo) { _ in }
    let (isOpen, isReady) = (client?.process(), client?.isReady)
    #expect(isOpen == true && isReady == false)
    let start = SystemTime.monotonic
    client = nil
    #expect(SystemTime.monotonic - start < 300)
  }

  @Test("a bus that has answered and hangs is waited for no longer than is said")
  func hanging() throws {
    let bus = try PrivateBus()
    var client: MessageBus? = try bus.answered(closingPatience: 0.05)
    bus.hang()
    client?.call(Self.echo, [.string(Self.unread)]) { _ in }
    let start = SystemTime.monotonic
    client = nil
    let time = SystemTime.monotonic - start
    #expect(time >= 0.05 && time < 300)
  }

  @Test("the last words go out where the bus takes them in time")
  func lastWords() throws {
    let bus = try PrivateBus()
    var methods: [String] = []
    let service = try bus.service("org.example.Echo", "/echo") { method, _ in
      methods.append(method)
      return []
    }
    defer { withExtendedLifetime(service) {} }
    var client: MessageBus? = try bus.answered(closingPatience: 600)
    let nobody = BusMethod("org.example.Nobody", "/echo", "org.example.Echo", "Take")
    bus.hang()
    client?.call(nobody, [.string(Self.unread)]) { _ in }
    client?.call(Self.echo) { _ in }
    bus.goOn()
    client = nil
    #expect(bus.run { methods == ["org.example.Echo.Echo"] })
  }

  @Test("where there is no bus, that is an error at once")
  func nowhere() {
    #expect(throws: (any Error).self) { try MessageBus(.other("unix:path=/nonexistent/bus")) }
    #expect(throws: (any Error).self) { try MessageBus(.other("nonsense")) }
  }
}
