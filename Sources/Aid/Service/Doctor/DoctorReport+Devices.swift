import AudioIO
import Base
import Control
import Engine

extension DoctorReport {
  /// The sound devices that would be opened, and what stands in their way.
  static func devices(_ machine: Machine, _ loaded: LoadedConfiguration) -> [Finding] {
    let (configured, settings) = (loaded.configuration.device, AidSettings(devicesOf: loaded))
    let usual = machine.devices.usual?.name
    let opened = machine.report?.devices
    let ends = [
      End(
        "microphone's device", .capture, settings.captureDevice ?? usual, opened?.capture.name,
        isOfCalibration: configured.capture == nil && settings.captureDevice != nil),
      End(
        "earphones' device", .playback, settings.playbackDevice ?? usual, opened?.playback.name,
        isOfCalibration: configured.playback == nil && settings.playbackDevice != nil),
    ]
    return [cards(machine)] + ends.map { judged($0, machine, configured, file: loaded.file) }
  }

  /// A device. The refusal of an attempt to open it comes last: of a card it tells less, not what to do about who has it.
  private static func judged(
    _ end: End, _ machine: Machine, _ configured: Configuration.Device, file: String?
  ) -> Finding {
    let finding = device(end, machine, configured, file: file)
    guard finding.verdict != .bad, let refusal = machine.refusals[end.direction] else { return finding }
    if let taken = taken(end, refusal, machine, configured) { return taken }
    let isThere = machine.devices.contains { device in end.name.map(device.isCalled) ?? false }
    let unasked = PCMOpenError.withoutQuestion(refusal)
    return Finding(
      end.subject, .bad, found: unasked ?? refusal,
      remedy: end.isOfCalibration && !isThere
        ? "The calibration was made with it: connect it, or name another in \(end.key), with which that does not"
          + " count."
        : unasked != nil && end.name.map(DevicePlace.isOnCard) == false
          ? "Start its server, which for ALSA's plugin jack is jackd, or name another device in \(end.key)."
          : "auricle devices lists what there is.")
  }

  /// The card behind a plugin's name, where somebody has it; nil: nobody had when the cards were listed, or the name leads to no card.
  private static func taken(
    _ end: End, _ refusal: String, _ machine: Machine, _ configured: Configuration.Device
  ) -> Finding? {
    guard let name = end.name, PCMOpenError.isBusy(refusal, name) else { return nil }
    let place = DevicePlace.name(of: name)
    // Of one that was free then the rates are known, which a plugin converts.
    guard let device = machine.devices.first(where: { $0.isCalled(place) }),
      device.offer(end.direction) == nil
    else { return nil }
    let finding = card(end, name, device, machine, configured)
    return finding.verdict == .bad ? finding : nil
  }

  /// One end of the chain of sound.
  private struct End {
    let subject: String
    let direction: StreamDirection
    /// Device that would be opened; nil: there is none.
    let name: String?
    /// Device that the daemon has open; nil: none.
    let opened: String?
    /// True of a device that the configuration does not name, and the calibration was made with.
    let isOfCalibration: Bool
    /// Key of the configuration.
    var key: String { "device.\(direction.rawValue)" }

    init(
      _ subject: String, _ direction: StreamDirection, _ name: String?, _ opened: String?,
      isOfCalibration: Bool
    ) {
      (self.subject, self.direction, self.name, self.opened) = (subject, direction, name, opened)
      self.isOfCalibration = isOfCalibration
    }
  }

