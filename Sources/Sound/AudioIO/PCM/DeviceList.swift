import Base
import CALSA
import Glibc

/// The sound devices of this machine.
public enum DeviceList {
  /// Every device, cards first, with what it offers. Devices on cards are opened for a moment to ask them.
  ///
  /// - Threads: control.
  public static func all() -> [DeviceDescription] {
    ALSALibrary.prepare()
    let onCards = hardware()
    let known = Set(onCards.map(\.name))
    let access = CardAccess()
    return (onCards + named().filter { !known.contains($0.name) && !$0.name.hasPrefix("hw:") }).map {
      $0.classed(by: access)
    }
  }

  /// Why alsa-lib cannot read its configuration, so that it finds no device at all; nil: it can.
  ///
  /// The corresponding C function is `snd_config_update`.
  ///
  /// - Threads: control.
  public static var configurationFault: String? {
    ALSALibrary.prepare()
    let code = snd_config_update()
    guard code < 0 else { return nil }
    return "ALSA's configuration cannot be read (\(SystemError.words(for: -code)))"
  }

  /// The devices on cards, without opening them: what they offer stays unknown.
  ///
  /// - Threads: control.
  public static func onCards() -> [DeviceDescription] {
    calsa_silence_errors()
    return hardware(asking: false)
  }

  /// Names by which devices can be opened.
  public static func names() -> [String] {
    ALSALibrary.prepare()
    return hardware(asking: false).map(\.name) + named().map(\.name).filter { !$0.hasPrefix("hw:") }
  }

  /// The devices on cards, those last that this user may not use.
  private static func hardware(asking: Bool = true) -> [DeviceDescription] {
    usable(asking: asking) + CardAccess().refused
  }

  /// The devices on cards that this user may use.
  private static func usable(asking: Bool) -> [DeviceDescription] {
    var found: [DeviceDescription] = []
    var card: Int32 = -1
    while unsafe snd_card_next(&card) >= 0, card >= 0 {
      var handle: OpaquePointer?
      guard unsafe snd_ctl_open(&handle, "hw:\(card)", 0) >= 0, let control = unsafe handle else {
        continue
      }
      defer { unsafe snd_ctl_close(control) }
      guard let identity = unsafe CardIdentity(control) else { continue }
      let hasConverters = CardHardware(ofCard: Int(card)).hasConverters
      var device: Int32 = -1
      while unsafe snd_ctl_pcm_next_device(control, &device) >= 0, device >= 0 {
        var description = unsafe describe(control, identity, device, asking: asking)
        description.hasConverters = hasConverters
        found.append(description)
      }
    }
    return found
  }

  private static func describe(
    _ control: OpaquePointer, _ card: CardIdentity, _ device: Int32, asking: Bool
  ) -> DeviceDescription {
    let name = "hw:CARD=\(card.id),DEV=\(device)"
    var description = DeviceDescription(name: name, title: card.name)
    description.card = card.id
    for direction in StreamDirection.allCases {
      guard let title = unsafe pcmTitle(control, device, direction) else { continue }
      description.title = "\(card.name), \(title)"
      description.directions.append(direction)
      guard asking else { continue }
      let probe = probe(name, direction)
      if direction == .capture { description.capture = probe } else { description.playback = probe }
      let node = DeviceNode(name: name, direction: direction)
      description.holders += (node?.holders() ?? []).filter { !description.holders.contains($0) }
    }
    return description
  }

  /// Name of a device's direction; nil when it has none.
  private static func pcmTitle(
    _ control: OpaquePointer, _ device: Int32, _ direction: StreamDirection
  ) -> String? {
    var memory: OpaquePointer?
    guard unsafe snd_pcm_info_malloc(&memory) >= 0, let info = unsafe memory else { return nil }
    defer { unsafe snd_pcm_info_free(info) }
    unsafe snd_pcm_info_set_device(info, UInt32(device))
    unsafe snd_pcm_info_set_subdevice(info, 0)
    unsafe snd_pcm_info_set_stream(
      info, direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK)
    guard unsafe snd_ctl_pcm_info(control, info) >= 0 else { return nil }
    return unsafe snd_pcm_info_get_name(info).map { unsafe String(cString: $0) } ?? ""
  }

