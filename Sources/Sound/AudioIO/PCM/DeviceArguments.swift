/// Arguments that a device's name may have when it came from another program, or in a file of somebody else's making.
///
/// alsa-lib's names take arguments, and some of its plugins write files or start programs by them: `tee:hw:0,'|COMMAND',raw`
/// (pcm_file.c). A name without arguments leads no further than the daemon's own configuration of alsa-lib.
public enum DeviceArguments {
  /// Plugins whose arguments choose a card, a link or a part of a sound server.
  private static let choosing: Set<Substring> = [
    "hw", "plughw", "sysdefault", "default", "front", "dmix", "dsnoop", "usbstream", "iec958", "hdmi",
    "pulse", "pipewire",
    "bluealsa",
  ]

  /// True for a name that cannot make alsa-lib open anything but a sound device.
  ///
  /// - Threads: any.
  public static func areHarmless(in name: String) -> Bool {
    let plugin = name.prefix { $0 != ":" }
    guard plugin.count < name.count else { return consists(name[...], of: "_.-") }
    return choosing.contains(plugin) && consists(name[plugin.endIndex...], of: "_.-:=,+")
  }

  private static func consists(_ text: Substring, of further: String) -> Bool {
    text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || further.contains($0)) }
  }
}
