/// Why a device delays sound by more than its buffer tells.
public enum HiddenDelay: String, Sendable, Hashable, Codable, CaseIterable {
  /// A plugin converts rate or format, in periods of its own.
  case conversion
  /// A mixer or a sound server stands between.
  case mixing
  /// A radio link: 100 to 200 ms, and telephone quality when its microphone is used.
  case bluetooth

  /// What a device's name tells. Its part before the colon is the plugin.
  public init?(deviceName name: String) {
    let plugin = name.prefix { $0 != ":" }.lowercased()
    switch plugin {
    case "bluealsa", "bluetooth": self = .bluetooth
    case "default", "sysdefault", "pulse", "pipewire", "dmix", "dsnoop", "dshare", "upmix", "vdownmix":
      self = .mixing
    case "plug", "plughw", "front", "rear", "surround40", "surround51", "surround71", "speex",
      "speexrate", "samplerate", "lavrate", "iec958", "hdmi":
      self = .conversion
    default:
      if plugin.contains("bluez") { self = .bluetooth } else { return nil }
    }
  }

  /// One sentence for the wearer.
  public var explanation: String {
    switch self {
    case .conversion: "adds hidden delay: a plugin converts the sound. Choose the hw: device"
    case .mixing: "adds hidden delay: other programs are mixed in. Choose the hw: device"
    case .bluetooth: "adds 100 to 200 ms: too late for a hearing aid. Choose a wired device"
    }
  }
}
