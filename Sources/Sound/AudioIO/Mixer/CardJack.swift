import CALSA
import Glibc

/// A jack of a sound card that tells whether a plug is in it.
public struct CardJack: Sendable, Hashable {
  /// Name as the card has it, without its last word: `Headphone` of `Headphone Jack`.
  public let name: String
  public let isPlugged: Bool

  public init(name: String, isPlugged: Bool) { (self.name, self.isPlugged) = (name, isPlugged) }

  /// Jacks of the card of a device through which its sound goes out or comes in; empty of a card that has none which tells, nil for a device
  /// that is on no card, and for a card that is away or that may not be opened.
  ///
  /// The kernel keeps a control for each, which its driver turns on and off (Documentation/sound/designs/control-names.rst and
  /// sound/core/ctljack.c, from memory).
  ///
  /// - Threads: control; opens the card and closes it.
  public static func all(of device: String, _ direction: StreamDirection) -> [CardJack]? {
    guard let number = DevicePlace.number(of: device), let card = CardControls(of: device) else {
      return nil
    }
    return card.jacks.filter { isPart(of: direction, name: $0.name, device: number) }
  }

  /// True of a jack through which a device's sound goes that way.
  ///
  /// Jacks belong to the first device of a card, but for those of screens (`HDMI/DP,pcm=3`), which are left out: nobody plugs earphones in
  /// there. A microphone that is built in has no plug; the kernel tells of some as always plugged in (`Internal Mic Phantom`).
  ///
  /// - Parameter device: Number of the device on its card.
  static func isPart(of direction: StreamDirection, name: String, device: Int) -> Bool {
    guard device == 0, !name.contains("pcm=") else { return false }
    // Of USB the ending tells the way.
    if name.hasSuffix(" - Input") { return direction == .capture }
    if name.hasSuffix(" - Output") { return direction == .playback }
    // `Headphone Mic` and `Headset Mic` are microphones.
    let words = name.split(separator: " ")
    switch direction {
    case .capture:
      let isBuiltIn = words.contains("Int") || words.contains("Internal")
      return (words.contains("Mic") && (!isBuiltIn || words.contains("Phantom"))) || words.last == "Line"
    case .playback:
      let isHeard = words.contains { ["Headphone", "Headphones", "Headset"].contains($0) }
      return !words.contains("Mic") && (isHeard || name.contains("Line Out"))
    }
  }
}

/// An open card, for its controls.
@safe private struct CardControls: ~Copyable {
  private let handle: OpaquePointer

  init?(of device: String) {
    guard let card = DevicePlace.cards(capture: device, playback: device).keys.first else { return nil }
    calsa_silence_errors()
    var opened: OpaquePointer?
    guard unsafe snd_ctl_open(&opened, "hw:\(card)", SND_CTL_NONBLOCK) >= 0, let handle = unsafe opened
    else {
      return nil
    }
    unsafe self.handle = handle
  }

  deinit { unsafe snd_ctl_close(handle) }

  /// Jacks in the card's order.
  var jacks: [CardJack] {
    var list: OpaquePointer?
    guard unsafe snd_ctl_elem_list_malloc(&list) >= 0, let list = unsafe list else { return [] }
    defer { unsafe snd_ctl_elem_list_free(list) }
    // Once for their number, and once for them.
    guard unsafe snd_ctl_elem_list(handle, list) >= 0,
      unsafe snd_ctl_elem_list_alloc_space(list, snd_ctl_elem_list_get_count(list)) >= 0
    else { return [] }
    defer { unsafe snd_ctl_elem_list_free_space(list) }
    guard unsafe snd_ctl_elem_list(handle, list) >= 0 else { return [] }
    return unsafe (0..<snd_ctl_elem_list_get_used(list)).compactMap { unsafe jack(list, $0) }
  }

  private func jack(_ list: OpaquePointer, _ index: UInt32) -> CardJack? {
    let ending = " Jack"
    guard unsafe snd_ctl_elem_list_get_interface(list, index) == SND_CTL_ELEM_IFACE_CARD,
      let name = unsafe snd_ctl_elem_list_get_name(list, index).map({ unsafe String(cString: $0) }),
      name.hasSuffix(ending)
    else { return nil }
    var value: OpaquePointer?
    guard unsafe snd_ctl_elem_value_malloc(&value) >= 0, let value = unsafe value else { return nil }
    defer { unsafe snd_ctl_elem_value_free(value) }
    unsafe snd_ctl_elem_value_set_numid(value, snd_ctl_elem_list_get_numid(list, index))
    guard unsafe snd_ctl_elem_read(handle, value) >= 0 else { return nil }
    return CardJack(
      name: String(name.dropLast(ending.count)),
      isPlugged: unsafe snd_ctl_elem_value_get_boolean(value, 0) != 0)
  }
}