  static func cards(_ machine: Machine) -> Finding {
    if let fault = machine.deviceFault {
      return Finding(
        "sound cards", .bad, found: fault,
        remedy: "Correct /etc/asound.conf or ~/.asoundrc, the one that was changed last.",
        repair: .none(.administrator))
    }
    let cards = machine.devices.filter { $0.card != nil }
    let refused = cards.filter { $0.refusedFile != nil }
    if let refusal = refused.first?.refusalParts, refused.count == cards.count {
      return Finding(
        "sound cards", .bad, found: "\(English.list(cards.map(\.name), "and")) \(refusal.found)",
        remedy: sentence(refusal.remedy), repair: .none(.administrator))
    }
    let isSupplied =
      machine.report?.devices != nil || (machine.tried.count == 2 && machine.refusals.isEmpty)
    guard cards.isEmpty else {
      return Finding("sound cards", .good, found: cards.map(\.name).joined(separator: ", "))
    }
    return isSupplied
      ? Finding("sound cards", .good, found: "none, but other devices deliver sound")
      : Finding(
        "sound cards", .warning, found: "none", remedy: "Plug one in: the daemon finds it by itself.")
  }

  private static func device(
    _ end: End, _ machine: Machine, _ configured: Configuration.Device, file: String?
  ) -> Finding {
    guard let name = end.name else {
      return Finding(
        end.subject, .bad, found: "this machine has no sound card with converters that captures and plays",
        remedy: "Plug one in: the daemon finds it by itself. Or name two in [device] of the configuration.")
    }
    if SilentDevice.isCalled(name) {
      return Finding(
        end.subject, .warning, found: "\(name), which \(SilentDevice.effect(end.direction))",
        remedy: "auricle devices lists the devices of sound cards.", repair: .none(.choice))
    }
    if let hidden = HiddenDelay(deviceName: name) {
      return indirect(end, name, hidden, machine, configured, file: file)
    }
    guard let device = machine.devices.first(where: { $0.isCalled(name) }) else {
      // Names of alsa-lib's configuration need not be listed, and aliases such as hw:0 are not.
      if end.opened == name { return Finding(end.subject, .good, found: "\(name), in use by the daemon") }
      if machine.tried.contains(end.direction) {
        return Finding(end.subject, .good, found: "\(name), can be opened")
      }
      return Finding(
        end.subject, .warning, found: "\(name), named, not tried",
        remedy: "Stop the sound, then auricle doctor tries it.")
    }
    return card(end, name, device, machine, configured)
  }

  // MARK: - Cards

  private static func card(
    _ end: End, _ name: String, _ device: DeviceDescription, _ machine: Machine,
    _ configured: Configuration.Device
  ) -> Finding {
    guard device.directions.contains(end.direction) else {
      return Finding(
        end.subject, .bad, found: "\(name), which has no \(end.direction.rawValue)",
        remedy: "auricle devices lists what there is.")
    }
    if let refusal = device.refusalParts {
      return Finding(
        end.subject, .bad, found: "\(name) \(refusal.found)", remedy: sentence(refusal.remedy),
        repair: .none(.administrator)
      )
    }
    let others = device.holders.filter { $0.command != "auricled" && $0.command != "auricle" }
    let offer = device.offer(end.direction)
    // The daemon has this direction, whoever has the other one; or a program that had it when the devices were listed has given it up.
    let isOpened =
      end.opened.map(device.isCalled) == true
      || (machine.tried.contains(end.direction) && machine.refusals[end.direction] == nil)
    if offer == nil, !isOpened, !others.isEmpty {
      let who = others.map { "\($0.command) (process \($0.processID))" }.joined(separator: " and ")
      let servers = others.filter { soundServers.contains($0.command) }
      let keeper = machine.keepers[end.direction]
      return Finding(
        end.subject, .bad,
        found: "\(name), in use by \(who)" + (keeper.map { ". \($0)" } ?? ""),
        remedy: servers.count == others.count
          ? (keeper == nil ? serverRemedy : SessionCards.advice)
          : "Stop it, or choose another device.")
    }
    if offer == nil, !isOpened, let aid = anotherAid(device, machine) {
      return Finding(
        end.subject, .bad, found: "\(name), in use by another hearing aid (process \(aid.processID))",
        remedy:
          "It is the system's, another person's, or yours on another socket; end that one first, or choose another device."
      )
    }
    if let offer, !offer.rates.contains(configured.rate) {
      let rates = offer.rates.map(String.init)
      return Finding(
        end.subject, .bad,
        found: "\(name) does not run at \(configured.rate) Hz: it offers \(English.list(rates, "and")) Hz",
        remedy: "Choose one of these for device.rate, 44100, 48000 or 96000, or another device.")
    }
    return Finding(end.subject, .good, found: device.title.isEmpty ? name : "\(name), \(device.title)")
  }

