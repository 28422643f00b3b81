import Base
import CALSA
import Glibc

/// A playback volume control of a sound card, and where it stands.
public struct MixerVolume: Sendable, Hashable {
  /// Name as the card's mixer has it, `Headphone`; `PCM,1` where there are several of the name.
  public let control: String
  /// Gain of the left channel, dB; −1000 for silence. Of a control that tells no dB its place, % of its range.
  public let left: Double
  /// Gain or place of the right channel, as ``left``.
  public let right: Double
  /// False while it is muted.
  public let isOn: Bool
  /// False of a control that tells no dB, as of USB adapters with a range that makes no sense: where it stands is told all the same.
  public let isScaled: Bool

  /// A state for ``CardMixer/restore(_:on:)``; set to the nearest step of the card.
  ///
  /// - Parameters:
  ///   - left: dB; % of the range where `isScaled` is false.
  ///   - right: As `left`.
  public init(control: String, left: Double, right: Double, isOn: Bool, isScaled: Bool = true) {
    (self.control, self.left, self.right, self.isOn) = (control, left, right, isOn)
    self.isScaled = isScaled
  }

  /// Place of a value in a control's range, %, to a hundredth.
  static func place(of value: Int, in range: ClosedRange<Int>) -> Double {
    let (low, high) = (Double(range.lowerBound), Double(range.upperBound))
    return ((Double(value) - low) / (high - low) * 10_000).rounded() / 100
  }

  /// Value of a control at a place, the nearest one in its range.
  static func value(at place: Double, in range: ClosedRange<Int>) -> Int {
    let (low, high) = (Double(range.lowerBound), Double(range.upperBound))
    let exact = (low + min(max(place, 0), 100) / 100 * (high - low)).rounded()
    return min(max(Int(exactly: exact) ?? range.upperBound, range.lowerBound), range.upperBound)
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
    func place(_ channel: snd_mixer_selem_channel_id_t) -> Double? {
      var value = 0
      guard let range = unsafe Self.range(element),
        unsafe snd_mixer_selem_get_playback_volume(element, channel, &value) >= 0
      else { return nil }
      return MixerVolume.place(of: value, in: range)
    }
    let isScaled = gain(SND_MIXER_SCHN_FRONT_LEFT) != nil
    func state(_ channel: snd_mixer_selem_channel_id_t) -> Double? {
      isScaled ? gain(channel) : place(channel)
    }
    guard let left = state(SND_MIXER_SCHN_FRONT_LEFT) else { return nil }
    var (isLeftOn, isRightOn): (Int32, Int32) = (1, 1)
    if unsafe snd_mixer_selem_has_playback_switch(element) != 0 {
      _ = unsafe snd_mixer_selem_get_playback_switch(element, SND_MIXER_SCHN_FRONT_LEFT, &isLeftOn)
      isRightOn = isLeftOn
      if unsafe snd_mixer_selem_has_playback_channel(element, SND_MIXER_SCHN_FRONT_RIGHT) != 0 {
        _ = unsafe snd_mixer_selem_get_playback_switch(element, SND_MIXER_SCHN_FRONT_RIGHT, &isRightOn)
      }
    }
    return MixerVolume(
      control: unsafe name(element), left: left, right: state(SND_MIXER_SCHN_FRONT_RIGHT) ?? left,
      isOn: isLeftOn != 0 && isRightOn != 0, isScaled: isScaled)
  }

  /// Values of a control; nil of one that has a single one, and that nobody can turn.
  private static func range(_ element: OpaquePointer) -> ClosedRange<Int>? {
    var (low, high) = (0, 0)
    guard unsafe snd_mixer_selem_get_playback_volume_range(element, &low, &high) >= 0, low < high else {
      return nil
    }
    return low...high
  }

  private static func set(_ element: OpaquePointer, to setting: MixerVolume) -> Bool {
    func set(_ channel: snd_mixer_selem_channel_id_t, _ gain: Double) -> Bool {
      guard setting.isScaled else {
        guard let range = unsafe Self.range(element) else { return false }
        let value = MixerVolume.value(at: gain, in: range)
        return unsafe snd_mixer_selem_set_playback_volume(element, channel, value) >= 0
      }
      // To the nearest step, not above: 0 and −1 round up and down.
      return unsafe snd_mixer_selem_set_playback_dB(element, channel, Int((gain * 100).rounded()), 0) >= 0
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
