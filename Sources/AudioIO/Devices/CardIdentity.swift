import CALSA

/// A sound card's short and long name.
struct CardIdentity {
  /// Short name, stable over reboots where udev sets it; the `CARD=` of a device name.
  let id: String
  /// Name for people.
  let name: String

  /// Asks a card's control device; nil when it does not answer.
  init?(_ control: OpaquePointer) {
    var memory: OpaquePointer?
    guard unsafe snd_ctl_card_info_malloc(&memory) >= 0, let info = unsafe memory else { return nil }
    defer { unsafe snd_ctl_card_info_free(info) }
    guard unsafe snd_ctl_card_info(control, info) >= 0 else { return nil }
    id = unsafe snd_ctl_card_info_get_id(info).map { unsafe String(cString: $0) } ?? "?"
    name = unsafe snd_ctl_card_info_get_name(info).map { unsafe String(cString: $0) } ?? "?"
  }
}
