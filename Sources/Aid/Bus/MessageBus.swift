import Base
import CSystemd
import Glibc

/// A connection to a message bus (D-Bus, dbus.freedesktop.org/doc/dbus-specification.html).
///
/// Nothing here waits: whoever polls ``descriptor`` calls ``process()``, which runs what was asked for. The
/// corresponding C interface is sd-bus(3).
///
/// - Threads: one, that which made it.
package final class MessageBus {
  /// Buses of a machine.
  package enum Address: Sendable, Equatable {
    /// The machine's: log-ins, sleep, real time.
    case system
    /// That of a person's session: sound servers, notices.
    case session
    /// Another one, `unix:path=…`; for tests.
    case other(String)
  }

  /// Most values and bytes of text that are read from a message that was not asked for. Own choice: the longest that is watched,
  /// BlueZ's of a device that was found, has some thousand; the bus itself hands on 128 MiB.
  private static let longestUnasked = 1 << 16

  let bus: OpaquePointer
  private var calls: [Int: BusSlot] = [:]
  /// Owners of names that are watched.
  private var owners: [String: BusOwner] = [:]
  /// Number of reservations of each name: the bus gives a name to a connection once, however often it asks.
  var claims: [String: Int] = [:]
  private var nextCall = 0
  private let closingPatience: Double

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - patience: Longest that an answer is waited for, s. Own choice: services are started on demand, which a slow disk
  ///     delays. Tests wait for longer, on a busy machine.
  ///   - closingPatience: Longest that the bus is given to take what is still to be sent when the connection ends, s. Own choice: one
  ///     that is well takes it at once.
  /// - Throws: ``SystemError`` when there is no such bus.
  package init(
    _ address: Address, patience: Double = 5, closingPatience: Double = 1
  ) throws(SystemError) {
    var bus: OpaquePointer?
    let code: Int32
    switch address {
    case .system: code = sd_bus_open_system(&bus)
    case .session: code = sd_bus_open_user(&bus)
    case .other(let text):
      var result = sd_bus_new(&bus)
      if result >= 0 { result = sd_bus_set_address(bus, text) }
      if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
      if result >= 0 { result = sd_bus_start(bus) }
      if result < 0 { sd_bus_close_unref(bus) }
      code = result
    }
    guard code >= 0, let bus else { throw SystemError(call: "sd_bus_open", code: -code) }
    self.bus = bus
    self.closingPatience = closingPatience
    sd_bus_set_method_call_timeout(bus, UInt64(patience * 1e6))
  }

  deinit {
    calls = [:]
    owners = [:]
    sendRest()
    sd_bus_close_unref(bus)
  }

  /// Has the bus take what is still to be sent, where it has answered before. `sd_bus_flush` would wait without end for one that hangs;
  /// what such a bus has not taken in time is dropped.
  private func sendRest() {
    var count: UInt64 = 0
    guard isReady, sd_bus_get_n_queued_write(bus, &count) >= 0, count > 0 else { return }
    var message: OpaquePointer?
    defer { sd_bus_message_unref(message) }
    let question = BusMethod.ofBus("GetId")
    let code = sd_bus_message_new_method_call(
      bus, &message, question.service, question.path, question.interface, question.name)
    guard code >= 0 else { return }
    // Answered behind everything before it; nothing that comes meanwhile is handed out.
    sd_bus_call(bus, message, UInt64(closingPatience * 1e6), nil, nil)
  }

  // MARK: - Serving

  /// True from the bus's first answer until the connection is lost.
  package var isReady: Bool { sd_bus_is_ready(bus) > 0 }

  /// Descriptor and events to poll for.
  package var descriptor: pollfd {
    pollfd(fd: sd_bus_get_fd(bus), events: Int16(clamping: max(0, sd_bus_get_events(bus))), revents: 0)
  }

  /// When ``process()`` is to be called though nothing was polled, monotonic s.
  package var deadline: Double {
    var time: UInt64 = .max
    guard sd_bus_get_timeout(bus, &time) >= 0, time != .max else { return .infinity }
    return Double(time) / 1e6
  }

  /// Takes in what has come, and runs what waits for it.
  ///
  /// - Returns: False when the connection is lost: make another one.
  package func process() -> Bool {
    // Whoever floods the bus does not keep this thread.
    for _ in 0..<64 {
      let code = sd_bus_process(bus, nil)
      if code < 0 { return false }
      if code == 0 { break }
    }
    return sd_bus_is_open(bus) > 0
  }

  // MARK: - Asking

  /// Calls a method.
  ///
  /// - Parameters:
  ///   - isLasting: True where the answer counts however late it comes. In place of a service that ends, the bus answers.
  ///   - answer: Is run with the answer, with the error that came instead, or after five seconds.
  package func call(
    _ method: BusMethod, _ arguments: [BusValue] = [], isLasting: Bool = false,
    answer: @escaping (Result<[BusValue], BusError>) -> Void
  ) {
    var message: OpaquePointer?
    var code = sd_bus_message_new_method_call(
      bus, &message, method.service, method.path, method.interface, method.name)
    defer { sd_bus_message_unref(message) }
    if code >= 0 { code = BusMessage(message).append(arguments) }
    guard code >= 0 else { return answer(.failure(BusError(code: -code))) }
    nextCall += 1
    let number = nextCall
    let slot = BusSlot { [weak self] message in
      answer(message.answer)
      self?.calls[number] = nil
      return 0
    }
    // 0: as long as the bus's other calls.
    code = slot.take { sd_bus_call_async(bus, &$0, message, BusSlot.receive, $1, isLasting ? .max : 0) }
    guard code >= 0 else { return answer(.failure(BusError(code: -code))) }
    calls[number] = slot
  }

  /// Has a signal of a service told from now on; what anybody sends besides it in the service's name is dropped.
  ///
  /// - Returns: The subscription, kept for as long as it is to be told.
  package func watch(_ signal: BusMethod, _ told: @escaping ([BusValue]) -> Void) -> BusSlot {
    watch(signal.service, signal.path, signal.interface, signal.name, told)
  }

  /// Has a signal of any object told from now on.
  ///
  /// - Parameter signal: Its path does not matter.
  /// - Returns: A slot to be kept for as long as it is to be told.
  package func watchAnyObject(_ signal: BusMethod, _ told: @escaping ([BusValue]) -> Void) -> BusSlot {
    watch(signal.service, nil, signal.interface, signal.name, told)
  }

  /// - Parameter first: The signal's first argument; nil: any.
  private func watch(
    _ service: String, _ path: String?, _ interface: String, _ name: String, of first: String? = nil,
    _ told: @escaping ([BusValue]) -> Void
  ) -> BusSlot {
    // Asked for first: no signal comes before the answer.
    let origin = owner(of: service)
    let slot = BusSlot { message in
      guard origin.hasSent(message), let values = message.contents(within: Self.longestUnasked)
      else { return 0 }
      told(values)
      return 0
    }
    // The bus's filter ("Match Rules"). Names have no quotation marks.
    let rule = [
      ("type", "signal"), ("sender", service), ("path", path), ("interface", interface), ("member", name),
      ("arg0", first),
    ].compactMap { key, value in value.map { "\(key)='\($0)'" } }.joined(separator: ",")
    _ = slot.take { sd_bus_add_match_async(bus, &$0, rule, BusSlot.receive, nil, $1) }
    return slot
  }

  private func owner(of service: String) -> BusOwner {
    if let known = owners[service] { return known }
    let made = BusOwner(of: service, on: self)
    owners[service] = made
    return made
  }

  /// Has it told when a service comes, goes or is another process's.
  ///
  /// - Parameter told: Is run with the unique names of the one before and of the one now; nil: there was none, or there is none.
  /// - Returns: A slot to be kept for as long as it is to be told.
  package func watchOwner(
    of service: String, _ told: @escaping (_ former: String?, _ current: String?) -> Void
  ) -> BusSlot {
    let change = BusMethod.ofBus("NameOwnerChanged")
    // Of this name alone: a system's bus tells of each connection that comes or goes.
    return watch(change.service, change.path, change.interface, change.name, of: service) { values in
      guard values.count == 3, values[0].text == service else { return }
      func name(_ value: BusValue) -> String? { value.text.flatMap { $0.isEmpty ? nil : $0 } }
      told(name(values[1]), name(values[2]))
    }
  }

  // MARK: - Being asked

  /// Answers calls of an object.
  ///
  /// - Parameter answer: Of a method, by `interface.name`; nil: there is no such method.
  /// - Returns: The object's registration, kept for as long as there is to be the object.
  package func serve(
    _ path: String, _ answer: @escaping (_ method: String, _ arguments: [BusValue]) -> [BusValue]?
  ) -> BusSlot {
    let slot = BusSlot { [bus] message in
      guard let method = message.method, let arguments = message.contents(within: Self.longestUnasked),
        let values = answer(method, arguments)
      else { return 0 }
      return message.reply(values, on: bus)
    }
    _ = slot.take { sd_bus_add_object(bus, &$0, path, BusSlot.receive, $1) }
    return slot
  }
}

