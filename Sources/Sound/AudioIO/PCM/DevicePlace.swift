/// One name for a device on a card, by whichever of its names it was called: `hw:0,0`, `hw:Loopback,0`,
/// `hw:CARD=Loopback,DEV=0` and `plughw:0,0` are all `hw:CARD=Loopback,DEV=0`.
///
/// - Threads: control.
public enum DevicePlace {
  /// Plugins of alsa-lib's configuration whose arguments are those of `hw`: what they play goes to that
  /// device. Not `hdmi`,
  /// `iec958` and `surround…`, which number devices in their own way.
  private static let direct: Set<Substring> = ["hw", "plughw", "dmix", "dsnoop", "sysdefault", "front"]

  /// Plugins that play on a sound server's sink.
  private static let servers: Set<Substring> = ["pulse", "pipewire"]

  /// True for the name of a device on a card, whether the card is there or not; false for those of sound servers, and for
  /// names of alsa-lib's configuration, which may lead anywhere.
  public static func isOnCard(_ device: String) -> Bool {
    direct.contains(plugin(of: device)) && DeviceNode.address(String(unwrapped(device))) != nil
  }

  /// True where another program's settings may be those of the device: a sound server's, those of a mixer on a card, and for names of
  /// alsa-lib's configuration, which may lead to either.
  public static func isShared(_ device: String) -> Bool {
    !isOnCard(device) || HiddenDelay(deviceName: String(unwrapped(device))) == .mixing
  }

  /// True where a name leads to PulseAudio or PipeWire, also behind `plug:`. A sink or an address in it is the one that is asked for:
  /// when that is gone, the server plays on another one.
  public static func isOnServer(_ device: String) -> Bool {
    servers.contains(plugin(of: device))
  }

  /// Plugin that a name begins with, and the one behind `plug:`: `dmix` of `dmix:0` and of `plug:'dmix:0'`.
  public static func plugin(of device: String) -> Substring { unwrapped(device).prefix { $0 != ":" } }

  /// The device's place on the cards that there are now; the name itself where it does not say a card.
  public static func name(of device: String) -> String { name(of: device, on: CardAccess().cards) }

  /// The device's name with card and number, as `name(of:)` without a look at this machine's cards: a card's
  /// number and its short name remain two names.
  public static func spelledOut(_ device: String) -> String { name(of: device, on: []) }

  /// Number of a device on its card, from 0; nil of a device that is on none.
  static func number(of device: String) -> Int? {
    guard isOnCard(device) else { return nil }
    return DeviceNode.address(String(unwrapped(device)))?.device
  }

  /// Numbers of the cards that two devices are on, each with the device's name; that of the usual device
  /// where none is named. Devices that lie on no card, and cards that are away, are left out.
  public static func cards(capture: String?, playback: String?) -> [Int: String] {
    cards(capture: capture, playback: playback, on: CardAccess())
  }

  static func cards(capture: String?, playback: String?, on access: CardAccess) -> [Int: String] {
    let usual = capture == nil || playback == nil ? access.devices.usual?.name : nil
    var found: [Int: String] = [:]
    for name in [capture ?? usual, playback ?? usual].compactMap(\.self) {
      guard isOnCard(name), let (card, _) = DeviceNode.address(String(unwrapped(name))),
        let listed = access.card(card)
      else { continue }
      found[listed.number] = name
    }
    return found
  }

  static func name(of device: String, on cards: [ListedCard]) -> String {
    guard isOnCard(device), let (card, number) = DeviceNode.address(String(unwrapped(device))) else {
      return device
    }
    // A card that is away may come by any number, but keeps its short name.
    return "hw:CARD=\(CardAccess(cards: cards).card(card)?.id ?? card),DEV=\(number)"
  }

  /// The device behind `plug:hw:0`, `plug:'hw:0,0'` and `plug:SLAVE='hw:0,0'`.
  private static func unwrapped(_ device: String) -> Substring {
    var rest = device[...]
    guard rest.hasPrefix("plug:") else { return rest }
    rest = rest.dropFirst("plug:".count)
    if rest.hasPrefix("SLAVE=") { rest = rest.dropFirst("SLAVE=".count) }
    return rest.drop { $0 == "'" || $0 == "\"" }.prefix { $0 != "'" && $0 != "\"" }
  }
}
