/// Process that has a service's name on the bus, kept while it changes.
///
/// A signal that somebody sends to this connection alone passes the bus's filter, and sd-bus takes any sender's for that of the
/// name that is watched: it does not know who has the name. The bus itself writes the sender's unique name into each message.
///
/// - Threads: the bus's.
final class BusOwner {
  /// Name of the bus itself, which sends under it and gives it to nobody.
  static let bus = "org.freedesktop.DBus"

  /// `:1.7`; nil: nobody has the name, or it is not known yet.
  private var uniqueName: String?
  private var changes: BusSlot?

  /// Begins to ask.
  init(of service: String, on bus: MessageBus) {
    guard service != Self.bus else {
      uniqueName = service
      return
    }
    changes = bus.watchOwner(of: service) { [weak self] in self?.uniqueName = $1 }
    // Where there is none the answer is an error. It comes in order with the changes.
    bus.call(.ofBus("GetNameOwner"), [.string(service)]) { [weak self] answer in
      self?.uniqueName = (try? answer.get())?.first?.text
    }
  }

  /// True for a message of that process.
  func hasSent(_ message: BusMessage) -> Bool {
    guard let uniqueName else { return false }
    return message.sender == uniqueName
  }
}