  /// Capabilities of a device; nil when it cannot be opened now.
  static func probe(_ name: String, _ direction: StreamDirection) -> DeviceOffer? {
    var device = ALSADevice(name: name, direction: direction)
    guard (try? device.open()) != nil, let pcm = unsafe device.pcm else { return nil }
    guard let parameters = try? unsafe HardwareParameters(pcm, device: name) else { return nil }
    return parameters.offer
  }

  /// The devices that alsa-lib's configuration names. They are not opened: opening `default` may start a
  /// sound server.
  private static func named() -> [DeviceDescription] {
    var memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard unsafe snd_device_name_hint(-1, "pcm", &memory) >= 0, let hints = unsafe memory else { return [] }
    defer { unsafe snd_device_name_free_hint(hints) }
    var found: [DeviceDescription] = []
    var index = 0
    while let hint = unsafe hints[index] {
      index += 1
      guard let name = unsafe text(hint, "NAME") else { continue }
      let title = unsafe text(hint, "DESC")?.split(separator: "\n").joined(separator: ", ") ?? ""
      var description = DeviceDescription(name: name, title: title)
      switch unsafe text(hint, "IOID") {
      case "Input": description.directions = [.capture]
      case "Output": description.directions = [.playback]
      default: description.directions = [.capture, .playback]
      }
      found.append(description)
    }
    return found.sorted { rank($0.name) < rank($1.name) }
  }

  /// alsa-lib's order is that of a hash table: what people look for first, what plays nothing last.
  private static func rank(_ name: String) -> (Int, String) {
    (name == "default" ? 0 : name == "null" ? 2 : 1, name)
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let bytes = unsafe snd_device_name_get_hint(hint, key) else { return nil }
    defer { unsafe free(bytes) }
    return unsafe String(cString: bytes)
  }
}

/// The kernel's file behind one direction of a hardware device, such as `/dev/snd/pcmC0D0p`.
struct DeviceNode: Equatable {
  let path: String

  /// The file of a device on a card; nil for names that do not say which card.
  ///
  /// - Parameter name: `hw:1,0`, `plughw:CARD=Aid,DEV=0`, `hw:Aid`…
  init?(name: String, direction: StreamDirection) {
    guard let (card, device) = Self.address(name) else { return nil }
    let index = unsafe snd_card_get_index(card)
    guard index >= 0 else { return nil }
    path = "/dev/snd/pcmC\(index)D\(device)\(direction == .capture ? "c" : "p")"
  }

  /// Card and device of a name; nil for names that have neither.
  static func address(_ name: String) -> (card: String, device: Int)? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    var card = "0"
    var device = "0"
    for (position, part) in name[name.index(after: colon)...].split(separator: ",").enumerated() {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 {
        if pair[0] == "CARD" { card = String(pair[1]) }
        if pair[0] == "DEV" { device = String(pair[1]) }
      } else if position == 0 {
        card = String(part)
      } else if position == 1 {
        device = String(part)
      }
    }
    return Int(device).map { (card, $0) }
  }

  init(path: String) { self.path = path }

  /// The processes that have the file open, as far as this user may see.
  func holders() -> [DeviceHolder] {
    var found: [DeviceHolder] = []
    for process in Folder.names(in: "/proc") {
      guard let number = Int32(process) else { continue }
      let folder = "/proc/\(process)/fd"
      for descriptor in Folder.names(in: folder)
      where Folder.target(ofLink: "\(folder)/\(descriptor)") == path {
        let name = try? FileContent.bytes(of: "/proc/\(process)/comm", limit: 64)
        let command = name.map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) } ?? "?"
        found.append(DeviceHolder(processID: number, command: command))
        break
      }
    }
    return found
  }
}
