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

  /// Longest that an answer is waited for, s. Own choice: services are started on demand, which a slow disk
  /// delays.
  private static let patience = 5.0

  let bus: OpaquePointer
  private var calls: [Int: BusSlot] = [:]
  private var nextCall = 0

  /// Begins to connect.
  ///
  /// - Throws: ``SystemError`` when there is no such bus.
  package init(_ address: Address) throws(SystemError) {
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
    sd_bus_set_method_call_timeout(bus, UInt64(Self.patience * 1e6))
  }

  deinit {
    calls = [:]
    sd_bus_flush_close_unref(bus)
  }

  // MARK: - Serving

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
  /// - Parameter answer: Is run with the answer, with the error that came instead, or after five seconds.
  package func call(
    _ method: BusMethod, _ arguments: [BusValue] = [],
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
    code = slot.take { sd_bus_call_async(bus, &$0, message, BusSlot.receive, $1, 0) }
    guard code >= 0 else { return answer(.failure(BusError(code: -code))) }
    calls[number] = slot
  }

  /// Has a signal told from now on.
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

  private func watch(
    _ service: String, _ path: String?, _ interface: String, _ name: String,
    _ told: @escaping ([BusValue]) -> Void
  ) -> BusSlot {
    let slot = BusSlot { message in
      told(message.values)
      return 0
    }
    _ = slot.take {
      sd_bus_match_signal_async(bus, &$0, service, path, interface, name, BusSlot.receive, nil, $1)
    }
    return slot
  }

  /// Has it told when a service comes, goes or is another process's.
  ///
  /// - Parameter told: Is run with whether there was one before, and whether there is one now.
  /// - Returns: A slot to be kept for as long as it is to be told.
  package func watchOwner(
    of service: String, _ told: @escaping (_ wasThere: Bool, _ isThere: Bool) -> Void
  ) -> BusSlot {
    watch(
      BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged")
    ) {
      if $0.count == 3, $0[0].text == service {
        told($0[1].text?.isEmpty == false, $0[2].text?.isEmpty == false)
      }
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
      guard let method = message.method else { return 0 }
      guard let values = answer(method, message.values) else { return 0 }
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
