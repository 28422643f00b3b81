import Base
import CSystemd
import CommonTesting
import Glibc
import Testing

@testable import Bus

/// As the Desktop Notifications Specification 1.2 has it.
@Suite("Notification server") struct NotificationServerTests {
  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  /// A server that notes what it is asked.
  private final class Server {
    var notified: [[BusValue]] = []
    var closed: [UInt32] = []
    var service: FakeService?
    private var next: UInt32 = 0

    init(_ bus: PrivateBus, capabilities: [String] = ["body", "actions"]) throws {
      service = try bus.service(name, path) { [unowned self] method, arguments in
        switch method {
        case "\(name).GetCapabilities": return [.strings(capabilities)]
        case "\(name).Notify":
          notified.append(arguments)
          guard case .uint32(let number) = arguments[1] else { return nil }
          if number == 0 { next += 1 }
          return [.uint32(number == 0 ? next : number)]
        case "\(name).CloseNotification":
          if case .uint32(let number) = arguments[0] { closed.append(number) }
          return []
        default: return nil
        }
      }
    }

    func tell(_ signal: String, _ values: [BusValue]) { service?.tell(name, signal, values) }
  }

  private static let notice = Notice(
    "Silent", "a <b> & c", .critical, action: Notice.Action("start", "Start"), isLasting: true)

