import Base
import CSystemd
import Glibc
import Testing

@testable import Bus

/// A message bus of the test's own (dbus-daemon(1)), with connections that the test serves in turn.
final class PrivateBus {
  let address: String
  private let output: UnsafeMutablePointer<FILE>
  private let process: pid_t
  private var connections: [MessageBus] = []

  /// - Parameter data: Folder whose `dbus-1/services` names services that are started on demand; nil: the machine's.
  init(data: String? = nil) throws {
    let folders = data.map { "XDG_DATA_DIRS='\($0)' " } ?? ""
    output = try #require(
      popen(
        folders + "exec dbus-daemon --session --nofork --nopidfile --print-address=1 --print-pid=1", "r"))
    var line = [CChar](repeating: 0, count: 512)
    try #require(fgets(&line, Int32(line.count), output) != nil, "is dbus-daemon installed?")
    address = String(
      decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    try #require(fgets(&line, Int32(line.count), output) != nil)
    process = atoi(line)
  }

  /// A child that nobody waits for keeps Swift Testing from seeing the end of its own.
  deinit {
    end()
    pclose(output)
  }

  /// Ends the bus, as a crash of it would.
  func end() { kill(process, SIGKILL) }

  /// Lets the bus hang, until ``goOn()``.
  func hang() { kill(process, SIGSTOP) }

  func goOn() { kill(process, SIGCONT) }

  /// A connection of the test's own, which is served until the bus has answered, and then no longer.
  ///
  /// - Parameter closingPatience: Longest that its end waits, s.
  func answered(closingPatience: Double) throws -> MessageBus {
    let bus = try MessageBus(.other(address), patience: 600, closingPatience: closingPatience)
    #expect(run { bus.process() && bus.isReady })
    return bus
  }

  /// A new connection.
  func connect() throws -> MessageBus {
    let bus = try MessageBus(.other(address), patience: 600)
    connections.append(bus)
    return bus
  }

  /// A connection that comes and goes, which the bus has noticed when this returns.
  func comeAndGo() throws {
    var visitor: MessageBus? = try MessageBus(.other(address), patience: 600)
    var hasAnswered = false
    visitor?.call(.ofBus("GetId")) { _ in hasAnswered = true }
    #expect(run { visitor?.process() == true && hasAnswered })
    let name = try #require(visitor?.uniqueName)
    visitor = nil
    let witness = try MessageBus(.other(address), patience: 600)
    var isThere: Bool?
    #expect(
      run {
        if isThere != false {
          witness.call(.ofBus("NameHasOwner"), [.string(name)]) { isThere = (try? $0.get())?.first?.isTrue }
        }
        return witness.process() && isThere == false
      })
  }

  /// A connection that answers as a service does.
  func service(
    _ name: String, _ path: String, _ answer: @escaping (String, [BusValue]) -> [BusValue]?
  ) throws -> FakeService {
    let bus = try connect()
    let object = bus.serve(path, answer)
    var isOwner = false
    bus.call(
      BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName"),
      [.string(name), .uint32(4)]
    ) { isOwner = (try? $0.get())?.first?.number == 1 }
    #expect(run { isOwner })
    return FakeService(bus: bus, path: path, object: object)
  }

  /// Serves all connections until something is so.
  ///
  /// - Returns: False when it is not so within ten minutes, which not even a busy machine needs.
  func run(until isDone: () -> Bool) -> Bool {
    let end = SystemTime.monotonic + 600
    while !isDone() {
      guard SystemTime.monotonic < end else { return false }
      for bus in connections { _ = bus.process() }
      var polled = connections.map(\.descriptor)
      poll(&polled, nfds_t(polled.count), 5)
    }
    return true
  }

  /// Serves all connections until nothing that was sent before is on its way: each has had an answer from
  /// the bus since.
  func settle() {
    for bus in connections {
      var hasAnswered = false
      bus.call(BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId"))
      { _ in
        hasAnswered = true
      }
      #expect(run { hasAnswered })
    }
  }
}

/// A service that a test plays.
struct FakeService {
  let bus: MessageBus
  let path: String
  let object: BusSlot

  /// Sends a signal.
  func tell(_ interface: String, _ name: String, _ values: [BusValue]) {
    bus.emit(path, interface, name, values)
  }
}

extension MessageBus {
  /// Name that the bus has given to this connection, `:1.7`.
  var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    return sd_bus_get_unique_name(bus, &name) >= 0 ? name.map { String(cString: $0) } : nil
  }

  /// - Parameter destination: Unique name of the connection that alone gets it; nil: all that watch it.
  func emit(
    _ path: String, _ interface: String, _ name: String, _ values: [BusValue], to destination: String? = nil
  ) {
    var message: OpaquePointer?
    guard sd_bus_message_new_signal(bus, &message, path, interface, name) >= 0 else { return }
    defer { sd_bus_message_unref(message) }
    if let destination { sd_bus_message_set_destination(message, destination) }
    guard BusMessage(message).append(values) >= 0 else { return }
    sd_bus_send(bus, message, nil)
  }
}
