import Base
import Glibc

/// A pair of earphones that is connected by Bluetooth, as BlueZ describes it (org.bluez.Device(5), org.bluez.Battery(5)).
package struct BluetoothEarphones: Sendable, Equatable {
  /// `04:5D:4B:00:11:22`.
  package let address: String
  /// For people; whatever the wearer or the maker has called it.
  package let name: String
  /// Maker and product, `bluetooth:v004Cp200Ed0C20`; nil: it does not tell.
  package let modalias: String?
  /// Charge of its battery, %, 0…100; nil: it does not tell.
  package let charge: Int?

  package init(address: String, name: String, modalias: String? = nil, charge: Int? = nil) {
    (self.address, self.name, self.modalias, self.charge) = (address, name, modalias, charge)
  }

  /// Services of what plays into ears or a room: headset, audio sink, hands-free, published audio capabilities; and of hearing
  /// aids (Bluetooth Assigned Numbers, 3.3 and 3.4.1).
  private static let (sounding, hearing): (Set<Substring>, Set<Substring>) = (
    ["1108", "110b", "111e", "1850"], ["1854"]
  )
  /// Bluetooth's base UUID after the number of a service (Core Specification, Vol 3, Part B, 2.5.1).
  private static let base = "-0000-1000-8000-00805f9b34fb"

  /// Nil for anything but connected earphones.
  ///
  /// - Parameter interfaces: Of the object, with their properties.
  init?(_ interfaces: BusValue) {
    guard let device = interfaces["org.bluez.Device1"], device["Connected"]?.isTrue == true,
      let address = device["Address"]?.text, Self.isWorn(device)
    else { return nil }
    let name = device["Alias"]?.text ?? device["Name"]?.text
    let charge = interfaces["org.bluez.Battery1"]?["Percentage"]?.number
    self.init(
      address: address, name: name.flatMap { $0.isEmpty ? nil : $0 } ?? address,
      modalias: device["Modalias"]?.text,
      charge: charge.flatMap { 0...100 ~= $0 ? $0 : nil })
  }

  /// True where a device's kind says so, and where it says none, its services: loudspeakers, cars and computers play too.
  private static func isWorn(_ device: BusValue) -> Bool {
    guard case .list(let listed)? = device["UUIDs"] else { return false }
    let services = Set(
      listed.compactMap { $0.text?.lowercased() }.filter { $0.hasSuffix(base) }.map {
        $0.prefix(8).suffix(4)
      })
    if !services.isDisjoint(with: hearing) { return true }
    if let icon = device["Icon"]?.text { return icon.hasPrefix("audio-head") }
    return !services.isDisjoint(with: sounding)
  }
}

extension BluetoothEarphones {
  /// Those that are connected now, for a command: none without BlueZ, or where it does not answer in time, or with an error.
  ///
  /// - Parameter patience: Longest that it is waited for, s; own choice: BlueZ answers in some milliseconds.
  package static func connected(
    on address: MessageBus.Address = .system, within patience: Double = 1
  ) -> [BluetoothEarphones] {
    guard let bus = try? MessageBus(address) else { return [] }
    var found: [BluetoothEarphones] = []
    let watch = BluetoothWatch(bus) { found = $0 }
    defer { withExtendedLifetime(watch) {} }
    let end = SystemTime.monotonic + patience
    while bus.process(), !watch.isAnswered {
      let left = min(end, bus.deadline) - SystemTime.monotonic
      guard SystemTime.monotonic < end else { break }
      var polled = bus.descriptor
      _ = poll(&polled, 1, Int32((max(0, left) * 1000).rounded(.up)))
    }
    return found
  }
}

