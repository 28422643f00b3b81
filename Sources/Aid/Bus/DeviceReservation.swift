import Base
import Glibc

/// A sound card as this program's alone among those that keep to the session's agreement, sound servers
/// above all (git.0pointer.de/?p=reserve.git, "A simple device reservation scheme with D-Bus"):
/// `org.freedesktop.ReserveDevice1.Audio0`.
///
/// Whoever has the card gives it back when this is asked for, and opens it again when this ends.
///
/// - Threads: the bus's.
package final class DeviceReservation {
  package enum Outcome: Sendable, Equatable {
    case held
    /// Another program keeps it, by its own name where it tells one.
    case refused(by: String?)
    /// Somebody has taken the name away, or the bus is gone.
    case lost
  }

  private static let interface = "org.freedesktop.ReserveDevice1"
  /// Nobody's is higher, so that the card is never given away: silence would come without a word. The
  /// agreement's own "never".
  private static let priority = Int32.max
  /// D-Bus Specification, "org.freedesktop.DBus.RequestName".
  private static let (replaces, doesNotQueue): (UInt32, UInt32) = (2, 4)
  private static let (isOwner, wasOwner) = (1, 4)

  private let bus: MessageBus
  private let card: Int
  private let told: (Outcome) -> Void
  private var object: BusSlot?
  private var loss: BusSlot?
  private var isHeld = false

  private var name: String { "\(Self.interface).Audio\(card)" }
  private var path: String { "/org/freedesktop/ReserveDevice1/Audio\(card)" }

  /// Asks for a card.
  ///
  /// - Parameters:
  ///   - card: Its number.
  ///   - device: ALSA's name of what is used, for whoever asks who has the card.
  ///   - told: Is run with the outcome, and again if a held card is lost.
  package init(_ card: Int, device: String, on bus: MessageBus, told: @escaping (Outcome) -> Void) {
    (self.card, self.bus, self.told) = (card, bus, told)
    bus.claims[name, default: 0] += 1
    object = bus.serve(path) { method, arguments in Self.answer(method, arguments, device: device) }
    loss = bus.watch(.ofBus("NameLost")) { [weak self] values in
      guard let self, isHeld, values.first?.text == name else { return }
      isHeld = false
      told(.lost)
    }
    request(flags: Self.doesNotQueue)
  }

  deinit {
    bus.claims[name, default: 0] -= 1
    if isHeld { Self.release(name, on: bus) }
  }

  /// Gives the name back, unless another reservation has begun since: both have it.
  private static func release(_ name: String, on bus: MessageBus) {
    guard bus.claims[name, default: 0] == 0 else { return }
    bus.call(.ofBus("ReleaseName"), [.string(name)]) { _ in }
  }

  /// Takes the name; where it is taken asks its owner, and takes it from one who agrees.
  private func request(flags: UInt32) {
    bus.call(.ofBus("RequestName"), [.string(name), .uint32(flags)]) {
      [weak self, weak bus = self.bus, name = self.name] answer in
      let code = (try? answer.get())?.first?.number
      let isGranted = code == Self.isOwner || code == Self.wasOwner
      guard let self else {
        // Given back before the answer came: the connection would keep the name to its end.
        if isGranted, let bus { Self.release(name, on: bus) }
        return
      }
      guard code != nil else { return told(.lost) }
      if isGranted {
        isHeld = true
        told(.held)
      } else if flags & Self.replaces == 0 {
        askOwner()
      } else {
        tellOwner()
      }
    }
  }

  private func askOwner() {
    bus.call(BusMethod(name, path, Self.interface, "RequestRelease"), [.int32(Self.priority)]) {
      [weak self] answer in
      guard let self else { return }
      if (try? answer.get())?.first?.isTrue == true {
        request(flags: Self.doesNotQueue | Self.replaces)
      } else {
        tellOwner()
      }
    }
  }

  private func tellOwner() {
    let get = BusMethod(name, path, "org.freedesktop.DBus.Properties", "Get")
    bus.call(get, [.string(Self.interface), .string("ApplicationName")]) { [weak self] answer in
      self?.told(.refused(by: (try? answer.get())?.first?.text))
    }
  }

  /// Answers others that ask for the card or who has it.
  private static func answer(_ method: String, _ arguments: [BusValue], device: String) -> [BusValue]? {
    let properties: [String: BusValue] = [
      "Priority": .int32(priority), "ApplicationName": .string("Auricle"),
      "ApplicationDeviceName": .string(device),
    ]
    switch method {
    case "\(interface).RequestRelease": return [.boolean(false)]
    case "org.freedesktop.DBus.Properties.Get":
      return arguments.last?.text.flatMap { properties[$0] }.map { [.variant($0)] }
    case "org.freedesktop.DBus.Properties.GetAll": return [.properties(properties)]
    default: return nil
    }
  }
}
