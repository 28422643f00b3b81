import Base
import CALSA
import Glibc

/// A playback volume control of a sound card, and where it stands.
public struct MixerVolume: Sendable, Hashable {
  /// Name as the card's mixer has it, `Headphone`; `PCM,1` where there are several of the name.
  public let control: String
  /// Gain of the left channel, dB; −1000 for silence.
  public let left: Double
  /// Gain of the right channel, dB.
  public let right: Double
  /// False while it is muted.
  public let isOn: Bool

  /// A state for ``CardMixer/restore(_:on:)``; gains in dB, set to the nearest step of the card.
  public init(control: String, left: Double, right: Double, isOn: Bool) {
    (self.control, self.left, self.right, self.isOn) = (control, left, right, isOn)
  }
}

/// The playback volume controls of a sound card, by ALSA's simple mixer.
///
/// - Threads: control; each call opens the mixer and closes it.
public enum CardMixer {
  /// Controls of what a card lets through from its inputs, and of beeps: the aid's sound takes another way. Names as the kernel's
  /// drivers give them (Documentation/sound/designs/control-names.rst, from memory).
  private static let loopThrough: Set<String> = [
    "Aux", "Beep", "CD", "Front Mic", "Headset Mic", "Internal Mic", "Line", "Mic", "PC Beep", "Rear Mic",
    "Synth", "Video",
  ]

  /// Controls of the card that a device is on, but for those of its inputs; empty for a card without any, nil for a device that is on no card, for a card that
  /// is away and for one that does not tell.
  public static func volumes(of device: String) -> [MixerVolume]? {
    guard let mixer = Mixer(of: device) else { return nil }
    let all = unsafe mixer.playback.compactMap { unsafe Self.setting($0) }
    return all.filter { !loopThrough.contains($0.control) }
  }

  /// Puts controls back where they stood.
  ///
  /// - Returns: Names of those that could not be set.
  public static func restore(_ settings: [MixerVolume], on device: String) -> [String] {
    guard let mixer = Mixer(of: device) else { return settings.map(\.control) }
    return settings.filter { setting in
      unsafe !mixer.playback.contains {
        unsafe Self.name($0) == setting.control && Self.set($0, to: setting)
      }
    }.map(\.control)
  }

  private static func setting(_ element: OpaquePointer) -> MixerVolume? {
    func gain(_ channel: snd_mixer_selem_channel_id_t) -> Double? {
      var hundredths = 0
      guard unsafe snd_mixer_selem_get_playback_dB(element, channel, &hundredths) >= 0 else { return nil }
      // The lowest step is silence, which alsa-lib gives as −99999.99 dB.
      return max(-1000, Double(hundredths) / 100)
    }
    guard let left = gain(SND_MIXER_SCHN_FRONT_LEFT) else { return nil }
    var (isLeftOn, isRightOn): (Int32, Int32) = (1, 1)
    if unsafe snd_mixer_selem_has_playback_switch(element) != 0 {
      _ = unsafe snd_mixer_selem_get_playback_switch(element, SND_MIXER_SCHN_FRONT_LEFT, &isLeftOn)
      isRightOn = isLeftOn
      if unsafe snd_mixer_selem_has_playback_channel(element, SND_MIXER_SCHN_FRONT_RIGHT) != 0 {
        _ = unsafe snd_mixer_selem_get_playback_switch(element, SND_MIXER_SCHN_FRONT_RIGHT, &isRightOn)
      }
    }
    return MixerVolume(
      control: unsafe name(element), left: left, right: gain(SND_MIXER_SCHN_FRONT_RIGHT) ?? left,
      isOn: isLeftOn != 0 && isRightOn != 0)
  }

  private static func set(_ element: OpaquePointer, to setting: MixerVolume) -> Bool {
    func set(_ channel: snd_mixer_selem_channel_id_t, _ gain: Double) -> Bool {
      // To the nearest step, not above: 0 and −1 round up and down.
      unsafe snd_mixer_selem_set_playback_dB(element, channel, Int((gain * 100).rounded()), 0) >= 0
    }
    guard set(SND_MIXER_SCHN_FRONT_LEFT, setting.left) else { return false }
    if unsafe snd_mixer_selem_has_playback_channel(element, SND_MIXER_SCHN_FRONT_RIGHT) != 0 {
      guard set(SND_MIXER_SCHN_FRONT_RIGHT, setting.right) else { return false }
    }
    guard unsafe snd_mixer_selem_has_playback_switch(element) != 0 else { return true }
    return unsafe snd_mixer_selem_set_playback_switch_all(element, setting.isOn ? 1 : 0) >= 0
  }

  /// `Headphone`, or `PCM,1` where there are several of the name.
  private static func name(_ element: OpaquePointer) -> String {
    let name = unsafe snd_mixer_selem_get_name(element).map { unsafe String(cString: $0) } ?? ""
    let index = unsafe snd_mixer_selem_get_index(element)
    return index == 0 ? name : "\(name),\(index)"
  }
}

/// An open mixer.
@safe private struct Mixer: ~Copyable {
  private let handle: OpaquePointer

  init?(of device: String) {
    guard DevicePlace.isOnCard(device),
      let card = DevicePlace.cards(capture: device, playback: device).keys.first
    else { return nil }
    calsa_silence_errors()
    var opened: OpaquePointer?
    guard unsafe snd_mixer_open(&opened, 0) >= 0, let handle = unsafe opened else { return nil }
    guard unsafe snd_mixer_attach(handle, "hw:\(card)") >= 0,
      unsafe snd_mixer_selem_register(handle, nil, nil) >= 0, unsafe snd_mixer_load(handle) >= 0
    else {
      unsafe snd_mixer_close(handle)
      return nil
    }
    unsafe self.handle = handle
  }

  deinit { unsafe snd_mixer_close(handle) }

  /// Elements with a playback volume.
  var playback: [OpaquePointer] {
    var found = unsafe [OpaquePointer]()
    var element = unsafe snd_mixer_first_elem(handle)
    while let current = unsafe element {
      if unsafe snd_mixer_selem_has_playback_volume(current) != 0 { unsafe found.append(current) }
      unsafe element = snd_mixer_elem_next(current)
    }
    return unsafe found
  }
}