/// All earphones that are connected by Bluetooth, and their charge, as long as they change.
///
/// - Threads: the bus's.
package final class BluetoothWatch {
  /// Most that are told: adapters serve seven devices at once (Core Specification, Vol 2, Part B, 4.5). Own choice.
  private static let most = 16
  private static let service = "org.bluez"
  private static let manager = "org.freedesktop.DBus.ObjectManager"
  private static let properties = "org.freedesktop.DBus.Properties"
  /// Time after which it is asked again, s, where no answer came: BlueZ tells of the next change only. Own choice.
  private static let interval = 10.0

  private let bus: MessageBus
  private let told: ([BluetoothEarphones]) -> Void
  private var slots: [BusSlot] = []
  private var last: [BluetoothEarphones] = []
  private var isAsking = false
  /// True when something has changed since it was asked.
  private var isStale = false
  /// True once the first question was answered: by BlueZ, or by the bus, which has none.
  private(set) var isAnswered = false
  /// True from a question without an answer until the next one.
  private var isOwed = false
  /// When that one is asked, monotonic s; nil: not served yet since.
  private var nextQuestion: Double?

  /// Begins to watch.
  ///
  /// - Parameter told: Is run with all of them, by address, when they are others than before.
  package init(_ bus: MessageBus, told: @escaping ([BluetoothEarphones]) -> Void) {
    (self.bus, self.told) = (bus, told)
    func signal(_ interface: String, _ name: String) -> BusMethod {
      BusMethod(Self.service, "/", interface, name)
    }
    slots = [
      bus.watch(signal(Self.manager, "InterfacesAdded")) { [weak self] _ in self?.look() },
      bus.watch(signal(Self.manager, "InterfacesRemoved")) { [weak self] _ in self?.look() },
      bus.watchAnyObject(signal(Self.properties, "PropertiesChanged")) { [weak self] in self?.takeChange($0)
      },
      bus.watchOwner(of: Self.service) { [weak self] in $1 != nil ? self?.look() : self?.tell([]) },
    ]
    lookIfThere()
  }

  // MARK: - A question without an answer

  /// When to be served, monotonic s.
  package var deadline: Double { isOwed ? nextQuestion ?? 0 : .infinity }

  /// Asks again what was not answered, after some seconds.
  package func serve(now: Double) {
    guard isOwed, now >= nextQuestion ?? 0 else { return }
    guard nextQuestion != nil else {
      nextQuestion = now + Self.interval
      return
    }
    lookIfThere()
  }

  // MARK: - Asking

  /// Looks where there is a BlueZ: a call would start one that is not wanted.
  private func lookIfThere() {
    (isOwed, nextQuestion) = (false, nil)
    bus.call(.ofBus("NameHasOwner"), [.string(Self.service)]) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let values):
        if values.first?.isTrue == true { look() } else { isAnswered = true }
      case .failure: isOwed = true
      }
    }
  }

  /// While an adapter searches, strengths of signals change all the time.
  private func takeChange(_ values: [BusValue]) {
    let changes = values.count > 1 ? values[1] : .list([])
    switch values.first?.text {
    case "org.bluez.Battery1": look()
    case "org.bluez.Device1":
      if ["Connected", "Alias", "Modalias", "UUIDs"].contains(where: { changes[$0] != nil }) { look() }
    default: break
    }
  }

  /// Asks for everything: one question at a time, whatever comes meanwhile.
  private func look() {
    guard !isAsking else { return isStale = true }
    (isAsking, isStale) = (true, false)
    (isOwed, nextQuestion) = (false, nil)
    bus.call(BusMethod(Self.service, "/", Self.manager, "GetManagedObjects")) { [weak self] answer in
      guard let self else { return }
      (isAsking, isAnswered) = (false, true)
      switch answer {
      case .success(let values): tell(Self.earphones(in: values.first))
      // Those that were told are so still, as far as anybody knows.
      case .failure: isOwed = true
      }
      if isStale { look() }
    }
  }

  static func earphones(in objects: BusValue?) -> [BluetoothEarphones] {
    guard case .list(let entries)? = objects else { return [] }
    var found: [BluetoothEarphones] = []
    for case .list(let pair) in entries where pair.count == 2 {
      if let earphones = BluetoothEarphones(pair[1]) { found.append(earphones) }
    }
    return Array(found.sorted { $0.address < $1.address }.prefix(most))
  }

  private func tell(_ earphones: [BluetoothEarphones]) {
    guard earphones != last else { return }
    last = earphones
    told(earphones)
  }
}