  @Test("a notice has the specification's form, and the next one of its key replaces it")
  func form() throws {
    let bus = try PrivateBus()
    let server = try Server(bus)
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    shown.show(Self.notice, as: "a")
    #expect(bus.run { server.notified.count == 1 })
    let arguments = server.notified[0]
    try #require(arguments.count == 8)
    #expect(
      arguments[0] == .string("Auricle") && arguments[1] == .uint32(0) && arguments[2] == .string("auricle")
    )
    #expect(arguments[3] == .string("Silent") && arguments[4] == .string("a <b> & c"))
    #expect(arguments[5] == .list([.string("start"), .string("Start")]))
    #expect(arguments[6]["urgency"] == .byte(2) && arguments[6]["desktop-entry"] == .string("auricle"))
    #expect(arguments[7] == .int32(0))
    bus.settle()
    shown.show(Notice("Off", "b", .low), as: "a")
    shown.show(Notice("Battery", "c", .normal), as: "b")
    #expect(bus.run { server.notified.count == 3 })
    #expect(server.notified[1][1] == .uint32(1) && server.notified[2][1] == .uint32(0))
    #expect(server.notified[1][6]["urgency"] == .byte(0) && server.notified[1][7] == .int32(-1))
    bus.settle()
    shown.close("a")
    shown.close("a")
    shown.close("unknown")
    #expect(bus.run { !server.closed.isEmpty })
    bus.settle()
    #expect(server.closed == [1])
  }

  @Test("a notice counts as shown from its way to a server to its end, and not where no server is")
  func isShown() throws {
    let bus = try PrivateBus()
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    shown.show(Self.notice, as: "a")
    #expect(shown.isShown("a") && !shown.isShown("b"))
    #expect(bus.run { !shown.isShown("a") })
    let server = try Server(bus)
    #expect(bus.run { server.notified.count == 1 })
    bus.settle()
    #expect(shown.isShown("a"))
    shown.close("a")
    #expect(!shown.isShown("a"))
    #expect(bus.run { server.closed == [1] })
  }

  @Test("a server that reads markup gets text as text; one without buttons gets none")
  func capabilities() throws {
    let bus = try PrivateBus()
    let server = try Server(bus, capabilities: ["body", "body-markup"])
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    shown.show(Self.notice, as: "a")
    #expect(bus.run { server.notified.count == 1 })
    #expect(server.notified[0][4] == .string("a &lt;b&gt; &amp; c"))
    #expect(server.notified[0][5] == .list([]))
  }

  @Test("what changes before the server has answered is shown as it was last, and closed if it was closed")
  func early() throws {
    let bus = try PrivateBus()
    let server = try Server(bus)
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    for number in 0..<20 { shown.show(Notice("\(number)", "", .low), as: "a") }
    #expect(bus.run { server.notified.last?[3] == .string("19") })
    bus.settle()
    #expect(server.notified.count <= 2)
    shown.show(Self.notice, as: "b")
    shown.close("b")
    #expect(bus.run { server.closed == [2] })
  }

  @Test("a server that answers later than other calls wait for has its notice closed")
  func slow() throws {
    let bus = try PrivateBus()
    let server = try Server(bus)
    let client = try bus.connect()
    let shown = NotificationServer<String>(client) { _ in }
    bus.settle()
    // Other calls end after 1 µs, and nobody serves the server meanwhile.
    let code = sd_bus_set_method_call_timeout(client.bus, 1)
    try #require(code >= 0)
    shown.show(Self.notice, as: "a")
    for _ in 0..<100 { _ = client.process() }
    #expect(shown.isShown("a"))
    shown.close("a")
    #expect(bus.run { server.closed == [1] })
    #expect(!shown.isShown("a") && server.notified.count == 1)
  }

  @Test("a server that gives its name away without an answer keeps nothing from the next one")
  func silent() throws {
    let bus = try PrivateBus()
    let former = try Server(bus)
    let client = try bus.connect()
    let shown = NotificationServer<String>(client) { _ in }
    bus.settle()
    shown.show(Self.notice, as: "a")
    shown.show(Self.notice, as: "b")
    shown.close("b")
    former.service?.bus.call(
      BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReleaseName"),
      [.string(Self.name)]
    ) { _ in }
    // It is served no longer: it has no turn to answer.
    let end = SystemTime.monotonic + 600
    while shown.isShown("a"), SystemTime.monotonic < end { _ = client.process() }
    #expect(!shown.isShown("a") && !shown.isShown("b"))
    let next = try Server(bus)
    #expect(bus.run { next.notified.count == 1 })
    bus.settle()
    #expect(former.notified.isEmpty && next.notified.count == 1 && next.closed.isEmpty)
    shown.close("a")
    #expect(bus.run { next.closed == [1] })
  }

  /// A bus that starts a server on demand, which leaves the file `started` and fails.
  private func startingBus(_ folder: TemporaryFolder) throws -> PrivateBus {
    for name in ["dbus-1", "dbus-1/services"] {
      let code = mkdir(folder.file(name), 0o755)
      try #require(code == 0)
    }
    folder.write(
      "[D-BUS Service]\nName=\(Self.name)\nExec=/bin/sh -c 'touch \(folder.file("started")) && false'\n",
      to: "dbus-1/services/\(Self.name).service")
    return try PrivateBus(data: folder.path)
  }

  /// A connection that takes the server's name, or waits for it, and gives it away at each call, unanswered.
  private func leaver(_ bus: PrivateBus) throws -> BusSlot {
    let connection = try bus.connect()
    let object = connection.serve(Self.path) { [unowned connection] _, _ in
      connection.call(.ofBus("ReleaseName"), [.string(Self.name)]) { _ in }
      return nil
    }
    connection.call(.ofBus("RequestName"), [.string(Self.name), .uint32(0)]) { _ in }
    bus.settle()
    return object
  }

  @Test("a server that ends with the question on its way is started again by the same question")
  func idleEnd() throws {
    let folder = TemporaryFolder()
    let bus = try startingBus(folder)
    let former = try leaver(bus)
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    bus.settle()
    #expect(!folder.names.contains("started"))
    shown.show(Self.notice, as: "a")
    #expect(bus.run { folder.names.contains("started") })
    #expect(bus.run { !shown.isShown("a") })
    let next = try Server(bus)
    #expect(bus.run { next.notified.count == 1 })
    withExtendedLifetime(former) {}
  }

  @Test("a server that ends of what it is asked is not started again without end")
  func endsEachTime() throws {
    let folder = TemporaryFolder()
    let bus = try startingBus(folder)
    // The second has the name once the first gives it away.
    let servers = [try leaver(bus), try leaver(bus)]
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    bus.settle()
    shown.show(Self.notice, as: "a")
    #expect(bus.run { !shown.isShown("a") })
    bus.settle()
    #expect(!folder.names.contains("started"))
    withExtendedLifetime(servers) {}
  }

  @Test("buttons and closing are told by their key, of notices of this program alone")
  func news() throws {
    let bus = try PrivateBus()
    let server = try Server(bus)
    var news: [String] = []
    let shown = NotificationServer<String>(try bus.connect()) {
      switch $0 {
      case .dismissed(let key): news.append("dismissed \(key)")
      case .acted(let key, let action): news.append("\(action) \(key)")
      }
    }
    shown.show(Self.notice, as: "a")
    #expect(bus.run { server.notified.count == 1 })
    bus.settle()
    server.tell("ActionInvoked", [.uint32(7), .string("start")])
    server.tell("NotificationClosed", [.uint32(7), .uint32(2)])
    // Not of the specification's form.
    server.tell("ActionInvoked", [.string("1"), .string("start")])
    server.tell("ActionInvoked", [.uint32(1)])
    server.tell("ActionInvoked", [.uint32(1), .uint32(1)])
    server.tell("NotificationClosed", [])
    server.tell("ActionInvoked", [.uint32(1), .string("start")])
    server.tell("NotificationClosed", [.uint32(1), .uint32(2)])
    #expect(bus.run { news.count == 2 })
    bus.settle()
    #expect(news == ["start a", "dismissed a"])
    // It is gone: closing it is nothing, showing it makes a new one.
    shown.close("a")
    shown.show(Self.notice, as: "a")
    #expect(bus.run { server.notified.count == 2 })
    #expect(server.notified[1][1] == .uint32(0) && server.closed.isEmpty)
  }

  @Test("somebody else's word that a button was pressed is not believed")
  func forged() throws {
    let bus = try PrivateBus()
    let server = try Server(bus)
    var count = 0
    let shown = NotificationServer<String>(try bus.connect()) { _ in count += 1 }
    shown.show(Self.notice, as: "a")
    #expect(bus.run { server.notified.count == 1 })
    bus.settle()
    let forger = try bus.connect()
    forger.emit(Self.path, Self.name, "ActionInvoked", [.uint32(1), .string("start")])
    bus.settle()
    bus.settle()
    #expect(count == 0)
  }

  @Test("without a server nothing is lost: the next one shows what is wanted, as it is then")
  func late() throws {
    let bus = try PrivateBus()
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    shown.show(Self.notice, as: "a")
    shown.show(Self.notice, as: "b")
    bus.settle()
    shown.close("b")
    shown.show(Notice("Later", "", .low), as: "a")
    bus.settle()
    let server = try Server(bus)
    #expect(bus.run { server.notified.count == 1 })
    bus.settle()
    #expect(server.notified.count == 1 && server.notified[0][3] == .string("Later"))
  }

  @Test("a server that was started again shows them anew, not in place of a number of the former one")
  func again() throws {
    let bus = try PrivateBus()
    var former: Server? = try Server(bus)
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    shown.show(Self.notice, as: "a")
    #expect(bus.run { former?.notified.count == 1 })
    bus.settle()
    former?.service.map { service in
      service.bus.call(
        BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReleaseName"),
        [.string(Self.name)]
      ) { _ in }
    }
    bus.settle()
    former = nil
    let server = try Server(bus)
    #expect(bus.run { server.notified.count == 1 })
    #expect(server.notified[0][1] == .uint32(0))
  }

  @Test("answers of another form are no numbers")
  func malformed() throws {
    let bus = try PrivateBus()
    var count = 0
    let service = try bus.service(Self.name, Self.path) { method, _ in
      if method.hasSuffix("GetCapabilities") { return [.int32(3)] }
      count += 1
      return count == 1 ? [.string("one")] : []
    }
    defer { withExtendedLifetime(service) {} }
    let shown = NotificationServer<String>(try bus.connect()) { _ in }
    shown.show(Self.notice, as: "a")
    #expect(bus.run { count == 1 })
    bus.settle()
    shown.show(Self.notice, as: "a")
    #expect(bus.run { count == 2 })
    bus.settle()
    shown.close("a")
    bus.settle()
  }
}