/// A method or a signal: whose, of which object.
package struct BusMethod: Sendable {
  let service: String
  let path: String
  let interface: String
  let name: String

  package init(_ service: String, _ path: String, _ interface: String, _ name: String) {
    (self.service, self.path, self.interface, self.name) = (service, path, interface, name)
  }

  /// One of the bus itself.
  static func ofBus(_ name: String) -> BusMethod {
    BusMethod(BusOwner.bus, "/org/freedesktop/DBus", BusOwner.bus, name)
  }
}

/// Why a call has no answer.
package struct BusError: Error, Sendable, Equatable {
  /// `org.freedesktop.DBus.Error.ServiceUnknown`.
  package let name: String
  /// In the service's words.
  package let words: String

  package init(name: String, words: String) { (self.name, self.words) = (name, words) }

  init(code: Int32) { self.init(name: "errno \(code)", words: SystemError.words(for: code)) }
}

/// Something that the bus runs when a message comes: for as long as this is kept.
package final class BusSlot {
  private let body: (BusMessage) -> Int32
  private var slot: OpaquePointer?

  init(_ body: @escaping (BusMessage) -> Int32) { self.body = body }

  deinit { sd_bus_slot_unref(slot) }

  /// Takes the place that a C function makes, which is to call ``receive`` with the pointer.
  func take(_ make: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32) -> Int32 {
    make(&slot, Unmanaged.passUnretained(self).toOpaque())
  }

  static let receive: sd_bus_message_handler_t = { message, data, _ in
    guard let data else { return 0 }
    // Kept while it runs: an answer forgets its own.
    let slot = Unmanaged<BusSlot>.fromOpaque(data).takeUnretainedValue()
    return slot.body(BusMessage(message))
  }
}
