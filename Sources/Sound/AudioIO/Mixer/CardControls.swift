import CALSA
import Glibc

/// An open card, for its controls.
@safe struct CardControls: ~Copyable {
  /// Last word of a jack's name.
  private static let ending = " Jack"
  /// Changes that are read at once: the kernel tells each control's once until it is read, and cards have some hundred controls.
  private static let mostChanges = 1000

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

  /// Begins to tell of changes of controls.
  ///
  /// - Returns: A descriptor that is readable when there are any; nil where the card refuses.
  func subscribe() -> Int32? {
    var polled = pollfd()
    guard unsafe snd_ctl_subscribe_events(handle, 1) >= 0,
      unsafe snd_ctl_poll_descriptors(handle, &polled, 1) == 1
    else { return nil }
    return polled.fd
  }

  /// Uses up the changes that were told.
  ///
  /// - Returns: True when one was of a jack; nil once the card has gone.
  func takeChanges() -> Bool? {
    var event: OpaquePointer?
    guard unsafe snd_ctl_event_malloc(&event) >= 0, let event = unsafe event else { return nil }
    defer { unsafe snd_ctl_event_free(event) }
    var isOfJack = false
    for _ in 0..<Self.mostChanges {
      let code = unsafe snd_ctl_read(handle, event)
      guard code > 0 else { return code == 0 || code == -EAGAIN ? isOfJack : nil }
      guard unsafe snd_ctl_event_get_type(event) == SND_CTL_EVENT_ELEM else { continue }
      let name = unsafe snd_ctl_event_elem_get_name(event).map { unsafe String(cString: $0) }
      isOfJack = isOfJack || name?.hasSuffix(Self.ending) == true
    }
    return isOfJack
  }

  /// Jacks in the card's order; nil where one cannot be read, of which nobody knows whether it is empty.
  var jacks: [CardJack]? {
    var list: OpaquePointer?
    guard unsafe snd_ctl_elem_list_malloc(&list) >= 0, let list = unsafe list else { return nil }
    defer { unsafe snd_ctl_elem_list_free(list) }
    // Once for their number, and once for them.
    guard unsafe snd_ctl_elem_list(handle, list) >= 0,
      unsafe snd_ctl_elem_list_alloc_space(list, snd_ctl_elem_list_get_count(list)) >= 0
    else { return nil }
    defer { unsafe snd_ctl_elem_list_free_space(list) }
    guard unsafe snd_ctl_elem_list(handle, list) >= 0 else { return nil }
    var found: [CardJack] = []
    for index in unsafe 0..<snd_ctl_elem_list_get_used(list) {
      guard let name = unsafe jackName(list, index) else { continue }
      guard let isPlugged = unsafe isOn(snd_ctl_elem_list_get_numid(list, index)) else { return nil }
      found.append(CardJack(name: name, isPlugged: isPlugged))
    }
    return found
  }

  /// Name of a jack; nil of any other control.
  private func jackName(_ list: OpaquePointer, _ index: UInt32) -> String? {
    guard unsafe snd_ctl_elem_list_get_interface(list, index) == SND_CTL_ELEM_IFACE_CARD,
      let name = unsafe snd_ctl_elem_list_get_name(list, index).map({ unsafe String(cString: $0) }),
      name.hasSuffix(Self.ending)
    else { return nil }
    return String(name.dropLast(Self.ending.count))
  }

  /// Value of a switch; nil where it cannot be read.
  private func isOn(_ number: UInt32) -> Bool? {
    var value: OpaquePointer?
    guard unsafe snd_ctl_elem_value_malloc(&value) >= 0, let value = unsafe value else { return nil }
    defer { unsafe snd_ctl_elem_value_free(value) }
    unsafe snd_ctl_elem_value_set_numid(value, number)
    guard unsafe snd_ctl_elem_read(handle, value) >= 0 else { return nil }
    return unsafe snd_ctl_elem_value_get_boolean(value, 0) != 0
  }
}