  /// A daemon that has the card and is not the one that answers here; nil also where one that does not answer may be it.
  private static func anotherAid(_ device: DeviceDescription, _ machine: Machine) -> DeviceHolder? {
    guard !machine.isUnanswered else { return nil }
    return device.holders.first { $0.command == "auricled" && $0.processID != machine.report?.daemon.pid }
  }

  static func sentence(_ clause: String) -> String {
    "\(clause.prefix(1).uppercased())\(clause.dropFirst())."
  }

  private static let serverRemedy =
    "This is a sound server. The aid of its session asks it for the card: auricle start. The system's aid cannot ask:"
    + " auricled(8), Other programs on the sound card, tells how the server leaves the card alone."

  /// Names of programs that hold cards for others, as the kernel keeps them (15 bytes).
  private static let soundServers: Set = [
    "pipewire", "pipewire-pulse", "pipewire-media-", "wireplumber", "pulseaudio", "jackd", "jackdbus",
  ]

  // MARK: - What lies between

  private static func indirect(
    _ end: End, _ name: String, _ hidden: HiddenDelay, _ machine: Machine,
    _ configured: Configuration.Device,
    file: String?
  ) -> Finding {
    if let link = BluetoothLink(deviceName: name) {
      return end.direction == .capture
        ? Finding(
          end.subject, .bad, found: "\(name) is \(BluetoothLink.captureRefusal)",
          remedy: "Choose a wired or USB microphone: auricle devices")
        : Finding(
          end.subject, .warning,
          found: "\(name): \(link.caution(measured: machine.measuredDelay(of: name)))",
          remedy: "Choose wired or USB earphones where you can: auricle devices", repair: .none(.choice))
    }
    let hardware = hidden == .conversion ? hardware(behind: name, end.direction, machine, configured) : nil
    let set = hardware.map { "auricle config set \(end.key)=\($0)" }
    let repair = hardware.flatMap { value in
      file.map { Repair.step(.set(key: end.key, value: value, file: $0)) }
    }
    return Finding(
      end.subject, .warning, found: "\(name), which \(hidden.explanation)",
      remedy: set.map { "The card itself can do what is asked: \($0)" }
        ?? "auricle devices lists the hw: devices.",
      // A mixer may turn the sound down, too, and others play through it.
      repair: repair ?? .none(hidden == .mixing ? .hearing : .choice))
  }

  /// The card's own device behind a plugin that does nothing but convert, where it needs no conversion; nil: it does, or which one it
  /// is cannot be told.
  private static func hardware(
    behind name: String, _ direction: StreamDirection, _ machine: Machine,
    _ configured: Configuration.Device
  ) -> String? {
    guard name.hasPrefix("plughw:") || name.hasPrefix("plug:") else { return nil }
    let place = DevicePlace.name(of: name)
    guard place.hasPrefix("hw:"),
      let offer = machine.devices.first(where: { $0.name == place })?.offer(direction),
      offer.rates.contains(configured.rate), offer.channels.contains(2),
      configured.format.map(offer.formats.contains) ?? !offer.formats.isEmpty
    else { return nil }
    return place
  }
}

extension DeviceDescription {
  /// True for a device of this name, which may leave out the device's number on its card.
  func isCalled(_ name: String) -> Bool { self.name == name || self.name.hasPrefix(name + ",") }

  fileprivate func offer(_ direction: StreamDirection) -> DeviceOffer? {
    direction == .capture ? capture : playback
  }
}
